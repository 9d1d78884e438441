// A number that leads to the rows behind it: where the person may look at subscriptions, it is a button that lists them.
import { createContext, type ReactElement, type ReactNode, useContext, useState } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import { chunk, useChunk } from '../../platform/chunk.ts';
import { definitions } from '../../platform/definitions.ts';
import { useSession } from '../../platform/session/session.tsx';
import type { Component, Point, Series } from './data.ts';

const dialogChunk = chunk(() => import('./rows-dialog.tsx'));

/** What names a figure of a component beside its path: see `analytics.rows`. */
export type Place = { metric: string } & Partial<Record<'part' | 'split' | 'cohort' | 'from' | 'to', string>> & { column?: number };

interface Scope {
  component: Component;
  /** The call that lists the rows. */
  call: string;
  /** The component's path, days and filters. */
  input: JsonObject;
}
const RowsScope = createContext<Scope | undefined>(undefined);

/** Around a component whose figures lead to their rows; the period that it is compared with has rows of its own. */
export function RowsBehind({
  component,
  call,
  input,
  hasRows = component.metrics.length > 0,
  children,
}: Omit<Scope, 'call'> & { call: string | undefined; hasRows: boolean | undefined; children: ReactNode }): ReactElement {
  const session = useSession();
  const line = call === undefined ? undefined : definitions.calls[call];
  const may = hasRows && line !== undefined && allowsCall(line, session).ok;
  const { comparisonStartDate: _from, comparisonEndDate: _to, ...own } = input;
  return <RowsScope value={may && call !== undefined ? { component, call, input: own } : undefined}>{children}</RowsScope>;
}

/** A figure as it is written. `name` says which one it is, for the title of its rows and for people who do not see where it stands. */
export function Behind({ place, name, children }: { place: Place | undefined; name: string; children: ReactNode }): ReactElement {
  const scope = useContext(RowsScope);
  const [isOpen, setOpen] = useState(false);
  const dialog = useChunk(isOpen ? dialogChunk : undefined);
  if (!scope || !place) return <>{children}</>;
  return (
    <>
      <button
        type="button"
        className="an-behind"
        aria-haspopup="dialog"
        data-tip={t`Show the rows behind it`}
        onClick={() => setOpen(true)}
      >
        {children}
        <span className="p-sr">. {t`Rows behind ${name}`}</span>
      </button>
      {isOpen && dialog && (
        <dialog.RowsDialog call={scope.call} input={{ ...scope.input, ...place }} name={name} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** Which figure a point of a chart is; undefined for what is put together of several. */
export function placeOf({ metrics, by, split }: Component, series: Series | undefined, point: Point, isTime: boolean): Place | undefined {
  const [first] = metrics;
  if (point.x === 'other' || (split !== undefined && series?.key === 'other')) return undefined;
  if (by === undefined && !isTime) return { metric: point.x };
  const metric = split === undefined ? series?.key : first;
  if (metric === undefined) return undefined;
  return {
    metric,
    ...(split === undefined || !series ? {} : { split: series.key }),
    ...(isTime ? { from: point.x, to: point.to ?? point.x } : { part: point.x }),
  };
}
