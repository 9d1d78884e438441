// Rules of settings pages that concern two fields at once or other records, which a schema can't say. A page without an entry has none.
import { checkDunningSettings, dunningFromPage, retryWarning } from '../../../domain/recovery/dunning-settings.ts';
import { regionErrors, regionOf } from '../../../domain/places/places.ts';
import { orderScheduleErrors } from '../../../domain/schedule/order-schedule-settings.ts';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { shortestPlan } from '../../engine/index.ts';
import type { Context } from '../../platform/context.ts';
import type { SettingRules } from '../../platform/records/rules.ts';
import { hasZapiet } from './zapiet.ts';
import { t } from '../../../domain/text/t.ts';

/** Customers who choose the day of their delivery can't have it moved to a weekday on which the store likes to charge. */
const clashes = (page: JsonObject, context: Pick<Context, 'store'>): FieldError[] =>
  page.onlyOnBillingDays === true && hasZapiet(context)
    ? [
        {
          pointer: '/onlyOnBillingDays',
          rule: 'const',
          message: t`Zapiet chooses the days of your deliveries. Disconnect it to charge on certain weekdays only.`,
        },
      ]
    : [];

interface OffsetRow extends JsonObject {
  countryCode: string;
  provinceCodes: string[];
}
const isOffsetRow = (row: unknown): row is OffsetRow => {
  const { countryCode, provinceCodes = [] } = (row ?? {}) as Partial<Record<string, unknown>>;
  return typeof countryCode === 'string' && Array.isArray(provinceCodes) && provinceCodes.every(one => typeof one === 'string');
};
/** What is made of the rows of other countries; nothing where the schema refuses them anyway. */
const offsetRows = <R extends object>(page: JsonObject, make: (rows: OffsetRow[]) => R): R | undefined => {
  const rows = page.countryBasedChargeOffset;
  return Array.isArray(rows) && rows.every(isOffsetRow) ? make(rows) : undefined;
};
function settledRow(row: OffsetRow): OffsetRow {
  const { country, provinces } = regionOf(row.countryCode, row.provinceCodes ?? []);
  return { ...row, countryCode: country, ...(row.provinceCodes ? { provinceCodes: provinces } : {}) };
}
const offsetPlaces = (page: JsonObject): FieldError[] =>
  offsetRows(page, rows =>
    rows.flatMap(({ countryCode, provinceCodes }, i) => {
      const at = `/countryBasedChargeOffset/${i}`;
      return regionErrors(countryCode, provinceCodes ?? [], { country: `${at}/countryCode`, provinces: `${at}/provinceCodes` });
    }),
  ) ?? [];

export const settingRules: Record<string, SettingRules> = {
  paymentRecovery: {
    validate: page => checkDunningSettings(dunningFromPage(page)),
    async warn(page, context) {
      const shortest = await shortestPlan(context);
      return shortest ? retryWarning(dunningFromPage(page), shortest) : null;
    },
  },
  'order-schedule': {
    settle: page => ({ ...page, ...offsetRows(page, rows => ({ countryBasedChargeOffset: rows.map(settledRow) })) }),
    validate: (page, context) => [...clashes(page, context), ...orderScheduleErrors(page), ...offsetPlaces(page)],
  },
};
