// What a list shows <-> the page's address <-> the input of the list call. Pure; the start script and the app use the same lines.
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { isDay } from '../../domain/calendar/plain-days.ts';
import { parseWhole } from '../../domain/money/numbers.ts';
import { addDays, dayOf, endOfDay, monthStart, startOfDay } from './time-zone.ts';
import { t } from '../../domain/text/t.ts';

/** How a field is filtered; decides the chip's editor and the form of its value in the address. */
export type FilterKind =
  | 'options'
  | 'reference'
  | 'country'
  | 'text'
  | 'boolean'
  | 'number'
  | 'money'
  | 'epoch'
  | 'date'
  | 'date-time'
  | 'conditions';
/** What the address of a list is read by. */
export interface ListHead {
  filters: Record<string, FilterKind>;
  /** The kinds whose values are numbers on the wire (ids, numeric options). */
  numeric: string[];
  /** The values that a filter may hold, as they stand in the address; fields without an entry take any. */
  only: Record<string, string[]>;
  tabs: { id: string; filter?: JsonObject; sort?: { field: string; order: 'ASC' | 'DESC' } }[];
  /** The fields that the list can be sorted by. */
  sorts: string[];
  sort?: { field: string; order: 'ASC' | 'DESC' };
  size: number;
}
/** Values are texts as they stand in the address: "ACTIVE,PAUSED", "10..50", "2026-01-01..2026-01-31", "last-30-days", "yes". */
export interface ListState {
  tab: string;
  q: string;
  filters: Record<string, string>;
  sort?: { field: string; order: 'ASC' | 'DESC' };
  size: number;
  page: number;
  after?: string;
  before?: string;
  /** Columns in view, where the address says so; the saved view that was opened. */
  columns?: string[];
  view?: string;
}
export interface ListInput {
  pageSize: number;
  page?: number;
  after?: string;
  before?: string;
  sort?: string;
  order?: 'ASC' | 'DESC';
  q?: string;
  filter?: JsonObject;
}
/** The store's time zone and its present moment (ms). */
export interface Now {
  zone: string;
  at: number;
}

export const PAGE_SIZES = [25, 50, 100];
/** What the server takes: letters of a search or of one value, values of one filter, rows that pages by number reach. */
const LONGEST = 255,
  MAX = 500,
  DEEPEST = 10_000;

/** The order in which a tab opens: its own, else that of the list. */
export const usualSort = (tab: string, head: ListHead): ListHead['sort'] => head.tabs.find(one => one.id === tab)?.sort ?? head.sort;

/** Reads the address; what makes no sense there is left out rather than refused. */
export function readState(search: string, head: ListHead): ListState {
  const query = new URLSearchParams(search);
  const filters: Record<string, string> = {};
  for (const field of Object.keys(head.filters)) {
    const value = sensible(query.get(field) ?? '', field, head);
    if (value) filters[field] = value;
  }
  const tab = query.get('tab') ?? '';
  const sort = query.get('sort');
  const size = Number(query.get('size'));
  const page = parseWhole(query.get('page'));
  const after = query.get('after');
  const before = query.get('before');
  const state: ListState = {
    tab: head.tabs.some(one => one.id === tab) ? tab : (head.tabs[0]?.id ?? ''),
    q: (query.get('q') ?? '').slice(0, LONGEST),
    filters,
    size: PAGE_SIZES.includes(size) ? size : head.size,
    page: page > 1 && page <= 10_000 ? page : 1,
  };
  const field = sort?.replace(/^-/, '') ?? '';
  const chosen =
    sort && head.sorts.includes(field)
      ? { field, order: sort.startsWith('-') ? ('DESC' as const) : ('ASC' as const) }
      : usualSort(state.tab, head);
  if (chosen) state.sort = chosen;
  const columns = query.get('columns');
  if (columns) state.columns = columns.split(',');
  const view = query.get('view');
  if (view) state.view = view;
  if (state.page > 1 && after) state.after = after;
  else if (state.page > 1 && before) state.before = before;
  // Without a cursor the first 10,000 rows can be counted off.
  else if (state.page * state.size > DEEPEST) state.page = 1;
  return state;
}

