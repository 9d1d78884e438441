// The first few subscriptions that a filter finds, as their list shows them: enough to see that it finds the right ones.
import { keepPreviousData } from '@tanstack/react-query';
import { createElement, type ReactElement, useMemo } from 'react';
import { at } from '../../../../contract/paths.ts';
import type { JsonObject, Resource, Schema } from '../../../../contract/types.ts';
import { useAsk } from '../../../platform/transport/calls.ts';
import { count } from '../../../platform/format.ts';
import { columnsOf } from '../../../list/table/columns.ts';
import type { Narrowed } from '../selection/list-filters.ts';
import { SUBSCRIPTIONS } from '../bulk-calls.ts';
import { t } from '../../../../domain/text/t.ts';
import { tx } from '../../../ui/tx.ts';

const ROWS = 5;
const FIELDS = ['id', 'customerName', 'status', 'products', 'nextBillingDateEpoch', 'total'];

export function Sample({
  resource,
  entity,
  narrowed,
  total,
}: {
  resource: Resource;
  entity: Schema | undefined;
  narrowed: Narrowed;
  total: number | undefined;
}): ReactElement | null {
  const { data, isPlaceholderData } = useAsk<JsonObject[]>(
    SUBSCRIPTIONS.list,
    {
      pageSize: ROWS,
      ...(resource.list?.sort ? { sort: resource.list.sort.field, order: resource.list.sort.order } : {}),
      ...narrowed,
    } as JsonObject,
    { placeholderData: keepPreviousData },
  );
  const columns = useMemo(
    () => (resource.list ? columnsOf(resource.list, entity).all.filter(column => FIELDS.includes(column.field)) : []),
    [resource, entity],
  );
  const rows = Array.isArray(data) ? data : undefined;
  if (rows?.length === 0) return null;
  return (
    <div className="ba-sample" aria-busy={isPlaceholderData || undefined}>
      <div className="p-table-wrap">
        <table className="p-table p-table-s" aria-label={t`The first subscriptions that match`}>
          <thead>
            <tr>
              {columns.map(column => (
                <th key={column.field} scope="col" className={column.end ? 'p-num' : undefined}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              ? rows.map(row => (
                  <tr key={String(row.id)}>
                    {columns.map(column => (
                      <td key={column.field} className={column.end ? 'p-num' : undefined} data-cell={column.cellName}>
                        {createElement(column.cell, {
                          value: at(row, column.field),
                          record: row,
                          schema: column.schema,
                          options: column.options,
                        })}
                      </td>
                    ))}
                  </tr>
                ))
              : Array.from({ length: ROWS }, (_, i) => (
                  <tr key={i} aria-hidden="true">
                    {columns.map(column => (
                      <td key={column.field}>
                        <span className="p-skeleton ba-sk" />
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      {rows && total !== undefined && total > rows.length && (
        <p className="p-hint ba-note">{tx`The first ${rows.length} of ${count(total)}.`}</p>
      )}
    </div>
  );
}
