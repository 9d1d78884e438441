// One word for one thing in all that merchants read: how states are called, what makes a record, units. docs/definitions.md has the table.
import { withTexts } from '../domain/text/definition-texts.ts';
import { optionsOf } from '../contract/paths.ts';
import type { Resource, Schema } from '../contract/types.ts';
import { isObject, type CheckContext } from './context.ts';

/** What a pair of states may be called: what is switched, and what is worked on before it is shown. */
const PAIRS = [
  ['On', 'Off'],
  ['Published', 'Draft'],
];
/** States that the two sides of a pair have on the wire. */
const SHOWN = ['ACTIVE', 'LIVE', 'ON', 'PUBLISHED'];
const HIDDEN = ['DRAFT', 'OFF'];
/** Verbs of what makes a record: one of its own; of what is there already, here or elsewhere; of people; of words. */
const MAKES = ['Create', 'Add', 'Invite', 'Import', 'Connect', 'Move', 'Write'];
/** What is not written, and what is: units of screens, per cent as English has it. */
const SPELLING: [RegExp, string][] = [
  [/\bpixels?\b/i, '"px" for pixels'],
  [/\d %/, 'per cent without a space ("5%")'],
];

export function checkWords(context: CheckContext): void {
  for (const [name, entity] of Object.entries(context.definitions.entities)) states(context, `schemas/entities/${name}.json`, entity);
  for (const [route, resource] of Object.entries(context.definitions.resources)) {
    const file = `resources/${route}.json`;
    if (!isObject(context.documents[file])) continue;
    tabs(context, file, resource);
    makers(context, file, resource);
  }
  for (const [file, document] of Object.entries(context.documents))
    if (/^(schemas\/(entities|settings|calls|common)|resources)\//.test(file))
      withTexts(document, (text, pointer) => {
        for (const [wrong, right] of SPELLING)
          if (wrong.test(text)) context.report({ file, pointer, message: `Write ${right}, as everywhere: "${text}".` });
        return text;
      });
}

/** A field of two states, one shown and one not, has the words of a pair. */
function states({ report }: CheckContext, file: string, entity: Schema): void {
  for (const [field, schema] of Object.entries(entity.properties ?? {})) {
    const options = optionsOf(schema);
    const [first, second] = [SHOWN, HIDDEN].map(side => options.find(one => side.includes(String(one.value))));
    if (options.length !== 2 || !first || !second) continue;
    if (PAIRS.some(([shown, hidden]) => first.title === shown && second.title === hidden)) continue;
    const at = options.findIndex(one => !PAIRS.flat().includes(one.title));
    report({
      file,
      pointer: `/properties/${field}/oneOf/${Math.max(0, at)}/title`,
      message:
        `Call these two states ${PAIRS.map(pair => pair.join(' and ')).join(', or ')}: ` +
        `"${first.title}" and "${second.title}" are other words for it.`,
    });
  }
}

/** A tab of one state has its word, where that is one of a pair: other states are named by what they are in their list. */
function tabs({ definitions, report }: CheckContext, file: string, { of, list }: Resource): void {
  const fields = definitions.entities[of ?? '']?.properties ?? {};
  list?.tabs?.forEach(({ title, filter = {} }, i) => {
    const [[field, values] = ['', undefined], more] = Object.entries(filter);
    const [value, others] = Array.isArray(values) ? values : [];
    if (more || value === undefined || others !== undefined) return;
    const named = optionsOf(fields[field]).find(one => one.value === value)?.title;
    if (named !== undefined && PAIRS.flat().includes(named) && title !== named)
      report({ file, pointer: `/list/tabs/${i}/title`, message: `The state is called "${named}": the tab has the same word.` });
  });
}

/** What makes a record says so with a verb of the table. */
function makers({ definitions, report }: CheckContext, file: string, { actions = [] }: Resource): void {
  actions.forEach(({ call, title, primary }, i) => {
    const made = definitions.calls[call];
    if (primary && made?.does === 'create' && !MAKES.includes(title.split(' ')[0] ?? ''))
      report({ file, pointer: `/actions/${i}/title`, message: `What makes a record begins with ${MAKES.join(', ')}: "${title}".` });
  });
}