/**
 * What of a filter's text means something: unknown options, unreadable numbers and days are left out, the rest stays; "" when nothing does.
 */
function sensible(text: string, field: string, head: ListHead): string {
  const kind = head.filters[field];
  if (text === '' || kind === undefined) return '';
  if (kind === 'boolean') return text === 'yes' || text === 'no' ? text : '';
  if (kind === 'conditions') return setIn(text) ? text : '';
  if (kind === 'number' || kind === 'money' || kind === 'epoch' || kind === 'date' || kind === 'date-time') {
    if (isPreset(text) && kind !== 'number' && kind !== 'money') return text;
    const fits = (bound: string): boolean =>
      kind === 'money'
        ? /^-?\d{1,13}(\.\d{1,4})?$/.test(bound)
        : kind === 'number'
          ? /^-?\d{1,15}(\.\d{1,15})?$/.test(bound)
          : isSeconds(bound);
    const [from, to] = splitRange(text).map(bound => (fits(bound) ? bound : '')) as [string, string];
    return joinRange(from, to);
  }
  const only = head.only[field];
  const isNumeric = head.numeric.includes(field);
  const all = splitList(text);
  const known = all
    .filter(item =>
      only
        ? only.includes(item)
        : kind === 'country'
          ? /^[A-Z]{2}$/.test(item)
          : isNumeric
            ? /^\d{1,15}$/.test(item)
            : item.length <= LONGEST,
    )
    .slice(0, MAX);
  return known.length === all.length ? text : joinList(known);
}

/** The address of a state, "" for the list as it opens; what is as usual is not written. */
export function writeState(state: ListState, head: ListHead): string {
  const query = new URLSearchParams();
  if (state.tab && state.tab !== head.tabs[0]?.id) query.set('tab', state.tab);
  if (state.q) query.set('q', state.q);
  for (const [field, value] of Object.entries(state.filters)) if (value) query.set(field, value);
  const usual = usualSort(state.tab, head);
  if (state.sort && (state.sort.field !== usual?.field || state.sort.order !== usual.order))
    query.set('sort', (state.sort.order === 'DESC' ? '-' : '') + state.sort.field);
  if (state.size !== head.size) query.set('size', String(state.size));
  if (state.columns) query.set('columns', state.columns.join(','));
  if (state.view) query.set('view', state.view);
  if (state.page > 1) {
    query.set('page', String(state.page));
    if (state.after) query.set('after', state.after);
    else if (state.before) query.set('before', state.before);
  }
  // Commas may stand in a query as they are; links stay readable.
  const text = query.toString().replaceAll('%2C', ',');
  return text ? `?${text}` : '';
}

/**
 * The input of the list call. Dates need the store's zone; without it (the start script runs before the session is known)
 * a list filtered by dates gives undefined.
 */
export function toInput(state: ListState, head: ListHead, now?: Now): ListInput | undefined {
  const filter: JsonObject = {};
  for (const [field, text] of Object.entries(state.filters)) {
    const kind = head.filters[field];
    if (kind === undefined) continue;
    if (!now && (kind === 'epoch' || kind === 'date' || kind === 'date-time')) return undefined;
    const value = wireValue(text, kind, head.numeric.includes(field), now);
    if (value !== undefined) filter[field] = value;
  }
  Object.assign(filter, head.tabs.find(tab => tab.id === state.tab)?.filter);
  const input: ListInput = { pageSize: state.size };
  if (state.after) input.after = state.after;
  else if (state.before) input.before = state.before;
  else if (state.page > 1) input.page = state.page;
  if (state.sort) {
    input.sort = state.sort.field;
    input.order = state.sort.order;
  }
  if (state.q.trim()) input.q = state.q.trim();
  if (Object.keys(filter).length) input.filter = filter;
  return input;
}

