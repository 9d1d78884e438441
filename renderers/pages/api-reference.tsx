// The API as programmers read it: its rules, its calls by group, each with examples and a form to try it. Made of the same document that
// programs get at /api/openapi.json.
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import { allowsCall } from '../../src/contract/access.ts';
import type { JsonObject, Resource } from '../../src/contract/types.ts';
import { readDocument, type ApiDocument } from '../../src/admin/features/api-reference/document.ts';
import { OperationItem } from '../../src/admin/features/api-reference/operation.tsx';
import { Paragraphs } from '../../src/admin/features/api-reference/said.tsx';
import { usePageTitle } from '../../src/admin/platform/routing/page-title.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { callOf } from '../../src/admin/platform/transport/calls.ts';
import { send } from '../../src/admin/platform/transport/transport.ts';
import { ErrorState } from '../../src/admin/ui/pages/error-page.tsx';
import '../../src/admin/features/api-reference/api-reference.css';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

const DOCUMENT = '/api/openapi.json';
const START = t`Getting started`;

export default function ApiReference({ resource }: { resource: Resource }) {
  usePageTitle(resource.title);
  const { data, error, refetch } = useQuery({
    queryKey: ['api-document'],
    queryFn: async ({ signal }) => readDocument((await send({ method: 'GET', url: DOCUMENT }, { signal })).body as JsonObject),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{resource.title}</h1>
        <div className="p-page-actions">
          <a className="p-btn" href={DOCUMENT} target="_blank" rel="noreferrer">
            {t`OpenAPI document`}
          </a>
          <Link className="p-btn" to="/settings/api-tokens">
            {t`API tokens`}
          </Link>
        </div>
      </div>
      {error ? (
        <ErrorState error={error} what={t`The reference`} onRetry={() => void refetch()} />
      ) : data ? (
        <Reference document={data} />
      ) : (
        <div className="p-skeleton a-loading" role="status" aria-label={t`Loading`} />
      )}
    </div>
  );
}

function Reference({ document }: { document: ApiDocument }) {
  const session = useSession();
  const [params, setParams] = useSearchParams();
  const [text, setText] = useState('');
  const mayUseTokens = allowsCall(callOf('api-keys.reveal'), session).ok;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = document.groups
    .map(group => ({
      ...group,
      operations: group.operations.filter(one => {
        const all = `${group.title} ${one.title} ${one.path} ${one.id}`.toLowerCase();
        return words.every(word => all.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
  const wanted = params.get('group') ?? START;
  const shown = words.length ? groups : groups.filter(({ name }) => name === wanted);
  const open = (name: string): void => {
    setText('');
    setParams(name === START ? {} : { group: name }, { replace: true });
  };
  return (
    <div className="a-reference">
      <nav className="a-groups" aria-label={t`Groups of calls`}>
        <input
          className="p-input"
          type="search"
          aria-label={t`Search calls`}
          placeholder={t`Search calls`}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <ul>
          {[{ name: START, title: START }, ...document.groups].map(({ name, title }) => (
            <li key={name}>
              <button type="button" aria-current={!words.length && name === wanted ? 'page' : undefined} onClick={() => open(name)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div>
        {!words.length && wanted === START && (
          <section className="p-card p-card-body a-about" aria-label={START}>
            <Paragraphs text={document.about} />
          </section>
        )}
        {shown.map(group => (
          <section key={group.name} aria-label={group.title}>
            <h2>{group.title}</h2>
            {group.about && !words.length && (
              <div className="p-card p-card-body a-about">
                <Paragraphs text={group.about} />
              </div>
            )}
            {group.operations.map(one => (
              <OperationItem key={one.id} operation={one} mayUseTokens={mayUseTokens} isOpen={params.get('call') === one.id} />
            ))}
          </section>
        ))}
        {words.length > 0 && groups.length === 0 && (
          <div className="p-card p-empty">
            <h2>{tx`No call matches “${text}”`}</h2>
            <p>{t`Try another word, such as “pause” or “orders”.`}</p>
          </div>
        )}
      </div>
    </div>
  );
}
