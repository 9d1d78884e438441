// An array as cards that open: for items with more than a row can hold.
import { memo, useRef } from 'react';
import { ChevronDown, Ellipsis, Plus } from 'lucide-react';
import { MenuButton } from '../../src/admin/ui/overlays/menu.tsx';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { FieldError } from '../../src/admin/form/fields/frame.tsx';
import { useChannel, useOpen } from '../../src/admin/form/engine/hooks.ts';
import { itemTitle, useItems } from '../../src/admin/form/engine/items.ts';
import type { Items } from '../../src/admin/form/engine/items.ts';
import { withArticle } from '../../src/admin/form/fields/services.ts';
import { choiceOf, useRecords } from '../../src/admin/form/fields/records.ts';
import { ShowValue, wordsFor } from '../../src/admin/form/fields/show-value.tsx';
import { Handle, Sortable } from '../../src/admin/form/fields/sorting/sortable.tsx';
import type { Draggable } from '../../src/admin/form/fields/sorting/sorting.tsx';
import type { Frame, FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { planOf, titleOf } from '../../src/admin/form/fields/widgets.ts';
import { isObject, pointerOf } from '../../src/admin/form/engine/path.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { inSentence, t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'bare';

export default function Cards(props: WidgetProps<JsonValue[]>) {
  const { id, label, labelId, schema, options, error, required, form } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useItems(props, box);
  const one = schema.items?.['x-record']?.name.one ?? inSentence(schema.items?.title ?? t`entry`);
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
          {list.items.length > 0 && <span className="p-count f-array-count">{list.items.length}</span>}
        </span>
        {planOf(schema).help && <p className="p-help">{planOf(schema).help}</p>}
      </div>
      {list.items.length > 0 && (
        <div className="f-cards">
          <Sortable
            keys={list.keys}
            store={form.store}
            box={box}
            onMove={list.move}
            renderItem={(index, sort) => (
              <Card
                key={list.keys[index]}
                cardKey={list.keys[index]!}
                index={index}
                count={list.items.length}
                list={list}
                sort={sort}
                field={props}
                one={one}
              />
            )}
          />
        </div>
      )}
      {!list.items.length && (
        <p className="f-array-empty">{textOption(options, 'empty') ?? t`No ${schema.items?.['x-record']?.name.many ?? t`entries`} yet.`}</p>
      )}
      {error && <FieldError id={id} error={error} />}
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
          {textOption(options, 'add') ?? t`Add ${withArticle(one)}`}
        </button>
        {list.full && <span className="p-hint">{list.full}</span>}
      </div>
      <span className="p-sr" role="status">
        {list.announcement}
      </span>
    </div>
  );
}

interface CardProps {
  cardKey: string;
  index: number;
  count: number;
  list: Items;
  sort: Draggable | undefined;
  field: WidgetProps<JsonValue[]>;
  one: string;
}

const Card = memo(
  function Card({ cardKey, index, count, list, sort, field, one }: CardProps) {
    const { form, pointer, path, nested, options, id } = field;
    const at = `${pointer}/${index}`;
    // Opened by hand, by adding, or because an error inside it has to be shown.
    const [isOpenByKey, setOpen] = useOpen(form.store, `${pointer}:${cardKey}`, count === 1 || options.open === true);
    const [isRevealed, setRevealed] = useOpen(form.store, at, false);
    const isOpen = isOpenByKey || isRevealed;
    useChannel(form.store, `${at}/**`);
    const item = form.store.get([...path, index]);
    const schema = planOf(list.itemSchema).schema;
    const fallback = `${one.charAt(0).toUpperCase()}${one.slice(1)} ${index + 1}`;
    const named = useNamed(item, schema, options, form);
    const title = (named === undefined ? itemTitle(item, schema, options, form.currency) : named) || fallback;
    const subtitle = itemTitle(item, schema, options, form.currency, 'subtitle');
    const errors = form.store.errorsInside(at);
    const bodyId = `${id}-${cardKey}`;
    const toggle = () => {
      form.store.flush();
      if (isOpen) {
        setOpen(false);
        setRevealed(false);
      } else setOpen(true);
    };
    return (
      <div
        className="f-card-item"
        role="group"
        aria-label={title}
        data-key={cardKey}
        data-at={at}
        ref={sort?.ref}
        style={sort?.style}
        data-dragging={sort?.isDragging || undefined}
        onKeyDown={event => list.onKeyDown(event, index)}
      >
        <div className="f-card-item-head">
          <Handle name={title} index={index} count={count} sort={sort} />
          <button
            type="button"
            className="f-card-item-toggle"
            aria-expanded={isOpen}
            aria-controls={isOpen ? bodyId : undefined}
            onClick={toggle}
          >
            <ChevronDown size={16} aria-hidden="true" />
            <span className="p-cut p-strong">{title}</span>
            {subtitle && subtitle !== title && <span className="p-cut p-muted f-card-item-sub">{subtitle}</span>}
          </button>
          {errors > 0 && !isOpen && (
            <span className="p-badge" data-tone="critical">
              {errors === 1 ? t`1 error` : t`${errors} errors`}
            </span>
          )}
          <MenuButton
            label={t`More for ${title}`}
            className="p-icon-btn p-icon-btn-s f-card-more"
            align="end"
            items={[
              { title: t`Duplicate`, icon: 'copy', onSelect: () => list.duplicate(index), ...(list.full ? { disabled: list.full } : {}) },
              {
                title: t`Move up`,
                icon: 'arrow-up',
                hint: t`Alt ↑`,
                onSelect: () => list.move(index, index - 1),
                ...(index === 0 ? { disabled: t`This is the first.` } : {}),
              },
              {
                title: t`Move down`,
                icon: 'arrow-down',
                hint: t`Alt ↓`,
                onSelect: () => list.move(index, index + 1),
                ...(index === count - 1 ? { disabled: t`This is the last.` } : {}),
              },
              { kind: 'separator' },
              {
                title: t`Remove`,
                icon: 'trash',
                tone: 'critical',
                onSelect: () => list.remove(index),
                ...(list.least ? { disabled: list.least } : {}),
              },
            ]}
          >
            <Ellipsis aria-hidden="true" />
          </MenuButton>
        </div>
        {isOpen && (
          <div className="f-card-item-body" id={bodyId}>
            {nested(index, list.itemSchema, { hideLabel: true, key: 'item', label: title })}
          </div>
        )}
      </div>
    );
  },
  (a, b) =>
    a.cardKey === b.cardKey &&
    a.index === b.index &&
    a.count === b.count &&
    a.sort === b.sort &&
    a.list.full === b.list.full &&
    a.list.least === b.list.least,
);

