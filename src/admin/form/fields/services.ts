// What fields ask of the rest of the admin when nothing is given: nothing is found, nothing can be stored.
import { humanise } from '../../../contract/paths.ts';
import type { RecordHead } from '../../../browser-definitions/core.ts';
import { template } from '../../../contract/find.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { EntityDisplay, FormServices } from './widget.ts';
import { language } from '../../../domain/text/t.ts';

/** How an entity names and pictures its records, from its schema; without one, by the usual names of fields. */
export function looksOf(of: string, record: RecordHead | undefined): EntityDisplay {
  const name = humanise(of).toLowerCase();
  return {
    key: record?.key ?? 'id',
    one: record?.name.one ?? name,
    many: record?.name.many ?? `${name}s`,
    label: item =>
      record?.label ? template(record.label, item) : (firstText(item, ['title', 'name', 'email']) ?? String(item[record?.key ?? 'id'])),
    ...(record?.detail ? { detail: (item: JsonObject) => template(record.detail!, item) } : {}),
    ...(record?.image
      ? { picture: (item: JsonObject) => firstText(item, [record.image!]) }
      : { picture: (item: JsonObject) => firstText(item, ['image', 'picture', 'avatar']) }),
  };
}

/** "an order", "a customer" */
export const withArticle = (noun: string): string => (language() !== 'en' ? noun : `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`);

const firstText = (item: JsonObject, names: string[]): string | undefined =>
  names.map(name => item[name]).find((value): value is string => typeof value === 'string' && value !== '');

export const noServices: FormServices = {
  find: async () => ({ items: [], hasMore: false }),
  many: async () => [],
  ask: async () => [],
  looks: of => looksOf(of, undefined),
};
