// Texts: every key once, also among what themes take, every placeholder a variable that is there, every variable used.
import { placeholdersOf } from '../domain/text/placeholders.ts';
import { isObject, known, type CheckContext } from './context.ts';

export function checkTexts(context: CheckContext): void {
  const where = new Map<string, string>();
  const takenBy = new Map<string, string>();
  const own = Object.values(context.definitions.texts).filter(one => one.takes.length === 0);
  const ofStores = own.filter(one => one.belongsTo === 'store').flatMap(one => Object.keys(one.texts));
  for (const category of Object.values(context.definitions.texts)) {
    const file = `schemas/texts/${category.key}.json`;
    category.takes.forEach((key, i) => {
      const at = `/takes/${i}`;
      known(context, file, at, key, ofStores, wrong => `No category of the store has a text "${wrong}".`);
      const before = takenBy.get(key);
      if (before) context.report({ file, pointer: at, message: `The text "${key}" stands in ${before} already.` });
      takenBy.set(key, file);
    });
  }
  for (const category of own) {
    const file = `schemas/texts/${category.key}.json`;
    if (!context.sound(file) || !isObject(context.documents[file])) continue;
    const names = Object.keys(category.variables);
    const used = new Set<string>();
    for (const text of Object.values(category.texts)) {
      const at = `/texts/${text.key}`;
      const before = where.get(text.key);
      if (before) context.report({ file, pointer: at, on: 'key', message: `The text "${text.key}" stands in ${before} already.` });
      where.set(text.key, file);
      text.variables.forEach((name, i) => {
        used.add(name);
        known(context, file, `${at}/variables/${i}`, name, names, wrong => `"variables" of this file has no "${wrong}".`);
      });
      for (const name of placeholdersOf(text.default))
        known(context, file, `${at}/default`, name, text.variables, wrong => `"variables" of this text has no "${wrong}".`);
      if (text.default.length > text.maxLength)
        context.report({ file, pointer: `${at}/default`, message: `It has ${text.default.length} characters, more than its "maxLength".` });
    }
    for (const name of names)
      if (!used.has(name))
        context.report({ file, pointer: `/variables/${name}`, on: 'key', message: `No text of this file uses "${name}".` });
  }
}
