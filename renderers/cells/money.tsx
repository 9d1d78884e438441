// An amount in the record's own currency, else the store's.
import { money } from '../../src/admin/platform/format.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import type { JsonObject } from '../../src/contract/types.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';

const currencyField = (options: JsonObject): string => (typeof options.currency === 'string' ? options.currency : 'currencyCode');
/** "CA$12,345.67" fits; for more than that the column grows, because an amount is never cut. */
export const looks: Partial<CellHints> = {
  width: 112,
  end: true,
  also: options => [currencyField(options)],
  whole: (value, record, options) => money(String(value ?? ''), String(record[currencyField(options)] ?? '')),
};

export default function MoneyCell({ value, record, options }: CellProps) {
  const { store } = useSession();
  if (typeof value !== 'string' && typeof value !== 'number') return <span className="l-none">–</span>;
  const own = record[currencyField(options)];
  return <>{money(value, typeof own === 'string' ? own : store.currency_code)}</>;
}
