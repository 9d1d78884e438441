// The files of schemas/texts as the server reads them.
import type { TextCategory, TextKind } from './types.ts';

const FOLDER = 'schemas/texts/';
type RawText = Partial<Omit<TextKind, 'key'>>;
type RawCategory = Partial<Omit<TextCategory, 'key' | 'texts'>> & { texts?: Record<string, RawText> };

/** Every category of texts by the name of its file, in the order of the editor. */
export function textsOf(documents: Record<string, unknown>): Record<string, TextCategory> {
  const found = Object.entries(documents)
    .filter(([file]) => file.startsWith(FOLDER) && file.endsWith('.json'))
    .map(([file, document]): TextCategory => {
      const raw = (document ?? {}) as RawCategory;
      const texts = Object.entries(raw.texts ?? {}).map(([key, text]): TextKind => ({
        key,
        label: text.label ?? key,
        default: text.default ?? '',
        component: text.component ?? 'INPUT',
        variables: text.variables ?? [],
        maxLength: text.maxLength ?? 400,
        group: text.group ?? '',
      }));
      return {
        key: file.slice(FOLDER.length, -'.json'.length),
        title: raw.title ?? '',
        description: raw.description ?? '',
        type: raw.type ?? 'GENERAL',
        belongsTo: raw.belongsTo ?? 'store',
        position: raw.position ?? 100,
        variables: raw.variables ?? {},
        texts: Object.fromEntries(texts.map(text => [text.key, text])),
        takes: raw.takes ?? [],
        section: raw.section ?? '',
      };
    });
  const all = new Map(found.flatMap(category => Object.keys(category.texts).map(key => [key, category] as const)));
  for (const category of found.filter(one => one.takes.length > 0)) {
    const taken = category.takes.flatMap(key => all.get(key)?.texts[key] ?? []);
    category.texts = Object.fromEntries(taken.map(text => [text.key, text]));
    category.variables = Object.assign({}, ...category.takes.map(key => all.get(key)?.variables));
  }
  found.sort((a, b) => a.position - b.position || (a.key < b.key ? -1 : 1));
  return Object.fromEntries(found.map(category => [category.key, category]));
}
