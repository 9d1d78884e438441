// What the form pages share: head with the way back, shapes while loading, a page that says what went wrong.
import type { ReactNode } from 'react';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { CallError } from '../transport.ts';
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

/** Cards with bars where labels and inputs will be. */
export function FormSkeleton() {
  return (
    <div className="f-root" role="status" aria-label="Loading">
      <div className="f-sections">
        {[3, 4].map(count => (
          <div className="f-section" key={count}>
            <div className="f-about"><span className="p-skeleton f-sk-title" /></div>
            <div className="p-card f-card"><div className="p-card-body f-card-body f-grid">{Array.from({ length: count }, (_, i) => <div className={i < 2 ? 'f-field f-w-half' : 'f-field f-w-full'} key={i}><span className="p-skeleton f-sk-label" /><span className="p-skeleton f-sk-input" /></div>)}</div></div>
          </div>
        ))}
      </div>
    </div>
  );
}

export function FormFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="p-card p-empty" role="alert">
      <h2>This could not be loaded</h2>
      <p>{error instanceof Error ? error.message : String(error)}{error instanceof CallError && error.requestId ? ` (request ${error.requestId})` : ''}</p>
      <button type="button" className="p-btn" onClick={onRetry}>Try again</button>
    </div>
  );
}