/**
 * The names of the records that the title's fields point to ("{oldVariantId} → {newVariantId}"), all of one entity; empty while one
 * is not known, undefined where the title has other fields.
 */
function useNamed(item: JsonValue | undefined, schema: Schema, options: JsonObject, form: FormHandle): string | undefined {
  const title = textOption(options, 'title') ?? '';
  const names = [...title.matchAll(/\{(\w+)\}/g)].map(match => match[1] as string);
  const kinds = new Set(names.map(name => schema.properties?.[name]?.['x-ui']?.of));
  const [of] = kinds.size === 1 ? kinds : [];
  const ids = of !== undefined && isObject(item) ? names.map(name => item[name] ?? null) : [];
  const records = useRecords(
    form.services,
    of ?? '',
    ids.filter(id => id !== null),
  );
  if (of === undefined) return undefined;
  if (ids.length === 0 || ids.includes(null) || records.some(record => !record)) return '';
  const looks = form.services.looks(of);
  return names.reduce((text, name, i) => text.replace(`{${name}}`, choiceOf(records[i] as JsonObject, looks).title), title);
}

export function Show({
  value,
  schema,
  options,
  form,
  path,
}: {
  value: JsonValue;
  schema: Schema;
  options: JsonObject;
  form: FormHandle;
  path: WidgetProps['path'];
}) {
  const item = planOf(schema.items ?? {}).schema;
  const cards = Array.isArray(value) ? value : [];
  if (!cards.length) return <>–</>;
  return (
    <div className="f-cards">
      {cards.map((card, index) => (
        <ShownCard key={index} card={card} index={index} item={item} options={options} form={form} path={path} />
      ))}
    </div>
  );
}

interface ShownCardProps {
  card: JsonValue;
  index: number;
  item: Schema;
  options: JsonObject;
  form: FormHandle;
  path: WidgetProps['path'];
}

function ShownCard({ card, index, item, options, form, path }: ShownCardProps) {
  const named = useNamed(card, item, options, form);
  const title = named ?? itemTitle(card, item, options, form.currency);
  // Where records give a card its name, it is said whole, and their own lines would say it again.
  const inTitle = new Set(named ? [...(textOption(options, 'title') ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name) : []);
  return (
    <div className="f-card-item f-card-item-shown">
      <p className="p-strong">{title || `${index + 1}`}</p>
      {isObject(card) && item.properties && (
        <dl className="f-shown-facts">
          {Object.entries(item.properties)
            .filter(
              ([name, member]) =>
                !inTitle.has(name) &&
                says(card[name], member, form.currency, title) &&
                !form.store.isHidden(pointerOf([...path, index, name])),
            )
            .map(([name, member]) => (
              <div key={name}>
                <dt>{titleOf(name, member)}</dt>
                <dd>
                  <ShowValue value={card[name]} plan={planOf(member)} form={form} path={[...path, index, name]} />
                </dd>
              </div>
            ))}
        </dl>
      )}
    </div>
  );
}

/** Whether a member of a card has something to say that its title doesn't say already. */
function says(value: JsonValue | undefined, member: Schema, currency: string, title: string): boolean {
  if (member['x-ui']?.widget === 'unseen') return false;
  const words = wordsFor(value, member, currency);
  return words !== undefined && words !== title;
}
