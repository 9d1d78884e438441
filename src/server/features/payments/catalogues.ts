// Catalogues of payments: countries of billing addresses, and reasons of failed charges.
import { dunningFromPage, isHardDecline } from '../../../domain/recovery/dunning-settings.ts';
import { FAILURE_CATEGORIES } from '../../../domain/recovery/failure-codes.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { readSetting } from '../../platform/records/settings.ts';
import { countries } from '../store/catalogues.ts';
import { needsProvince, needsZip } from '../../../domain/places/places.ts';

/** C527: every country, the store's own first, and what its addresses must have. */
export const billingCountries = (context: RuleContext): JsonObject[] =>
  (countries(context) as { code: string; name: string }[]).map(({ code, name }) => ({
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
