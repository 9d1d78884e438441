// Events and messages: every name they use is there, and every template can be filled in.
import type { MessageKind } from '../contract/types.ts';
import { renderLetter, samplesOf } from '../domain/messages/letter.ts';
import { parseTemplate, placeOf, usedVariables } from '../domain/messages/liquid.ts';
import { isObject, known, type World } from './world.ts';

export function checkFamilies(world: World): void {
  checkEvents(world);
  for (const message of Object.values(world.definitions.messages)) checkMessage(world, message);
}

function checkEvents(world: World): void {
  const where = new Map<string, string>();
  for (const [file, document] of Object.entries(world.documents)) {
    if (!file.startsWith('schemas/events/') || !world.sound(file) || !isObject(document) || !isObject(document.events)) continue;
    for (const [key, raw] of Object.entries(document.events)) {
      const at = `/events/${key}`;
      const before = where.get(key);
      if (before) world.report({ file, pointer: at, on: 'key', message: `The event "${key}" stands in ${before} already.` });
      where.set(key, file);
      const { payload = [], personal = [] } = raw as { payload?: string[]; personal?: string[] };
      personal.forEach((name, i) =>
        known(world, file, `${at}/personal/${i}`, name, payload, wrong => `The event does not tell "${wrong}".`),
      );
    }
  }
}

/** The names that the templates of a message may use. */
function namesOf(world: World, message: MessageKind): string[] {
  const payload = message.when ? (world.definitions.events[message.when.event]?.payload ?? []) : [];
  return [...Object.keys(world.definitions.messageVariables), ...Object.keys(message.variables), ...payload.map(name => `event.${name}`)];
}

function checkMessage(world: World, message: MessageKind): void {
  const file = `schemas/messages/${message.key}.json`;
  if (!world.sound(file)) return;
  const { definitions } = world;
  if (message.when)
    known(
      world,
      file,
      '/when/event',
      message.when.event,
      Object.keys(definitions.events),
      name => `There is no event "${name}" in schemas/events.`,
    );
  if (message.when && Object.keys(message.variables).length)
    world.report({
      file,
      pointer: '/variables',
      message: 'A message that follows an event has nobody to give it variables; use "event.…".',
    });
  for (const name of Object.keys(message.variables))
    if (definitions.messageVariables[name] || definitions.messageVariables[`${name}.name`])
      world.report({ file, pointer: `/variables/${name}`, on: 'key', message: `"${name}" is a variable of all messages already.` });
  const names = namesOf(world, message);
  const templates: [pointer: string, text: string][] = [
    ['/subject', message.subject],
    ...message.body.map((text, i): [string, string] => [`/body/${i}`, text]),
  ];
  const sound = templates.map(([pointer, text]) => checkTemplate(world, file, pointer, text, names)).every(Boolean);
  if (sound) checkFilled(world, file, message);
}

/** Letters of a text before a line and a column, both counted from 1. */
const letters = (text: string, line: number, column: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, one) => sum + one.length + 1, column - 1);

function checkTemplate(world: World, file: string, pointer: string, text: string, names: readonly string[]): boolean {
  let used;
  try {
    used = usedVariables(parseTemplate(text));
  } catch (error) {
    const { line, column, message } = placeOf(error);
    world.report({ file, pointer, inside: letters(text, line, column), message: `This template is not right: ${message}.` });
    return false;
  }
  // "customer" stands for all of its members; of a list or a document everything may be read.
  const isKnown = (path: string): boolean =>
    names.some(name => name === path || path.startsWith(`${name}.`) || name.startsWith(`${path}.`));
  const wrong = used.filter(({ path }) => !isKnown(path));
  for (const { path, line, column } of wrong)
    world.report({
      file,
      pointer,
      inside: letters(text, line, column),
      message: `There is no variable "${path}" for this message.`,
      wanted: path,
      among: names,
    });
  return wrong.length === 0;
}

/**
 * Fills in the samples: what only shows then (a filter that can't take the value) is told as well. What an event holds is not
 * known here.
 */
function checkFilled(world: World, file: string, message: MessageKind): void {
  if (message.when) return;
  try {
    renderLetter(message, samplesOf({ ...world.definitions.messageVariables, ...message.variables }));
  } catch (error) {
    world.report({ file, pointer: '/body', message: `With the samples this message can't be filled in: ${placeOf(error).message}.` });
  }
}
