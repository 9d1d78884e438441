// The query of a plain REST list, in the dialect of ra-data-simple-rest: sort=["name","ASC"]&range=[0,24]&filter={"q":"alder"}.
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { t } from '../text/t.ts';

/**
 * What a codec says of something that it can't read. `member` is the part of the request that is wrong, as the wire calls it; the message
 * says what would be right.
 */
export class WireError extends Error {
  readonly member: string;
  constructor(member: string, message: string) {
    super(message);
    this.name = 'WireError';
    this.member = member;
  }
}

const object = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};

/** A member of the query, which is JSON. @throws WireError */
function read(query: JsonObject, name: string, isRight: (value: JsonValue) => boolean, example: string): JsonValue | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  let value: JsonValue = null;
  try {
    value = JSON.parse(String(text)) as JsonValue;
  } catch {
    /* not right either */
  }
  if (!isRight(value)) throw new WireError(name, t`"${name}" is JSON such as ${example}.`);
  return value;
}
const isOrder = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && (value[1] === 'ASC' || value[1] === 'DESC');
const isRange = (value: JsonValue): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every(Number.isSafeInteger) &&
  Number(value[0]) >= 0 &&
  Number(value[1]) >= Number(value[0]);
const isFilter = (value: JsonValue): boolean => value !== null && typeof value === 'object' && !Array.isArray(value);

/** One value of a filter is a list of one; what is true or false, or a range, stays as it is. */
const listed = (value: JsonValue): JsonValue => (typeof value === 'string' || typeof value === 'number' ? [value] : value);

export const restQuery = {
  encode(ours: JsonValue): JsonValue {
    const { sort, order, limit, offset, q, id, filter, ...rest } = object(ours);
    const all = { ...object(filter), ...(q === undefined ? {} : { q }), ...(id === undefined ? {} : { id }) };
    const from = Number(offset ?? 0);
    return {
      ...rest,
      ...(sort === undefined ? {} : { sort: JSON.stringify([sort, order ?? 'ASC']) }),
      ...(limit === undefined ? {} : { range: JSON.stringify([from, from + Number(limit) - 1]) }),
      ...(Object.keys(all).length ? { filter: JSON.stringify(all) } : {}),
    };
  },
  decode(wire: JsonValue): JsonValue {
    const { sort: _sort, range: _range, filter: _filter, ...rest } = object(wire);
    const sort = read(object(wire), 'sort', isOrder, '["name","ASC"]') as [string, string] | undefined;
    const range = read(object(wire), 'range', isRange, '[0,24]') as [number, number] | undefined;
    const { q, id, ...filter } = object(read(object(wire), 'filter', isFilter, '{"name":["Alder"]}'));
    const ids = id === undefined ? undefined : [id].flat();
    if (ids?.length === 0) throw new WireError('filter/id', t`Name at least one id.`);
    return {
      ...rest,
      ...(sort ? { sort: sort[0], order: sort[1] } : {}),
      ...(range ? { offset: range[0], limit: range[1] - range[0] + 1 } : {}),
      ...(q === undefined || q === null ? {} : { q }),
      // Who asks for records by their ids wants all of them.
      ...(ids ? { id: ids, ...(range ? {} : { limit: ids.length }) } : {}),
      ...(Object.keys(filter).length
        ? { filter: Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, listed(value as JsonValue)])) }
        : {}),
    };
  },
  names: { limit: 'range', offset: 'range', order: 'sort', q: 'filter/q', id: 'filter/id' },
};
