// What stands around a row's cells: the grip of a list that can be put in order, and the menu of its actions.
import { useQueryClient } from '@tanstack/react-query';
import type { RaRecord } from 'react-admin';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import { callFor } from '../../../contract/find.ts';
import type { JsonValue } from '../../../contract/types.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { chunk, useChunk } from '../../platform/chunk.ts';
import { definitions } from '../../platform/definitions.ts';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { useSession } from '../../platform/session/session.tsx';
import { RowMenu } from '../actions/list-actions.tsx';
import type { TableProps } from './table.tsx';
import type { ListOf } from '../use-list.ts';
import { t } from '../../../domain/text/t.ts';

const order = chunk(() => import('./order-rows.tsx'));

export interface RowParts extends Pick<TableProps, 'lead' | 'tail' | 'wrapRow'> {
  area: (table: ReactElement) => ReactElement;
}

export function useRowParts(list: ListOf, nameOf: (row: RaRecord) => string): RowParts {
  const client = useQueryClient();
  const session = useSession();
  const { resource, entity } = list;
  const orderCall = resource.list?.order ? callFor(definitions, resource, 'order') : undefined;
  // Rows can be reordered only where all of them are shown, in the list's own order, and by people who may make the call.
  const canOrder =
    orderCall !== undefined &&
    allowsCall(orderCall, session).ok &&
    !list.isNarrowed &&
    (list.rows?.length ?? 0) > 1 &&
    (list.total ?? 0) <= (list.rows?.length ?? 0) &&
    (list.state.sort === undefined || (list.state.sort.field === list.head.sort?.field && list.state.sort.order === list.head.sort.order));
  const dnd = useChunk(canOrder ? order : undefined);
  const hasMenu = (resource.list?.rowActions ?? []).length > 0;
  const tail = useMemo(
    () => (hasMenu ? (row: RaRecord) => <RowMenu row={row} resource={resource} entity={entity} name={nameOf(row)} /> : undefined),
    [hasMenu, resource, entity, nameOf],
  );
  const lead = useMemo(() => dnd && ((row: RaRecord) => <dnd.Grip name={nameOf(row)} />), [dnd, nameOf]);
  const wrapRow = useMemo(
    () =>
      dnd &&
      ((row: RaRecord, props: Parameters<NonNullable<TableProps['wrapRow']>>[1], children: ReactNode) => (
        <dnd.OrderRow row={row} props={props}>
          {children}
        </dnd.OrderRow>
      )),
    [dnd],
  );
  const area = (table: ReactElement): ReactElement => {
    if (!dnd || !orderCall || !list.rows) return table;
    const save = (ids: RaRecord['id'][]): void => {
      // The new order is shown at once; a refusal brings the old one back.
      client.setQueryData<{ data: RaRecord[] }>(
        [list.call.of, 'getList', { call: list.call.name, input: list.input }],
        before => before && { ...before, data: ids.flatMap(id => before.data.find(row => row.id === id) ?? []) },
      );
      runCall(orderCall.name, { ids: ids as JsonValue }).then(
        () => notify(t`Order saved.`),
        (error: unknown) => {
          notifyError(error, t`The order was not saved.`);
          list.refetch();
        },
      );
    };
    return (
      <dnd.OrderArea ids={list.rows.map(row => row.id)} onOrder={save}>
        {table}
      </dnd.OrderArea>
    );
  };
  return { area, ...(tail ? { tail } : {}), ...(lead ? { lead } : {}), ...(wrapRow ? { wrapRow } : {}) };
}
