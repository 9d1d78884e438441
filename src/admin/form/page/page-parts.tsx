// What the form pages share: head with the way back, shapes while loading, a page that says what went wrong.
import type { ReactNode } from 'react';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ErrorState } from '../../ui/pages/error-page.tsx';
import { usePageTitle } from '../../platform/routing/page-title.tsx';
import { t } from '../../../domain/text/t.ts';

export function FormHead({
  title,
  description,
  back,
  children,
}: {
  title: string;
  description?: string | undefined;
  back?: string | undefined;
  children?: ReactNode;
}) {
  usePageTitle(title);
  return (
    <div className="p-page-head f-page-head">
      {back && (
        <Link className={`p-icon-btn f-back${/\/\d+$/.test(back) ? ' f-back-record' : ''}`} to={back} aria-label={t`Back`}>
          <ArrowLeft aria-hidden="true" />
        </Link>
      )}
      <div className="f-page-titles">
        <h1 className="p-page-title">{title}</h1>
        {description && <p className="p-muted">{description}</p>}
      </div>
      {children && <div className="p-page-actions">{children}</div>}
    </div>
  );
}

interface About {
  title?: string | undefined;
  description?: string | undefined;
}

/** Cards with bars where labels and inputs will be; with `side`, panels stand beside them and the sections have their titles inside. */
export function FormSkeleton({
  sections = [{}, {}],
  side = [],
}: {
  sections?: readonly About[] | undefined;
  side?: readonly About[] | undefined;
}) {
  const hasSide = side.length > 0;
  const about = ({ title, description }: About) => (
    <div className="f-about">
      {title ? <h2>{title}</h2> : <span className="p-skeleton f-sk-title" />}
      {description && <p>{description}</p>}
    </div>
  );
  return (
    <div className="f-root" role="status" aria-label={t`Loading`}>
      <div className={hasSide ? 'f-sections f-with-side' : 'f-sections'}>
        <div className="f-main">
          {sections.slice(0, 3).map((section, place) => (
            <div className={hasSide ? 'f-section f-section-stacked' : 'f-section'} key={place}>
              {!hasSide && about(section)}
              <div className="p-card f-card">
                {hasSide && <div className="f-card-head">{about(section)}</div>}
                <div className="p-card-body f-card-body f-grid">
                  {Array.from({ length: 3 + (place % 2) }, (_, i) => (
                    <div className={i < 2 ? 'f-field f-w-half' : 'f-field f-w-full'} key={i}>
                      <span className="p-skeleton f-sk-label" />
                      <span className="p-skeleton f-sk-input" />
                    </div>
                  ))}
                </div>
              </div>
            </div>
          ))}
        </div>
        {hasSide && (
          <div className="f-side">
            {side.map(({ title }, place) => (
              <section className="p-card" key={place}>
                <div className="p-card-head">{title ? <h2>{title}</h2> : <span className="p-skeleton p-sk-3" />}</div>
                <div className="p-card-body p-stack-s">
                  {Array.from({ length: 6 }, (_, i) => (
                    <span className={`p-skeleton p-sk-${(i % 3) + 4}`} key={i} />
                  ))}
                </div>
              </section>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

export function FormFailed({ error, what, onRetry }: { error: unknown; what: string; onRetry: () => void }) {
  return (
    <div className="p-card">
      <ErrorState error={error} what={what} onRetry={onRetry} />
    </div>
  );
}