function wireValue(text: string, kind: FilterKind, numeric: boolean, now?: Now): JsonValue | undefined {
  if (kind === 'conditions') return setIn(text);
  if (kind === 'boolean') return text === 'yes' ? true : text === 'no' ? false : undefined;
  if (kind === 'number' || kind === 'money') {
    const [min = '', max = ''] = splitRange(text);
    const range: JsonObject = {};
    for (const [name, bound] of [
      ['min', min],
      ['max', max],
    ] as const)
      if (bound !== '' && Number.isFinite(Number(bound))) range[name] = kind === 'money' ? bound : Number(bound);
    return Object.keys(range).length ? range : undefined;
  }
  if (kind === 'epoch' || kind === 'date' || kind === 'date-time') {
    if (!now) return undefined;
    const [from, to] = daysOf(text, now);
    const range: JsonObject = {};
    if (from)
      range.from =
        kind === 'date' ? from : kind === 'epoch' ? startOfDay(from, now.zone) / 1000 : new Date(startOfDay(from, now.zone)).toISOString();
    if (to)
      range.to = kind === 'date' ? to : kind === 'epoch' ? endOfDay(to, now.zone) / 1000 : new Date(endOfDay(to, now.zone)).toISOString();
    return Object.keys(range).length ? range : undefined;
  }
  const list = splitList(text);
  const values = list
    .map(item => (item === 'null' ? null : numeric ? Number(item) : item))
    .filter(item => item === null || typeof item === 'string' || Number.isFinite(item));
  return values.length ? values : undefined;
}

/** A set of conditions as it stands in the address; undefined for what is none. */
export function setIn(text: string): JsonObject | undefined {
  try {
    const set = JSON.parse(text) as { match?: unknown; rows?: unknown } | null;
    return (set?.match === 'ALL' || set?.match === 'ANY') && Array.isArray(set.rows) && set.rows.length > 0
      ? (set as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

// --- the texts in the address ---

/** "a,b\,c" -> ["a", "b,c"] */
export const splitList = (text: string): string[] =>
  [...text.matchAll(/((?:\\.|[^,\\])+)/g)].map(match => (match[1] ?? '').replace(/\\(.)/g, '$1'));
export const joinList = (values: readonly string[]): string => values.map(value => value.replace(/[\\,]/g, '\\$&')).join(',');
/** "10..50", "10..", "..50" -> ["10", "50"]; either may be empty. */
export const splitRange = (text: string): [string, string] => {
  const [from = '', to = ''] = text.split('..');
  return [from, to];
};
export const joinRange = (from: string, to: string): string => (from || to ? `${from}..${to}` : '');

/** A day of the calendar, within what the wire counts in seconds. */
const isSeconds = (text: string): boolean => isDay(text) && /^(19[7-9]|2\d\d)/.test(text) && text > '1970-01-01';

/** The days that a date filter means now; "" is open. A preset moves with the calendar, so a saved view stays true. */
export function daysOf(text: string, now: Now): [string, string] {
  const today = dayOf(now.at, now.zone);
  const preset = isPreset(text) ? PRESETS[text] : undefined;
  if (preset) return preset.days(today);
  const range = splitRange(text).map(day => (isSeconds(day) ? day : ''));
  return [range[0] ?? '', range[1] ?? ''];
}
/** Of an address, which may say anything: "constructor" is no preset. */
const isPreset = (text: string): boolean => Object.hasOwn(PRESETS, text);
export const PRESETS: Record<string, { title: string; days: (today: string) => [string, string] }> = {
  today: { title: t`Today`, days: today => [today, today] },
  yesterday: { title: t`Yesterday`, days: today => [addDays(today, -1), addDays(today, -1)] },
  tomorrow: { title: t`Tomorrow`, days: today => [addDays(today, 1), addDays(today, 1)] },
  'last-7-days': { title: t`Last 7 days`, days: today => [addDays(today, -6), today] },
  'last-30-days': { title: t`Last 30 days`, days: today => [addDays(today, -29), today] },
  'last-90-days': { title: t`Last 90 days`, days: today => [addDays(today, -89), today] },
  'next-7-days': { title: t`Next 7 days`, days: today => [today, addDays(today, 6)] },
  'next-30-days': { title: t`Next 30 days`, days: today => [today, addDays(today, 29)] },
  'this-month': { title: t`This month`, days: today => [monthStart(today), addDays(monthStart(today, 1), -1)] },
  'last-month': { title: t`Last month`, days: today => [monthStart(today, -1), addDays(monthStart(today), -1)] },
  'next-month': { title: t`Next month`, days: today => [monthStart(today, 1), addDays(monthStart(today, 2), -1)] },
};
