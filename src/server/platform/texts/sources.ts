// Everything that can be translated: the texts of schemas/texts, and the fields of records that customers read.
import { sql } from 'kysely';
import { template } from '../../../contract/find.ts';
import { placeholdersOf } from '../../../domain/text/placeholders.ts';
import type { Definitions, JsonObject, JsonValue, Schema, TextComponent } from '../../../contract/types.ts';
import { notFound } from '../context.ts';
import { TEMPLATE } from '../mail/message-edits.ts';
import { templateRecords } from '../mail/template-records.ts';
import { PRODUCT, productRecords } from './product-records.ts';
import type { LocalisedRecord, Reading } from './reading.ts';
import { later } from '../../../domain/text/t.ts';
import { standardOf } from './standard-words.ts';
import { textId } from './text-id.ts';
import { primaryOf, valuesIn, type TextValue } from './values.ts';

export type { Reading };

/** One text in the words that a translation starts from. */
export interface TextSource {
  /** "store", "theme", "widget", or an entity. */
  ownerKind: string;
  /** Of a theme, a widget or a record: which; else empty. */
  ownerId: string;
  key: string;
  /** A file of schemas/texts, or the type of what is localised ("SELLING_PLAN"). */
  categoryId: string;
  type: string;
  label: string;
  group: string;
  component: TextComponent;
  variables: readonly string[];
  /** What previews are filled in with, by variable. */
  samples?: Record<string, string>;
  maxLength: number;
  /** The words of the product, or those of the record. */
  standard: string;
  /** The English standard text that a record says. */
  usual?: string | undefined;
  /** Words in Liquid, as in e-mails: what they may name, and values to try them with. */
  template?: LocalisedRecord['template'];
}

/** A category of the editor, with what it holds. */
export interface SourceCategory {
  categoryId: string;
  type: string;
  title: string;
  description: string;
  /** Words that stand in a record, where the primary language is edited. */
  isOfRecords: boolean;
}

export interface Selection {
  categoryId?: string;
  type?: string;
  /** A theme or a widget. */
  ownerId?: string;
  entityId?: string | number;
  keys?: readonly string[];
  /** Of records: the texts of these nested lists alone. */
  part?: readonly string[];
  /** Whether a record may have no texts. */
  mayBeEmpty?: boolean;
}

/** Localised entities whose records are no documents: how they are read. */
const KEPT_ELSEWHERE: Record<string, (context: Reading, id?: string | number) => Promise<LocalisedRecord[]>> = {
  [TEMPLATE]: templateRecords,
  [PRODUCT]: productRecords,
};

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const localised = ({ entities }: Pick<Definitions, 'entities'>): [type: string, entity: string][] =>
  Object.entries(entities).flatMap(([entity, schema]) => {
    const type = schema['x-record']?.localised;
    return type ? [[type, entity] as [string, string]] : [];
  });

/** Categories in the order of the editor; those of themes and widgets only for one of them. */
export function categoriesOf(definitions: Definitions, { type, ownerId }: Pick<Selection, 'type' | 'ownerId'> = {}): SourceCategory[] {
  const texts = Object.values(definitions.texts)
    .filter(({ belongsTo }) => (belongsTo === 'store') === (ownerId === undefined))
    .map(({ key, type: kind, title, description }) => ({ categoryId: key, type: kind, title, description, isOfRecords: false }));
  const records = localised(definitions).map(([kind, entity]) => {
    const { many } = definitions.entities[entity]?.['x-record']?.name ?? { many: entity };
    const description = `What customers read of your ${many}.`;
    return { categoryId: kind, type: kind, title: upper(many), description, isOfRecords: true };
  });
  return [...texts, ...(ownerId === undefined ? records : [])].filter(one => type === undefined || one.type === type);
}

/** The texts that are chosen, each as it is before any translation. @throws Refusal 404 for a category or record that is not there */
export async function sourcesOf(context: Reading, selection: Selection): Promise<TextSource[]> {
  const { definitions } = context;
  const chosen = categoriesOf(definitions, selection).filter(
    ({ categoryId }) => selection.categoryId === undefined || categoryId === selection.categoryId,
  );
  if (selection.categoryId !== undefined && chosen.length === 0) throw notFound(later`category of texts`);
  const entities = new Map(localised(definitions));
  const { ownerId } = selection;
  const first = ownerId === undefined ? undefined : await ownerWords(context, ownerId);
  const found: TextSource[] = [];
  for (const { categoryId } of chosen) {
    const entity = entities.get(categoryId);
    found.push(
      ...(entity ? await recordSources(context, entity, selection.entityId) : storeSources(definitions, categoryId, ownerId ?? '', first)),
    );
  }
  if (selection.entityId !== undefined && found.length === 0 && !selection.mayBeEmpty) throw notFound(later`record`);
  const keys = selection.keys && new Set(selection.keys);
  const { part } = selection;
  return found.filter(({ key }) => (!keys || keys.has(key)) && (!part || part.includes(key.split('.')[0] ?? '')));
}

