// An array as compact rows under one line of titles, for items of a few plain members or of one value.
import { memo, useRef } from 'react';
import type { CSSProperties } from 'react';
import { Copy, Plus, Trash2 } from 'lucide-react';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { FieldError } from '../../src/admin/form/fields/frame.tsx';
import { useChannel } from '../../src/admin/form/engine/hooks.ts';
import { useItems } from '../../src/admin/form/engine/items.ts';
import type { Items } from '../../src/admin/form/engine/items.ts';
import { visibleMembers } from '../../src/admin/form/fields/object-field.tsx';
import { wordsFor } from '../../src/admin/form/fields/show-value.tsx';
import { Handle, Sortable } from '../../src/admin/form/fields/sorting/sortable.tsx';
import type { Draggable } from '../../src/admin/form/fields/sorting/sorting.tsx';
import type { Frame, FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { planOf, titleOf } from '../../src/admin/form/fields/widgets.ts';
import { isObject } from '../../src/admin/form/engine/path.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'bare';

const WIDTHS: Record<string, string> = {
  toggle: 'minmax(64px, 0.5fr)',
  number: 'minmax(76px, 0.8fr)',
  percentage: 'minmax(84px, 0.8fr)',
  money: 'minmax(96px, 0.9fr)',
  hour: 'minmax(108px, 1fr)',
  date: 'minmax(132px, 1fr)',
  'date-time': 'minmax(180px, 1.2fr)',
  interval: 'minmax(170px, 1.4fr)',
  frequency: 'minmax(170px, 1.4fr)',
};

/** The members that become columns: everything drawn, and not drawn by a neighbour. */
function columnsOf(item: Schema): string[] {
  const members = Object.keys(item.properties ?? {});
  const elsewhere = new Set(members.flatMap(name => planOf(item.properties![name]!).also.filter(other => other !== name)));
  return members.filter(name => !elsewhere.has(name) && item.properties![name]!['x-ui']?.widget !== 'unseen');
}

/** What one widget draws as a whole, such as an interval, is one column without a title. */
const isWhole = (item: Schema): boolean => !item.properties || planOf(item).name !== 'object';

export default function Rows(props: WidgetProps<JsonValue[]>) {
  const { id, label, labelId, schema, options, error, required, form } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useItems(props, box);
  const item = planOf(list.itemSchema).schema;
  const columns = isWhole(item) ? [] : columnsOf(item);
  const widths = columns.length
    ? columns.map(name => WIDTHS[planOf(item.properties![name]!).name] ?? 'minmax(96px, 1fr)').join(' ')
    : 'minmax(120px, 280px) 1fr';
  const canMove = options.fixed !== true;
  const isLocked = options.locked === true;
  return (
    <div className="f-array" role="group" aria-labelledby={labelId} ref={box}>
      <div className="f-array-head">
        <span className={props.hideLabel ? 'p-sr' : 'p-label'} id={labelId}>
          {label}
          {required && (
            <span className="f-required" aria-hidden="true">
              {' '}
              *
            </span>
          )}
        </span>
        {planOf(schema).help && <p className="p-help">{planOf(schema).help}</p>}
      </div>
      {list.items.length > 0 && (
        <div
          className="f-rows"
          style={{ '--f-columns': `${canMove ? '24px ' : ''}${widths}${columns.length && !isLocked ? ' auto' : ''}` } as CSSProperties}
          data-one={columns.length === 0 || undefined}
        >
          {columns.length > 0 && (
            <div className="f-row f-rows-head" aria-hidden="true">
              {canMove && <span />}
              {columns.map(name => (
                <span key={name}>{titleOf(name, item.properties![name]!)}</span>
              ))}
              {!isLocked && <span className="f-row-tools" />}
            </div>
          )}
          <Sortable
            keys={list.keys}
            store={form.store}
            box={box}
            onMove={list.move}
            renderItem={(index, sort) => (
              <Row
                key={list.keys[index]}
                rowKey={list.keys[index]!}
                index={index}
                count={list.items.length}
                columns={columns}
                item={item}
                list={list}
                sort={sort}
                canMove={canMove}
                field={props}
              />
            )}
          />
        </div>
      )}
      {!list.items.length && <p className="f-array-empty">{textOption(options, 'empty') ?? t`Nothing here yet.`}</p>}
      {error && <FieldError id={id} error={error} />}
      {!isLocked && (
        <div className="f-array-foot">
          <button
            type="button"
            id={id}
            className="p-btn p-btn-s f-add"
            aria-disabled={list.full !== false || undefined}
            title={list.full || undefined}
            onClick={list.add}
          >
            <Plus aria-hidden="true" />
            {textOption(options, 'add') ?? t`Add a row`}
          </button>
          {list.full && <span className="p-hint">{list.full}</span>}
        </div>
      )}
      <span className="p-sr" role="status">
        {list.announcement}
      </span>
    </div>
  );
}

interface RowProps {
  rowKey: string;
  index: number;
  count: number;
  columns: string[];
  item: Schema;
  list: Items;
  sort: Draggable | undefined;
  canMove: boolean;
  field: WidgetProps<JsonValue[]>;
}

const Row = memo(
  function Row({ rowKey, index, count, columns, item, list, sort, canMove, field }: RowProps) {
    const { pointer, form, nested } = field;
    const isPlain = columns.length === 0;
    // Which members a row shows may differ from row to row.
    useChannel(form.store, `${pointer}/${index}#`);
    const shown = isPlain ? [] : visibleMembers(form, item, `${pointer}/${index}`, columns);
    const name = t`row ${index + 1}`;
    return (
      <div
        className="f-row"
        role="group"
        aria-label={`${field.label}, ${name}`}
        data-key={rowKey}
        ref={sort?.ref}
        style={sort?.style}
        data-dragging={sort?.isDragging || undefined}
        onKeyDown={event => list.onKeyDown(event, index)}
      >
        {canMove && <Handle name={name} index={index} count={count} sort={sort} />}
        {isPlain
          ? nested(index, list.itemSchema, { compact: true, key: 'value', label: `${field.label} ${index + 1}` })
          : columns.map(column =>
              shown.includes(column) ? (
                nested([index, column], item.properties![column]!, {
                  compact: true,
                  key: column,
                  required: item.required?.includes(column) ?? false,
                })
              ) : (
                <span key={column} />
              ),
            )}
        {field.options.locked !== true && (
          <span className="f-row-tools">
            <button
              type="button"
              className="p-icon-btn p-icon-btn-s"
              aria-label={t`Duplicate ${name}`}
              aria-disabled={list.full !== false || undefined}
              title={list.full || t`Duplicate`}
              onClick={() => list.duplicate(index)}
            >
              <Copy aria-hidden="true" />
            </button>
            <button
              type="button"
              className="p-icon-btn p-icon-btn-s f-remove"
              aria-label={t`Remove ${name}`}
              aria-disabled={list.least !== false || undefined}
              title={list.least || t`Remove`}
              onClick={() => list.remove(index)}
            >
              <Trash2 aria-hidden="true" />
            </button>
          </span>
        )}
      </div>
    );
    // Everything else a row shows it listens to itself.
  },
  (a, b) =>
    a.rowKey === b.rowKey &&
    a.index === b.index &&
    a.count === b.count &&
    a.sort === b.sort &&
    a.list.full === b.list.full &&
    a.list.least === b.list.least &&
    a.item === b.item,
);

export function Show({ value, schema, form }: { value: JsonValue; schema: Schema; options: JsonObject; form: FormHandle }) {
  const item = planOf(schema.items ?? {}).schema;
  const rows = Array.isArray(value) ? value : [];
  if (!rows.length) return <>–</>;
  if (isWhole(item)) return <>{rows.map(row => wordsFor(row, item, form.currency) ?? '–').join(', ')}</>;
  const columns = columnsOf(item);
  return (
    <div className="p-table-wrap">
      <table className="p-table p-table-s">
        <thead>
          <tr>
            {columns.map(name => (
              <th key={name} scope="col">
                {titleOf(name, item.properties![name]!)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(name => (
                <td key={name}>{(isObject(row) && wordsFor(row[name], item.properties![name]!, form.currency)) || '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
