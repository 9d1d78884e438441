// Shapes of a page while its code arrives: title and action, main and secondary cards (S013 to S015).
import type { ReactElement } from 'react';
import { t } from '../../../domain/text/t.ts';

const Card = ({ lines }: { lines: number }): ReactElement => (
  <div className="p-card">
    <div className="p-card-head">
      <span className="p-skeleton p-sk-3" />
    </div>
    <div className="p-card-body p-stack-s">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className={`p-skeleton p-sk-${(i % 3) + 4}`} />
      ))}
    </div>
  </div>
);

/** `wide`: one column over the full width, as lists are; else main cards with secondary ones beside them. */
export function PageSkeleton({ wide = false }: { wide?: boolean }): ReactElement {
  return (
    <div className={`p-page${wide ? '' : ' p-page-narrow'}`} role="status" aria-label={t`Loading`}>
      <div className="p-page-head">
        <span className="p-skeleton p-sk-title" />
        <span className="p-page-actions">
          <span className="p-skeleton p-sk-btn" />
        </span>
      </div>
      <div className={wide ? 'p-stack' : 'p-two'}>
        <div className="p-stack">
          <Card lines={5} />
          <Card lines={4} />
        </div>
        {!wide && (
          <div className="p-stack">
            <Card lines={3} />
            <Card lines={3} />
          </div>
        )}
      </div>
    </div>
  );
}