/** What a theme says without words of its own: those of the store in its primary language. @throws Refusal 404 */
async function ownerWords(scope: Reading, nanoId: string): Promise<Map<string, TextValue>> {
  const { rows } = await sql`select 1 from records where store_id = ${scope.storeId} and entity = 'portal-theme' and deleted_at is null
    and data ->> 'nanoId' = ${nanoId}`.execute(scope.trx);
  if (rows.length === 0) throw notFound(later`theme`);
  return valuesIn(scope, await primaryOf(scope), { ownerKind: 'store' });
}

function storeSources({ texts }: Definitions, categoryId: string, ownerId: string, first?: Map<string, TextValue>): TextSource[] {
  const category = texts[categoryId];
  return Object.values(category?.texts ?? {}).map(({ default: standard, ...text }) => ({
    ...text,
    samples: Object.fromEntries(text.variables.map(name => [name, category?.variables[name]?.sample ?? ''])),
    standard: first?.get(textId({ ownerKind: 'store', ownerId: '', key: text.key }))?.value ?? standard,
    ownerKind: category?.belongsTo ?? 'store',
    ownerId,
    categoryId,
    type: category?.type ?? '',
  }));
}

/** Texts of the records of an entity; those of its nested lists have keys such as "sellingPlans.12.name". */
async function recordSources(context: Reading, entity: string, id?: string | number): Promise<TextSource[]> {
  const schema = context.definitions.entities[entity] as Schema;
  const hints = schema['x-record'];
  const elsewhere = KEPT_ELSEWHERE[entity];
  if (hints?.table && !elsewhere) throw new Error(`schemas/entities/${entity}.json is localised, but no document.`);
  const rows = await (elsewhere ? elsewhere(context, id) : documentsOf(context, entity, id));
  if (id === undefined || String(id) === '0') rows.push(...(await pagesLike(context, entity)));
  return rows.flatMap(row => textsOfRecord(context, entity, row));
}

/** The texts of one record, saved or still in a form: those that it has. */
export function textsOfRecord(
  { definitions }: Pick<Reading, 'definitions'>,
  entity: string,
  { id, data, template: liquid }: LocalisedRecord,
): TextSource[] {
  const schema = definitions.entities[entity] as Schema;
  const hints = schema['x-record'];
  const type = hints?.localised ?? '';
  const group = template(hints?.label ?? '{id}', data) || `#${id}`;
  return fieldTexts(schema, data).map(text => ({
    ...text,
    ...{ ownerKind: entity, ownerId: String(id), categoryId: type, type, group },
    ...(liquid ? { variables: liquid.names, template: liquid } : {}),
  }));
}

/** Settings pages that hold what a record of the entity does, once they were saved: each is its record 0. */
async function pagesLike({ trx, storeId, definitions }: Reading, entity: string): Promise<LocalisedRecord[]> {
  const page = Object.keys(definitions.settings).find(name => definitions.settings[name]?.['x-setting']?.localisedAs === entity);
  if (page === undefined) return [];
  const { rows } = await sql<{ data: JsonObject }>`select data from settings
    where store_id = ${storeId}::integer and name = ${page} and data -> 'texts' is not null`.execute(trx);
  return rows.map(({ data }) => ({ id: 0, data: { name: definitions.settings[page]?.title ?? page, ...data } }));
}

async function documentsOf({ trx, storeId }: Reading, entity: string, id?: string | number): Promise<LocalisedRecord[]> {
  const { rows } = await sql<{
    id: number;
    data: JsonObject;
  }>`select id, data from records where store_id = ${storeId} and entity = ${entity}
    and deleted_at is null ${id === undefined ? sql`` : sql`and id::text = ${String(id)}`} order by position, id`.execute(trx);
  return rows;
}

type FieldText = Pick<TextSource, 'key' | 'label' | 'component' | 'variables' | 'maxLength' | 'standard' | 'usual'>;

const isOneLine = ({ 'x-ui': hints }: Schema): boolean => hints?.options?.rows === 1;

function fieldTexts(schema: Schema, data: JsonObject, at = '', above = ''): FieldText[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): FieldText[] => {
    const value = data[name];
    const title = [above, field.title ?? name].filter(Boolean).join(' · ');
    if (field['x-ui']?.translatable && typeof value === 'string' && value !== '')
      return [
        {
          key: at + name,
          label: title,
          component:
            ['textarea', 'template'].includes(field['x-ui'].widget ?? '') && !isOneLine(field)
              ? 'TEXT_AREA'
              : field['x-ui'].widget === 'rich-text'
                ? 'RICH_TEXT'
                : 'INPUT',
          // What stands in a record may hold variables of its own; a translation has the same.
          variables: placeholdersOf(value),
          maxLength: field.maxLength ?? 400,
          standard: value,
          usual: standardOf(field, value),
        },
      ];
    if (field.properties && value !== null && typeof value === 'object' && !Array.isArray(value))
      return fieldTexts(field, value, `${at}${name}.`, title);
    const items = field.items;
    if (!Array.isArray(value) || !items?.properties) return [];
    const key = items['x-record']?.key ?? 'id';
    return value.flatMap((item: JsonValue) => {
      const one = item as JsonObject | null;
      const itemKey = one?.[key];
      return one && (typeof itemKey === 'number' || typeof itemKey === 'string')
        ? fieldTexts(items, one, `${at}${name}.${itemKey}.`, template(items['x-record']?.label ?? '', one))
        : [];
    });
  });
}
