// A widget beside its form as shoppers see it, on a phone and a desktop, with a product of the store and its real plans, while it is typed.
import { useState } from 'react';
import { Banner, Gift } from '../../src/admin/features/widgets/gift.tsx';
import { Purchase, type Sample } from '../../src/admin/features/widgets/purchase.tsx';
import { Stage } from '../../src/admin/features/widgets/stage.tsx';
import '../../src/admin/features/widgets/widgets.css';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { Choice, WIDTHS, type Width } from '../../src/admin/ui/mail-frame.tsx';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { intlLocale, t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

const part = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
const NONE: Sample = { product: null, currencyCode: 'USD', purchaseOptions: [] };
const DAYS = 9 * 86_400_000;

export default function WidgetPreview({ data, section, options }: FormPanelProps) {
  const [width, setWidth] = useState<Width>('phone');
  const isPurchase = options.kind === 'purchase';
  const { data: sample, error } = useAsk<Sample>('widgets.sample', isPurchase ? {} : undefined);
  const [preferences, texts] = [part(data.preferences), part(data.texts)];
  const isEmpty = sample !== undefined && !sample.purchaseOptions.some(one => one.type === 'subscription');
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
        <div className="w-stage" data-width={width} data-kind={String(options.kind)}>
          <Stage styles={part(data.styles)} customCss={typeof data.customCss === 'string' ? data.customCss : ''}>
            {/* Not before the product is known: what would be drawn without one moves when it comes. */}
            {isPurchase && (sample || error) && <Purchase preferences={preferences} texts={texts} sample={sample ?? NONE} />}
            {options.kind === 'gift' && <Gift preferences={preferences} texts={texts} />}
            {options.kind === 'banner' && (
              <Banner
                preferences={preferences}
                texts={texts}
                nextOrder={new Date(storeNow() + DAYS).toLocaleDateString(intlLocale(), { day: 'numeric', month: 'long' })}
                subscriptions={[t`Every 2 weeks`, t`Every month`]}
              />
            )}
          </Stage>
        </div>
        {isPurchase && isEmpty && <p className="p-hint w-hint">{t`Publish a selling plan with products to see a subscription here.`}</p>}
      </div>
    </PanelCard>
  );
}
