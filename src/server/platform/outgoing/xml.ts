// Reading answers that come as XML.
import { SaxesParser } from 'saxes';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';

const camelCase = (name: string): string => name.replace(/[-_]([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());

interface Open {
  name: string;
  text: string;
  members: JsonObject;
  isNull: boolean;
  isList: boolean;
}

/**
 * An XML document as an object whose one member is named after the root. Names become camel case (`last-4` is `last4`), text stays text,
 * `nil="true"` is null, `type="array"` or a name that comes again makes a list (`type="array"` is the list of what stands in it). Entities
 * of a DTD are not resolved: they are an error, as is all else that is not well-formed. @throws Error
 */
export function readXml(text: string): JsonObject {
  const parser = new SaxesParser();
  const top: Open = { name: '', text: '', members: {}, isNull: false, isList: false };
  const open: Open[] = [top];
  parser.on('error', error => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const { nil, type } = attributes as Record<string, string | undefined>;
    open.push({ name: camelCase(name), text: '', members: {}, isNull: nil === 'true', isList: type === 'array' });
  });
  const add = (more: string): void => {
    const last = open.at(-1);
    if (last) last.text += more;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    const done = open.pop();
    const parent = open.at(-1);
    if (done && parent) put(parent.members, done.name, valueOf(done));
  });
  parser.write(text.replace(/^\uFEFF/, '')).close();
  return top.members;
}

function valueOf({ members, text, isNull, isList }: Open): JsonValue {
  if (isNull) return null;
  const values = Object.values(members);
  if (isList) return values.flat();
  return values.length ? members : text.trim();
}

function put(members: JsonObject, name: string, value: JsonValue): void {
  const before = Object.hasOwn(members, name) ? members[name] : undefined;
  const now = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
  // Not by assignment: `__proto__` is a name like any other here.
  Object.defineProperty(members, name, { value: now, enumerable: true, configurable: true, writable: true });
}
