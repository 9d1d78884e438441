// Catalogues of payments: countries of billing addresses, and reasons of failed charges.
import { dunningFromPage, isHardDecline } from '../../../domain/recovery/dunning-settings.ts';
import { FAILURE_CATEGORIES } from '../../../domain/recovery/failure-codes.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { readSetting } from '../../platform/records/settings.ts';
import { needsProvince, needsZip } from '../../../domain/places/places.ts';
import { countriesIn } from '../../../domain/text/countries.ts';
import { intlLocale, language } from '../../../domain/text/t.ts';

/** C527: every country, the store's own first, and what its addresses must have. */
export const billingCountries = ({ store }: RuleContext): JsonObject[] =>
  countriesIn(store.country_code, intlLocale(), language()).map(({ code, name }) => ({
    code,
    name,
    isZipRequired: needsZip(code),
    isProvinceRequired: needsProvince(code),
  }));

/** Every reason of a failed payment in the words that merchants and customers read, and whether this store counts it as a hard decline. */
export async function paymentErrors(context: RuleContext): Promise<JsonObject[]> {
  const dunning = dunningFromPage((await readSetting(context, 'paymentRecovery')).data);
  return FAILURE_CATEGORIES.flatMap(category =>
    category.codes.map(code => ({
      category: category.key,
      code,
      label: category.label,
      description: category.description,
      isHardDecline: isHardDecline(dunning, category.key),
      customerText: category.customerText,
    })),
  );
}
