// The third step: what the action needs to know, as the form of its own schema, and what it would do to five of the subscriptions.
import { CircleAlert } from 'lucide-react';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactElement, type RefObject, useEffect, useState } from 'react';
import type { JsonObject } from '../../contract/types.ts';
import { useAsk } from '../calls.ts';
import { SchemaForm } from '../form/schema-form.tsx';
import { useFormServices } from '../form/use-services.ts';
import { storeNow, useSession } from '../session.tsx';
import type { CatalogueAction } from './catalogue.ts';
import type { Input } from './input.ts';
import { text } from './states.ts';
import { BULK } from './wire.ts';

const REST_MS = 400;

/** The form of an action's input, on a page or in a dialog. */
export function InputForm({ input, onSubmit }: { input: Input; onSubmit: () => void }): ReactElement | null {
  const session = useSession();
  const services = useFormServices();
  const { store } = input;
  return store ? <SchemaForm plain schema={store.schema} value={store.value} store={store} services={services} currency={session.store.currency_code} timezone={session.store.timezone} now={storeNow} onSubmit={onSubmit} /> : null;
}

export function FillIn({ action, input, selection, within, onSubmit }: { action: CatalogueAction; input: Input; selection: JsonObject | undefined; within: RefObject<HTMLDivElement | null>; onSubmit: () => void }): ReactElement {
  const isEmpty = Object.keys(input.store?.schema.properties ?? {}).length === 0;
  return (
    <div className="p-stack">
      <div ref={within}>
        {isEmpty ? <p className="p-card p-card-body p-muted">There is nothing to set up: {action.label.toLowerCase()} needs no more than the subscriptions.</p> : <div className="p-card p-card-body ba-form"><InputForm input={input} onSubmit={onSubmit} /></div>}
      </div>
      <Preview action={action} input={input} selection={selection} />
    </div>
  );
}

/** What the form holds once typing rests; undefined while it could not be sent. */
function useRested(input: Input): JsonObject | undefined {
  const now = JSON.stringify(input.isValid ? input.value : null);
  const [rested, setRested] = useState(now);
  useEffect(() => {
    if (now === rested) return;
    const timer = setTimeout(() => setRested(now), REST_MS);
    return () => clearTimeout(timer);
  }, [now, rested]);
  return (JSON.parse(rested) as JsonObject | null) ?? undefined;
}

function Preview({ action, input, selection }: { action: CatalogueAction; input: Input; selection: JsonObject | undefined }): ReactElement {
  const value = useRested(input);
  const { data, error, isFetching, refetch } = useAsk<JsonObject>(BULK.preview, selection && value ? { actionKey: action.key, selection, input: value } : undefined, { placeholderData: keepPreviousData, retry: false });
  const rows = rowsOf(data);
  // What only the server can tell (a date that has passed meanwhile, a name that is there twice) stands at its field as everything else does.
  useEffect(() => {
    const wrong = error?.errors.flatMap(one => (one.pointer.startsWith('/input/') ? [{ ...one, pointer: one.pointer.slice('/input'.length) }] : [])) ?? [];
    if (wrong.length) input.store?.refuse(wrong);
  }, [error, input.store]);
  return (
    <section className="p-card ba-preview" aria-labelledby="ba-preview" data-busy={isFetching || undefined}>
      <div className="p-card-head"><h3 id="ba-preview">What it would do</h3><span className="p-hint">{rows?.length ? `${rows.length === 1 ? 'The first subscription' : `The first ${rows.length} subscriptions`}, before and after` : ''}</span></div>
      {!value ? <p className="p-card-body p-muted">Fill in the form, and you see here what it would do to the first five subscriptions.</p>
        : error ? <div className="p-card-body p-row p-wrap"><p className="p-error"><CircleAlert size={14} aria-hidden="true" />{error.errors[0]?.message ?? error.message}</p><button type="button" className="p-link" onClick={() => void refetch()}>Try again</button></div>
          : !rows ? <Bones /> : (
            <div className="p-table-wrap">
              <table className="p-table p-table-s" aria-label="Before and after">
                <thead><tr><th scope="col">Subscription</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
                <tbody>{rows.map(row => (
                  <tr key={text(row.subscriptionId)}>
                    <td><a className="p-link" href={`/subscriptions/${text(row.subscriptionId)}`} target="_blank" rel="noopener">#{text(row.subscriptionId)}</a><span className="p-hint ba-who">{text(row.customerName)}</span></td>
                    {row.result === 'SKIPPED' ? <td colSpan={2}><span className="p-row ba-skip"><span className="p-badge" data-tone="attention">Skipped</span><span>{text(row.reason)}</span></span></td> : (
                      <>
                        <td className="p-muted"><Side row={row} side="before" /></td>
                        <td><Side row={row} side="after" /></td>
                      </>
                    )}
                  </tr>
                ))}</tbody>
              </table>
            </div>
          )}
    </section>
  );
}

const rowsOf = (data: unknown): JsonObject[] | undefined => { const rows = Array.isArray(data) ? data : (data as JsonObject | undefined)?.rows; return Array.isArray(rows) ? rows as JsonObject[] : undefined; };

/** One side of what changes, a line for each thing. */
function Side({ row, side }: { row: JsonObject; side: 'before' | 'after' }): ReactElement {
  const changes = (Array.isArray(row.changes) ? row.changes : []) as JsonObject[];
  if (changes.length === 0) return <>Nothing of the subscription itself changes.</>;
  return <span className="ba-lines">{changes.map(change => <span key={text(change.title)}><span className="ba-of">{text(change.title)}</span><span className={side === 'after' ? 'p-strong' : undefined}>{text(change[side])}</span></span>)}</span>;
}

const Bones = (): ReactElement => <div className="p-card-body p-stack-s" role="status" aria-label="Loading">{[64, 52, 70].map(width => <span key={width} className="p-skeleton" style={{ width: `${width}%` }} />)}</div>;
