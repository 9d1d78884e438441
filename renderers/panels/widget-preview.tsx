// A widget beside its form as shoppers see it, on a phone and a desktop, with a product of the store and its real plans, while it is typed.
import { useMemo, useState } from 'react';
import { ElementPreview } from '../../src/admin/features/widgets/element-preview.tsx';
import { optionsOfSample, type Sample } from '../../src/admin/features/widgets/sample.ts';
import '../../src/admin/features/widgets/widgets.css';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { dayOf } from '../../src/admin/platform/time-zone.ts';
import { Choice, WIDTHS, type Width } from '../../src/admin/ui/mail-frame.tsx';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { intlLocale, t } from '../../src/domain/text/t.ts';
import { cssVariables, type Styles } from '../../src/domain/widgets/style-attributes.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

const part = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const NONE: Sample = { product: null, currencyCode: 'USD', purchaseOptions: [] };
const DAYS = 9 * 86_400_000;

export default function WidgetPreview({ data, section, options: { kind } }: FormPanelProps) {
  const [width, setWidth] = useState<Width>('phone');
  const isPurchase = kind === 'purchase';
  const { data: sample, error } = useAsk<Sample>('widgets.sample', isPurchase ? {} : undefined);
  const isEmpty = sample !== undefined && !sample.purchaseOptions.some(one => one.type === 'subscription');
  const { preferences, styles, texts, customCss } = data;
  const primary = intlLocale();
  const widget = useMemo(
    () => ({
      preferences: part(preferences),
      cssVariables: cssVariables(part(styles) as Styles),
      customCss: text(customCss),
      texts: Object.fromEntries(Object.entries(part(texts)).map(([key, words]) => [key, text(words)])),
      textsByLocale: {},
    }),
    [preferences, styles, texts, customCss],
  );
  const zone = useSession().store.timezone;
  const purchase = useMemo(() => {
    const options = optionsOfSample(sample ?? NONE);
    return { widget, primary, currency: (sample ?? NONE).currencyCode, optionsOf: () => options };
  }, [widget, primary, sample]);
  const gift = useMemo(() => ({ widget, primary }), [widget, primary]);
  const banner = useMemo(() => {
    const nextOrderDate = dayOf(storeNow() + DAYS, zone);
    return { widget, primary, subscriptions: [t`Every 2 weeks`, t`Every month`].map((name, id) => ({ id, name, nextOrderDate })) };
  }, [widget, primary, zone]);
  return (
    <PanelCard
      title={section.title ?? t`What shoppers see`}
      className="w-panel"
      tools={<Choice label={t`Width`} of={WIDTHS} value={width} onChange={setWidth} />}
    >
      <div className="p-card-body">
        {error && (
          <p className="p-error" role="alert">
            {error.message}
          </p>
        )}
        <div className="w-stage" data-width={width} data-kind={String(kind)}>
          <div className="w-host">
            {sample?.product && (
              <p className="w-product">
                {sample.product.image && <img src={sample.product.image} alt="" />}
                <span>{sample.product.title}</span>
              </p>
            )}
            {/* Not before the product is known: what would be drawn without one moves when it comes. */}
            {isPurchase && (sample || error) && <ElementPreview tag="perennial-widget" content={purchase} lang={primary} />}
            {kind === 'gift' && <ElementPreview tag="perennial-gift" content={gift} lang={primary} />}
            {kind === 'banner' && <ElementPreview tag="perennial-banner" content={banner} lang={primary} />}
          </div>
        </div>
        {isPurchase && isEmpty && <p className="p-hint w-hint">{t`Publish a selling plan with products to see a subscription here.`}</p>}
      </div>
    </PanelCard>
  );
}
