// The builder of a box as the branding that is typed makes it look, with three products of no store.
import { builderLook } from '../../src/domain/bundles/builder-look.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { money } from '../../src/admin/platform/format.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import '../../src/admin/record/styles/bundle.css';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

/** A wide picture is drawn at a quarter of its height. */
const SMALLER = 4;
const WIDE = 1000;

export default function BundleBuilder({ data, section }: FormPanelProps) {
  const { store } = useSession();
  const look = builderLook(data);
  const products = [t`First product`, t`Second product`, t`Third product`];
  const corners = { borderRadius: Math.min(12, look.page.borderRadius) };
  const columns = look.page.maxWidth < WIDE ? look.columns.narrow : look.columns.wide;
  return (
    <PanelCard title={section.title ?? t`Preview`}>
      <div className="p-card-body">
        <div className="r-builder" style={look.page} role="img" aria-label={t`How the page looks on which customers fill a box`}>
          {look.hero && (
            <div className="r-builder-hero" style={{ ...corners, height: look.hero.height / SMALLER }}>
              <strong style={{ color: look.heading, textAlign: look.hero.isCentered ? 'center' : 'start' }}>{t`Fill your box`}</strong>
            </div>
          )}
          {look.hasSizes && <Choice isTabs={look.isTabs} options={[t`Box of 6`, t`Box of 12`]} />}
          {look.hasFrequencies && <Choice isTabs={look.isTabs} options={[t`Subscribe`, t`Once`]} />}
          {look.progress && (
            <div className="r-builder-track" style={{ background: look.progress.track }}>
              <div style={{ background: look.progress.bar }} />
            </div>
          )}
          <div className={look.summary.isBeside ? 'r-builder-beside' : 'r-builder-below'}>
            <div className="r-builder-grid" style={{ gridTemplateColumns: `repeat(${Math.min(3, columns)}, minmax(0, 1fr))` }}>
              {products.map(name => (
                <div key={name} className="r-builder-card">
                  <div className="r-builder-picture" style={{ ...corners, aspectRatio: look.ratio }} />
                  <span>{name}</span>
                  {look.hasPrice && (
                    <span>
                      {money('12.00', store.currency_code)} {look.hasPriceBefore && <s>{money('15.00', store.currency_code)}</s>}
                    </span>
                  )}
                  <span className="r-builder-button" style={{ ...corners, ...look.button }}>{t`Add`}</span>
                </div>
              ))}
            </div>
            <div className="r-builder-summary" style={{ ...corners, background: look.summary.background }}>
              <strong style={{ color: look.heading }}>{t`Your box`}</strong>
              <span>{t`4 of 6`}</span>
              <span className="r-builder-button" style={{ ...corners, ...look.cart }}>{t`Add to cart`}</span>
            </div>
          </div>
        </div>
      </div>
    </PanelCard>
  );
}

function Choice({ isTabs, options }: { isTabs: boolean; options: string[] }) {
  return (
    <div className="r-builder-choice">
      {isTabs ? (
        options.map((one, i) => (
          <span key={one} data-chosen={i === 0 || undefined}>
            {one}
          </span>
        ))
      ) : (
        <span data-chosen>{options[0]} ▾</span>
      )}
    </div>
  );
}
