// The builder of a box as the branding that is typed makes it look, with three products of no store.
import { useId } from 'react';
import type { CSSProperties } from 'react';
import type { JsonObject } from '../../src/contract/types.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { money } from '../../src/admin/platform/format.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import '../../src/admin/record/styles/bundle.css';
import { t } from '../../src/domain/text/t.ts';

const FONTS: Record<string, string> = { SANS: 'Helvetica, Arial, sans-serif', SERIF: 'Georgia, serif' };
const RATIOS: Record<string, string> = { SQUARE: '1', PORTRAIT: '3 / 4', LANDSCAPE: '4 / 3' };
const TALLEST = 90;

const color = (page: JsonObject, name: string): string =>
  /^#[0-9A-Fa-f]{6}$/.test(String(page[name])) ? String(page[name]) : 'transparent';

export default function BundleBuilder({ data: page, section }: FormPanelProps) {
  const { store } = useSession();
  const id = useId();
  const products = [t`First product`, t`Second product`, t`Third product`];
  const look: CSSProperties = {
    background: color(page, 'pageBackground'),
    color: color(page, 'textColor'),
    borderRadius: Math.min(32, Number(page.borderRadius ?? 0)),
    ...(FONTS[String(page.fontFamily)] ? { fontFamily: FONTS[String(page.fontFamily)] } : {}),
  };
  const radius = { borderRadius: Math.min(12, Number(page.borderRadius ?? 0)) };
  const columns = Math.max(1, Math.min(3, Number(page.columnsDesktop ?? 3)));
  return (
    <section className="p-card" aria-labelledby={id}>
      <div className="p-card-head">
        <h2 id={id}>{section.title ?? t`Preview`}</h2>
      </div>
      <div className="p-card-body">
        <div className="r-builder" style={look} role="img" aria-label={t`How the page looks on which customers fill a box`}>
          {page.showHero === true && (
            <div className="r-builder-hero" style={{ ...radius, height: Math.min(TALLEST, Number(page.heroHeight ?? 0) / 4) }}>
              <strong
                style={{ color: color(page, 'headingColor'), textAlign: page.heroAlignment === 'CENTER' ? 'center' : 'start' }}
              >{t`Fill your box`}</strong>
            </div>
          )}
          {page.displaySizeSelector === true && <Choice isTabs={page.selectorStyle === 'TABS'} options={[t`Box of 6`, t`Box of 12`]} />}
          {page.displayFrequencySelector === true && <Choice isTabs={page.selectorStyle === 'TABS'} options={[t`Subscribe`, t`Once`]} />}
          {page.showProgressBar === true && (
            <div className="r-builder-track" style={{ background: color(page, 'trackColor') }}>
              <div style={{ background: color(page, 'barColor') }} />
            </div>
          )}
          <div className={page.position === 'SIDE' ? 'r-builder-beside' : 'r-builder-below'}>
            <div className="r-builder-grid" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
              {products.map(name => (
                <div key={name} className="r-builder-card">
                  <div className="r-builder-picture" style={{ ...radius, aspectRatio: RATIOS[String(page.imageRatio)] ?? '1' }} />
                  <span>{name}</span>
                  {page.showPrice === true && (
                    <span>
                      {money('12.00', store.currency_code)}{' '}
                      {page.showCompareAtPrice === true && <s>{money('15.00', store.currency_code)}</s>}
                    </span>
                  )}
                  <span
                    className="r-builder-button"
                    style={{ ...radius, background: color(page, 'buttonColor'), color: color(page, 'buttonTextColor') }}
                  >{t`Add`}</span>
                </div>
              ))}
            </div>
            <div className="r-builder-summary" style={{ ...radius, background: color(page, 'summaryBackground') }}>
              <strong style={{ color: color(page, 'headingColor') }}>{t`Your box`}</strong>
              <span>{t`4 of 6`}</span>
              <span
                className="r-builder-button"
                style={{ ...radius, background: color(page, 'ctaColor'), color: color(page, 'ctaTextColor') }}
              >{t`Add to cart`}</span>
            </div>
          </div>
        </div>
      </div>
    </section>
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
