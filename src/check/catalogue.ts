// The catalogue of conditions: kinds, operators, facts and events that it names are there, and facts hold what their kind compares.
import { KINDS_FILE, FOLDER } from '../contract/conditions.ts';
import { ATTRIBUTE, CONDITION_FACTS, factKindOf } from '../domain/conditions/facts.ts';
import { OPERATORS } from '../domain/conditions/evaluate.ts';
import { pointer } from '../contract/paths.ts';
import { isObject, known, type CheckContext } from './context.ts';

interface Kind {
  operators?: string[];
  facts?: string;
}

export function checkConditions(context: CheckContext): void {
  const document = context.documents[KINDS_FILE];
  if (!isObject(document) || !context.sound(KINDS_FILE)) return;
  const operators = Object.keys(isObject(document.operators) ? document.operators : {});
  const kinds = (isObject(document.kinds) ? document.kinds : {}) as Record<string, Kind>;
  for (const [name, kind] of Object.entries(kinds))
    (kind.operators ?? []).forEach((operator, i) =>
      known(
        context,
        KINDS_FILE,
        pointer(['kinds', name, 'operators', String(i)]),
        operator,
        operators,
        wrong => `There is no operator "${wrong}".`,
      ),
    );
  const where = new Map<string, string>();
  for (const [file, one] of Object.entries(context.documents)) {
    if (!file.startsWith(FOLDER) || file === KINDS_FILE || !context.sound(file) || !isObject(one) || !isObject(one.conditions)) continue;
    for (const [key, raw] of Object.entries(one.conditions)) {
      const before = where.get(key);
      if (before)
        context.report({
          file,
          pointer: pointer(['conditions', key]),
          on: 'key',
          message: `The condition "${key}" stands in ${before} already.`,
        });
      where.set(key, file);
      if (isObject(raw)) checkOne(context, file, key, raw as One, kinds);
    }
  }
}

type One = {
  kind: string;
  fact: string;
  permission?: string;
  operators?: string[];
  events?: string[];
  value: { type?: unknown; format?: unknown };
};

function checkOne(context: CheckContext, file: string, key: string, one: One, kinds: Record<string, Kind>): void {
  const at = (...steps: string[]): string => pointer(['conditions', key, ...steps]);
  known(context, file, at('kind'), one.kind, Object.keys(kinds), name => `There is no kind "${name}" in ${KINDS_FILE}.`);
  const areas = Object.keys(context.definitions.permissions);
  known(
    context,
    file,
    at('permission'),
    one.permission,
    areas,
    name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
  );
  const kind = kinds[one.kind];
  const facts = factKindOf(one.fact);
  if (facts === undefined)
    known(
      context,
      file,
      at('fact'),
      one.fact,
      [...Object.keys(CONDITION_FACTS), ATTRIBUTE],
      name => `There is no fact "${name}" in src/domain/conditions/facts.ts; an attribute of the subscription is "attribute:its key".`,
    );
  else if (kind?.facts && kind.facts !== facts)
    context.report({
      file,
      pointer: at('fact'),
      message: `A condition of the kind "${one.kind}" compares ${kind.facts}; "${one.fact}" holds ${facts}.`,
    });
  one.operators?.forEach((operator, i) =>
    known(
      context,
      file,
      at('operators', String(i)),
      operator,
      kind?.operators ?? OPERATORS,
      name => `The kind "${one.kind}" has no operator "${name}".`,
    ),
  );
  one.events?.forEach((event, i) =>
    known(
      context,
      file,
      at('events', String(i)),
      event,
      Object.keys(context.definitions.events),
      name => `There is no event "${name}" in schemas/events.`,
    ),
  );
  const wanted = { number: 'integer', ids: 'integer', money: 'string', text: 'string', texts: 'string' }[kind?.facts ?? ''];
  const type = context.definitions.conditions[key]?.value.type;
  if (wanted && type !== wanted)
    context.report({ file, pointer: at('value'), message: `One value of the kind "${one.kind}" is of the type ${wanted}.` });
  if (kind?.facts === 'money' && context.definitions.conditions[key]?.value.format !== 'money')
    context.report({ file, pointer: at('value'), message: 'An amount has the format "money".' });
}
