// The order in which fields stand on the screen, for "the first error" and lists of changes.
import type { Schema } from '../../../contract/types.ts';
import { pathOf } from './path.ts';

/** Sorts things that name a place as the screen shows them: sections' order at the root, the schema's order below, positions in arrays. */
export function inScreenOrder<T extends { pointer: string }>(things: T[], schema: Schema, rootOrder?: string[]): T[] {
  const ranked = things.map(thing => ({ thing, rank: rankOf(thing.pointer, schema, rootOrder) }));
  ranked.sort((a, b) => {
    for (let i = 0; i < Math.min(a.rank.length, b.rank.length); i++) if (a.rank[i] !== b.rank[i]) return a.rank[i]! - b.rank[i]!;
    return a.rank.length - b.rank.length;
  });
  return ranked.map(({ thing }) => thing);
}

function rankOf(pointer: string, schema: Schema, rootOrder?: string[]): number[] {
  let at: Schema | undefined = schema;
  return pathOf(pointer).map((step, depth) => {
    if (typeof step === 'number') {
      at = at?.items;
      return step;
    }
    const names: string[] = depth === 0 && rootOrder ? rootOrder : Object.keys(at?.properties ?? {});
    at = at?.properties?.[step];
    const index = names.indexOf(step);
    return index < 0 ? names.length : index;
  });
}
