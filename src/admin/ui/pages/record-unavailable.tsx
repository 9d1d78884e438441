// In place of a record that could not be read: it does not exist, or reading it failed.
import { SearchX } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { routeTo } from '../../../contract/find.ts';
import type { Resource } from '../../../contract/types.ts';
import { definitions } from '../../platform/definitions.ts';
import { ErrorState } from './error-page.tsx';
import { usePageTitle } from '../../platform/routing/page-title.tsx';
import { CallError } from '../../platform/transport/transport.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../tx.ts';

/**
 * Whether a read failed because there is no such record: not found, or what the address gives as its key can't be one
 * ("/subscriptions/undefined").
 */
export const isMissing = (error: unknown): boolean =>
  error instanceof CallError && (error.status === 404 || (error.status === 422 && error.errors.length > 0));

export function NotThere({
  error,
  names,
  resource,
  onRetry,
}: {
  error: unknown;
  names: { one: string; many: string };
  resource: Resource;
  onRetry: () => void;
}): ReactElement {
  const missing = isMissing(error);
  usePageTitle(missing ? t`Not found` : undefined, 'record');
  if (!missing)
    return (
      <div className="p-card">
        <ErrorState isPage error={error} what={t`This ${names.one}`} onRetry={onRetry} />
      </div>
    );
  const list = resource.route
    .split('/')
    .filter(part => !part.startsWith('['))
    .join('/');
  return (
    <div className="p-card p-empty" role="alert">
      <SearchX aria-hidden="true" />
      <h1 className="p-empty-title">{tx`There is no such ${names.one}`}</h1>
      <p>{t`It may have been deleted, it may belong to another store, or the number in the address is wrong.`}</p>
      {definitions.resources[list] && (
        <Link className="p-btn" to={routeTo(list)}>
          {tx`Show all ${names.many}`}
        </Link>
      )}
    </div>
  );
}
