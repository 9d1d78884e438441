// What the form pages share: head with the way back, shapes while loading, a page that says what went wrong.
import type { ReactNode } from 'react';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { ErrorState } from '../shell/error-page.tsx';
import { usePageTitle } from '../shell/page.tsx';

export function FormHead({ title, description, back, children }: { title: string; description?: string | undefined; back?: string | undefined; children?: ReactNode }) {
  usePageTitle(title);
  return (
    <div className="p-page-head f-page-head">
      {back && <Link className="p-icon-btn f-back" to={back} aria-label="Back"><ArrowLeft aria-hidden="true" /></Link>}
      <div className="f-page-titles"><h1 className="p-page-title">{title}</h1>{description && <p className="p-muted">{description}</p>}</div>
      {children && <div className="p-page-actions">{children}</div>}
    </div>
  );
}

/** Cards with bars where labels and inputs will be; `side`: with a column beside them. */
export function FormSkeleton({ side = false }: { side?: boolean }) {
  const bars = (count: number) => <div className="p-card-body f-card-body f-grid">{Array.from({ length: count }, (_, i) => <div className={i < 2 && !side ? 'f-field f-w-half' : 'f-field f-w-full'} key={i}><span className="p-skeleton f-sk-label" /><span className="p-skeleton f-sk-input" /></div>)}</div>;
  if (side) return <div className="f-root" role="status" aria-label="Loading"><div className="f-sections f-with-side"><div className="f-main"><div className="p-card">{bars(3)}</div><div className="p-card">{bars(4)}</div></div><div className="f-side"><div className="p-card">{bars(2)}</div></div></div></div>;
  return (
    <div className="f-root" role="status" aria-label="Loading">
      <div className="f-sections">
        {[3, 4].map(count => (
          <div className="f-section" key={count}>
            <div className="f-about"><span className="p-skeleton f-sk-title" /></div>
            <div className="p-card f-card">{bars(count)}</div>
          </div>
        ))}
      </div>
    </div>
  );
}

export function FormFailed({ error, what, onRetry }: { error: unknown; what: string; onRetry: () => void }) {
  return <div className="p-card"><ErrorState error={error} what={what} onRetry={onRetry} /></div>;
}
