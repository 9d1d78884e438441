// What both looks of an array (rows, cards) do with items: add, remove with Undo, duplicate, move, and say so to screen readers.
import { useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { template } from '../../../contract/find.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { textOption } from '../fields/affix.tsx';
import { isObject } from './path.ts';
import { COPIED, withProposals } from './proposals.ts';
import { wordsFor } from '../fields/show-value.tsx';
import type { WidgetProps } from '../fields/widget.ts';
import { planOf } from '../fields/widgets.ts';
import { inSentence, t } from '../../../domain/text/t.ts';

export interface Items {
  items: readonly JsonValue[];
  keys: readonly string[];
  itemSchema: Schema;
  /** Why nothing can be added or taken away, or false. */
  full: string | false;
  least: string | false;
  add(): void;
  remove(index: number): void;
  duplicate(index: number): void;
  move(from: number, to: number): void;
  /** Arrow keys on the handle, Alt and arrows anywhere in the item. */
  onKeyDown(event: KeyboardEvent, index: number): void;
  /** What happened last, for the live region. */
  announcement: string;
}

/** One item of an array in words: "{name}" of its options, else its record's label, else its first text. Empty when it says nothing yet. */
export function itemTitle(
  item: JsonValue | undefined,
  schema: Schema,
  options: JsonObject,
  currency: string,
  which: 'title' | 'subtitle' = 'title',
): string {
  if (!isObject(item)) return which === 'title' && item !== undefined && item !== null ? (wordsFor(item, schema, currency) ?? '') : '';
  const pattern = textOption(options, which) ?? (which === 'title' ? schema['x-record']?.label : undefined);
  const words = (name: string) => wordsFor(item[name], schema.properties?.[name] ?? {}, currency);
  if (pattern)
    return template(
      pattern,
      Object.fromEntries(Object.keys({ ...schema.properties, ...item }).map(name => [name, words(name) ?? ''])),
    ).trim();
  const plain = Object.entries(schema.properties ?? {})
    .filter(([, member]) => member['x-ui']?.widget !== 'unseen' && !member.properties && !member.items)
    .map(([name]) => words(name))
    .filter(Boolean);
  return which === 'title' ? (plain[0] ?? '') : plain.slice(1, 3).join(' · ');
}

/** A new item: the defaults of its schema, and what they propose. */
function freshItem(schema: Schema): JsonValue {
  const made = withDefaults<JsonValue | undefined>(schema);
  if (made !== undefined) return isObject(made) ? withProposals(schema, made) : made;
  if (schema.properties || schema.type === 'object') return {};
  return schema.type === 'array' ? [] : schema.type === 'boolean' ? false : schema.type === 'string' ? '' : null;
}

/** A copy without what only one item may have: its key and what is read-only. */
function copyOf(item: JsonValue, schema: Schema): JsonValue {
  const copy = structuredClone(item);
  if (!isObject(copy)) return copy;
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    if (member.readOnly || name === schema['x-record']?.key) delete copy[name];
  const label = /^\{(\w+)\}$/.exec(schema['x-record']?.label ?? '')?.[1];
  if (label && typeof copy[label] === 'string' && copy[label]) copy[label] = `${copy[label]}${COPIED}`;
  return copy;
}

/** `box` is the element around the items. */
export function useItems(props: WidgetProps<JsonValue[]>, box: RefObject<HTMLDivElement | null>): Items {
  const {
    form: { store, currency },
    path,
    pointer,
    schema,
    options,
  } = props;
  const [announcement, say] = useState('');
  const held = store.get(path);
  const items = Array.isArray(held) ? held : [];
  const keys = store.keysOf(pointer, items.length);
  const itemSchema = schema.items ?? {};
  const one = inSentence(schema.items?.['x-record']?.name.one ?? schema.items?.title ?? t`entry`);
  const [most, fewest] = [schema.maxItems ?? Infinity, schema.minItems ?? 0];
  const nameOf = (item: JsonValue | undefined, index: number) =>
    itemTitle(item, planOf(itemSchema).schema, options, currency) || `${one} ${index + 1}`;
  const focusIn = (key: string | undefined, selector: string) =>
    requestAnimationFrame(() => {
      const row = key === undefined ? box.current : box.current?.querySelector(`[data-key="${key}"]`);
      (row?.querySelector<HTMLElement>(selector) ?? box.current?.querySelector<HTMLElement>('.f-add'))?.focus();
    });
  const place = (index: number, item: JsonValue) => {
    store.insertItem(path, index, item);
    const key = store.keysOf(pointer, items.length + 1)[index];
    store.opened.setOpen(`${pointer}:${key}`, true);
    focusIn(key, 'input:not([type=hidden]), select, textarea, [contenteditable=true], .f-picked .p-btn');
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length || to === from) return;
    const key = keys[from];
    const again = box.current?.querySelector(`[data-key="${key}"]`)?.contains(document.activeElement) ? document.activeElement : null;
    store.moveItem(path, from, to);
    say(t`${nameOf(items[from], from)} moved to position ${to + 1} of ${items.length}.`);
    // Moving an element in the page takes the focus from it.
    requestAnimationFrame(() => {
      if (again instanceof HTMLElement && again.isConnected) again.focus();
      else focusIn(key, '.f-handle');
    });
  };
  return {
    items,
    keys,
    itemSchema,
    announcement,
    move,
    full: items.length >= most ? t`At most ${most}.` : false,
    least: items.length <= fewest ? (fewest === 1 ? t`At least one is needed.` : t`At least ${fewest} are needed.`) : false,
    add: () => {
      if (items.length < most) place(items.length, freshItem(itemSchema));
    },
    duplicate: index => {
      store.flush();
      const item = (store.get(path) as JsonValue[])[index];
      if (items.length < most && item !== undefined) place(index + 1, copyOf(item, planOf(itemSchema).schema));
    },
    remove: index => {
      if (items.length <= fewest) return;
      store.flush();
      const name = nameOf((store.get(path) as JsonValue[])[index], index);
      const gone = store.removeItem(path, index);
      const next = store.keysOf(pointer, items.length - 1)[Math.min(index, items.length - 2)];
      focusIn(next, '.f-remove, .f-card-more');
      say(t`${name} removed.`);
      notify(t`Removed ${name}.`, {
        tone: 'info',
        undo: () => {
          if (gone !== undefined) store.insertItem(path, Math.min(index, ((store.get(path) as JsonValue[]) ?? []).length), gone);
        },
      });
    },
    onKeyDown: (event, index) => {
      const target = event.target as HTMLElement;
      const onHandle = target.classList.contains('f-handle');
      if (
        !onHandle &&
        !(event.altKey && !event.ctrlKey && !event.metaKey && target.getAttribute('role') !== 'combobox' && target.tagName !== 'SELECT')
      )
        return;
      const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: items.length - 1 }[event.key];
      if (to === undefined || (!onHandle && (event.key === 'Home' || event.key === 'End'))) return;
      event.preventDefault();
      event.stopPropagation();
      move(index, to);
    },
  };
}
