// Shapes of a record's page while its data come: cards with the sections' own titles, so that nothing moves when they are there.
import type { ReactElement } from 'react';
import type { RecordScreen, Section } from '../../contract/types.ts';
import { t } from '../../domain/text/t.ts';

const WIDTHS = [62, 44, 76, 52];
const Bars = ({ count, seed = 0 }: { count: number; seed?: number }): ReactElement => (
  <>
    {Array.from({ length: count }, (_, i) => (
      <span key={i} className="p-skeleton r-sk-line" style={{ width: `${WIDTHS[(i + seed) % 4]}%` }} />
    ))}
  </>
);

/** One section: a card with its title and bars in the shape of facts, rows or figures. */
export function SectionSkeleton({ section }: { section: Section }): ReactElement {
  const isRows = 'columns' in section && Array.isArray(section.columns);
  const figures = 'fields' in section ? section.columns : undefined;
  const lines = 'fields' in section ? Math.min(section.fields.length, 6) : 4;
  return (
    <section className="p-card r-section" aria-hidden="true">
      {section.title && (
        <div className="p-card-head">
          <h2>{section.title}</h2>
        </div>
      )}
      {figures ? (
        <div className="p-card-body r-body">
          <div className="r-figures" style={{ '--r-columns': figures } as React.CSSProperties}>
            {Array.from({ length: figures }, (_, i) => (
              <div key={i} className="r-figure">
                <span className="p-skeleton r-sk-line" style={{ width: 70 }} />
                <span className="p-skeleton r-sk-line" style={{ width: 96 }} />
              </div>
            ))}
          </div>
        </div>
      ) : isRows ? (
        <div className="r-sk-rows">
          {Array.from({ length: 3 }, (_, i) => (
            <div key={i} className="r-sk-row">
              <Bars count={1} seed={i} />
            </div>
          ))}
        </div>
      ) : (
        <div className="p-card-body r-body r-sk-body">
          <Bars count={section.closed ? 0 : lines} />
        </div>
      )}
    </section>
  );
}

/** What depends on the record may not come: only the rest has a shape. */
const certain = (sections: Section[]): Section[] => sections.filter(section => !section.when && !('panel' in section && !section.title));

export function RecordSkeleton({ screen, head }: { screen: RecordScreen; head?: ReactElement }): ReactElement {
  return (
    <div className="p-page r-page" role="status" aria-label={t`Loading`}>
      {head ?? (
        <div className="r-head">
          <div className="r-head-titles">
            <span className="p-skeleton p-sk-title" />
            <span className="p-skeleton r-sk-sub" />
          </div>
          <span className="p-page-actions">
            <span className="p-skeleton p-sk-btn" />
            <span className="p-skeleton p-sk-btn" />
          </span>
        </div>
      )}
      <div className="r-columns">
        <div className="p-stack">
          {certain(screen.main).map((section, i) => (
            <SectionSkeleton key={i} section={section} />
          ))}
        </div>
        {screen.side && (
          <div className="p-stack">
            {certain(screen.side).map((section, i) => (
              <SectionSkeleton key={i} section={section} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
