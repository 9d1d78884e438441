// What a bundle costs, as it is typed: by size or variant, bought once and under each plan, with what may surprise.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../src/contract/types.ts';
import { useFormServices } from '../../src/admin/form/fields/use-services.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useRested } from '../../src/admin/form/page/use-rested.ts';
import { money } from '../../src/admin/platform/format.ts';
import '../../src/admin/record/styles/bundle.css';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

interface Way {
  planId: number | null;
  title: string;
  from: string;
  to: string;
}
interface Priced {
  currencyCode: string;
  warnings: string[];
  rows: { title: string; contents: string; discount: string | null; fullFrom: string; fullTo: string; ways: Way[] }[];
}

/** Of what is typed, what a price depends on. */
const ASKED = [
  'id',
  'name',
  'bundleType',
  'purchaseType',
  'sellingPlanGroupId',
  'productId',
  'variants',
  'productIds',
  'excludedVariantIds',
  'filters',
  'type',
  'boxSizes',
  'discountType',
  'discounts',
  'applyDiscountOnOnetime',
];

export default function BundlePrices({ data, section }: FormPanelProps) {
  const services = useFormServices();
  const bundle: JsonObject = Object.fromEntries(ASKED.flatMap(name => (data[name] === undefined ? [] : [[name, data[name]]])));
  const input = useRested<JsonObject>({ bundle });
  const { data: answer, error } = useQuery({
    queryKey: ['bundle-prices', input],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) => services.ask('bundles.preview', input, signal),
  });
  const priced = answer as Priced | undefined;
  return (
    <PanelCard title={section.title ?? t`What it costs`}>
      <div className="p-card-body r-bundle-prices" aria-live="polite">
        {error ? (
          <p className="p-error">{error.message}</p>
        ) : priced === undefined ? (
          <p className="p-muted">{t`Working out prices…`}</p>
        ) : (
          <>
            {priced.rows.length === 0 && <p className="p-muted">{t`Add products to see what it costs.`}</p>}
            {priced.rows.map((row, i) => (
              <Row key={i} row={row} currency={priced.currencyCode} />
            ))}
            {priced.warnings.map(text => (
              <p key={text} className="p-hint r-bundle-warning">
                {text}
              </p>
            ))}
          </>
        )}
      </div>
    </PanelCard>
  );
}

function Row({ row, currency }: { row: Priced['rows'][number]; currency: string }) {
  const range = (from: string, to: string): string =>
    from === to ? money(from, currency) : `${money(from, currency)} – ${money(to, currency)}`;
  return (
    <div>
      <p className="p-strong">{row.title}</p>
      <p className="p-hint">{[row.contents, row.discount].filter(Boolean).join(' · ')}</p>
      <dl className="r-bundle-ways">
        <dt className="p-muted">{t`What is in it`}</dt>
        <dd className="p-muted">{range(row.fullFrom, row.fullTo)}</dd>
        {row.ways.map(way => (
          <div key={way.planId ?? 0} className="r-bundle-way">
            <dt>{way.title}</dt>
            <dd className="p-strong">{range(way.from, way.to)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
