// The columns of a list, complete: title, cell, width and place, from the resource where it says so and from the schema elsewhere.
import { isHidden, mayReadOf } from '../../../contract/mask.ts';
import { fieldOf, humanise, optionsOf } from '../../../contract/paths.ts';
import type { Column, JsonObject, ListScreen, Schema, Session, Tab } from '../../../contract/types.ts';
import { language } from '../../../domain/text/t.ts';
import { type Cell, type CellHints, cellFor, cellNameOf, looksOf } from '../../ui/cells.ts';

export interface FullColumn {
  field: string;
  title: string;
  cell: Cell;
  cellName: string;
  schema: Schema | undefined;
  options: JsonObject;
  end: boolean;
  sortable: boolean;
  /** Pixels; flexible columns share what is left and get at least this. */
  width: number;
  flexible: boolean;
  /** The text of a value that is never cut. */
  whole?: CellHints['whole'];
  /** It is hidden where not all columns fit, the lowest number first; undefined: it stays. */
  yields: number | undefined;
  /** Where it stands in a card on small screens. */
  slot: 'title' | 'badge' | 'line' | 'end' | 'none';
}

/** The columns that a person may have at all: by their own area, and by that of their field. */
export function columnsFor(columns: readonly Column[], session: Session, entity: Schema | undefined): Column[] {
  const may = mayReadOf(session);
  return columns.filter(({ field, permission }) => (permission === undefined || may(permission)) && !isHidden(entity, field, may));
}

/** A list with the columns that a person may have, the optional ones too. */
export function listFor(list: ListScreen, session: Session, entity: Schema | undefined): ListScreen {
  const columns = columnsFor(list.columns, session, entity);
  const left = list.columns.filter(column => !columns.includes(column)).map(column => column.field);
  const may = mayReadOf(session);
  return {
    ...list,
    columns,
    ...(list.optional ? { optional: list.optional.filter(field => !left.includes(field) && !isHidden(entity, field, may)) } : {}),
  };
}

/** Every column a list has, the optional ones last; `shown` names those in view. A tab may have others in view, and say more of them. */
export function columnsOf(list: ListScreen, entity: Schema | undefined, tab?: Tab): { all: FullColumn[]; shown: string[] } {
  const sortable = new Set(entity?.['x-record']?.sort ?? []);
  const optional = (list.optional ?? [])
    .filter(field => !list.columns.some(column => column.field === field))
    .map((field): Column => ({ field }));
  const own = new Map(tab?.columns?.map(column => [column.field, column]));
  const all = [...list.columns, ...optional].map(column => complete({ ...column, ...own.get(column.field) }, entity, sortable));
  const hidden = new Set(list.optional);
  const shown = tab?.columns?.map(column => column.field) ?? list.columns.map(column => column.field).filter(field => !hidden.has(field));
  // Columns in view come first where places in a card are given.
  place([...all.filter(column => shown.includes(column.field)), ...all.filter(column => !shown.includes(column.field))]);
  return { all, shown };
}

/** The fields an export of these columns has: theirs, each followed by what its cell shows besides, as far as the entity knows it. */
export function exportFields(columns: readonly FullColumn[], entity: Schema | undefined): string[] {
  return [
    ...new Set(
      columns.flatMap(column => [
        column.field,
        ...(looksOf(column.cellName).also?.(column.options) ?? []).filter(field => fieldOf(entity, field)),
      ]),
    ),
  ];
}

/**
 * Widths that are given are chosen for English heads, which never break. Those of other languages break between words (list.css): the
 * longest of them must have room.
 */
function headWidth(title: string, isSortable: boolean, isGiven: boolean): number {
  const isEnglish = language() === 'en';
  if (isGiven && isEnglish) return 0;
  const letters = isEnglish ? title.length : Math.max(...title.split(/[\s-]/).map(word => word.length));
  return letters * LETTER + (isSortable ? 48 : 32);
}
/** Nor is a badge ever cut. */
const badgeWidth = (schema: Schema | undefined): number =>
  language() === 'en' ? 0 : Math.max(0, ...optionsOf(schema).map(one => one.title.length)) * LETTER + 52;
/** The mean width of a letter of a column's head (px). */
const LETTER = 7;

/** The number by which a record is known. It is a name, so it has no thousands. */
const isOwnNumber = (field: string, entity: Schema | undefined): boolean =>
  entity?.['x-record']?.key === field && !entity.properties?.[field]?.['x-ui']?.cell && entity.properties?.[field]?.type === 'integer';

/** One column with all its defaults, for lists and for tables inside records. */
export function complete(column: Column, entity: Schema | undefined, sortable: ReadonlySet<string> = new Set()): FullColumn {
  const schema = fieldOf(entity, column.field);
  const cellName = cellNameOf(schema, column.cell ?? (isOwnNumber(column.field, entity) ? 'id' : undefined));
  const looks = looksOf(cellName);
  const title = column.title ?? schema?.title ?? humanise(column.field);
  return {
    field: column.field,
    title,
    cell: cellFor(cellName),
    cellName,
    schema,
    options: { ...schema?.['x-ui']?.options, ...column.options },
    end: column.align ? column.align === 'end' : looks.end,
    sortable: sortable.has(column.field),
    width: Math.max(
      column.width ?? looks.width,
      headWidth(title, sortable.has(column.field), column.width !== undefined),
      cellName === 'badge' ? badgeWidth(schema) : 0,
    ),
    flexible: column.width === undefined && looks.flexible,
    whole: looks.whole,
    yields: column.collapsePriority,
    slot: 'none',
  };
}

/** Chooses what a card on a small screen shows: a title, a badge beside it, a line under it, and one figure at its end. */
export function place(columns: readonly FullColumn[]): void {
  const take = (slot: FullColumn['slot'], fits: (column: FullColumn) => boolean): void => {
    const found = columns.find(column => column.slot === 'none' && fits(column));
    if (found) found.slot = slot;
  };
  // A list of sentences is read by them; where a number comes first, people are known by their names.
  if (!['text', 'sentence'].includes(columns[0]?.cellName ?? '')) take('title', column => column.cellName === 'customer');
  if (!columns.some(column => column.slot === 'title')) take('title', () => true);
  take('badge', column => column.cellName === 'badge');
  // How far some work is says more than who began it.
  take('line', column => column.cellName === 'progress');
  if (!columns.some(column => column.slot === 'line'))
    take(
      'line',
      column =>
        ['products', 'customer', 'payment-method'].includes(column.cellName) || (column.flexible && !optionsOf(column.schema).length),
    );
  if (!columns.some(column => column.slot === 'line')) take('line', column => column.cellName === 'text');
  take('end', column => column.cellName === 'money' || column.cellName === 'number');
  if (!columns.some(column => column.slot === 'end')) take('end', column => column.cellName === 'date' && !column.options.time);
  if (!columns.some(column => column.slot === 'end')) take('end', column => column.cellName === 'date');
}
