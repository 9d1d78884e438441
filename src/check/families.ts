// Events and messages: every name they use is there, and every template can be filled in.
import { variablesOf } from '../contract/messages.ts';
import type { MessageKind } from '../contract/types.ts';
import { renderLetter, samplesOf } from '../domain/messages/letter.ts';
import { placeOf } from '../domain/messages/liquid.ts';
import { problemMessage, templateProblems } from '../domain/messages/template-problems.ts';
import { checkTexts } from './texts.ts';
import { isObject, known, type CheckContext } from './context.ts';

export function checkFamilies(context: CheckContext): void {
  checkEvents(context);
  for (const message of Object.values(context.definitions.messages)) checkMessage(context, message);
  checkTexts(context);
}

function checkEvents(context: CheckContext): void {
  const where = new Map<string, string>();
  for (const [file, document] of Object.entries(context.documents)) {
    if (!file.startsWith('schemas/events/') || !context.sound(file) || !isObject(document) || !isObject(document.events)) continue;
    for (const [key, raw] of Object.entries(document.events)) {
      const at = `/events/${key}`;
      const before = where.get(key);
      if (before) context.report({ file, pointer: at, on: 'key', message: `The event "${key}" stands in ${before} already.` });
      where.set(key, file);
      const { payload = [], personal = [] } = raw as { payload?: string[]; personal?: string[] };
      if (context.options.events && !context.options.events.includes(key))
        context.report({ file, pointer: at, on: 'key', message: neverWritten(key) });
      personal.forEach((name, i) =>
        known(context, file, `${at}/personal/${i}`, name, payload, wrong => `The event does not tell "${wrong}".`),
      );
    }
  }
}

const neverWritten = (key: string): string =>
  `No code of the server writes the event "${key}", so nothing that follows it ever happens. ` +
  'Write it where it happens (emit, work.note), or leave it out.';

function checkMessage(context: CheckContext, message: MessageKind): void {
  const file = `schemas/messages/${message.key}.json`;
  if (!context.sound(file)) return;
  const { definitions } = context;
  if (message.when)
    known(
      context,
      file,
      '/when/event',
      message.when.event,
      Object.keys(definitions.events),
      name => `There is no event "${name}" in schemas/events.`,
    );
  if (message.when && definitions.events[message.when.event] && context.options.events?.includes(message.when.event) === false)
    context.report({ file, pointer: '/when/event', message: neverWritten(message.when.event) });
  if (message.when && Object.keys(message.variables).length)
    context.report({
      file,
      pointer: '/variables',
      message: 'A message that follows an event has no sender to give it variables; use "event.…".',
    });
  for (const name of Object.keys(message.variables))
    if (definitions.messageVariables[name] || definitions.messageVariables[`${name}.name`])
      context.report({ file, pointer: `/variables/${name}`, on: 'key', message: `"${name}" is a variable of all messages already.` });
  const names = Object.keys(variablesOf(definitions, message));
  const templates: [pointer: string, text: string][] = [
    ['/subject', message.subject],
    ...message.body.map((text, i): [string, string] => [`/body/${i}`, text]),
  ];
  const sound = templates.map(([pointer, text]) => checkTemplate(context, file, pointer, text, names)).every(Boolean);
  if (sound) checkFilled(context, file, message);
}

/** Letters of a text before a line and a column, both counted from 1. */
const letters = (text: string, line: number, column: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, one) => sum + one.length + 1, column - 1);

function checkTemplate(context: CheckContext, file: string, pointer: string, text: string, names: readonly string[]): boolean {
  const problems = templateProblems({ text, names });
  for (const problem of problems)
    context.report({
      file,
      pointer,
      inside: letters(text, problem.line, problem.column),
      message: problemMessage(problem),
      ...(problem.kind === 'UNKNOWN' ? { wanted: problem.detail, among: names } : {}),
    });
  return problems.length === 0;
}

/**
 * Fills in the samples: what only shows then (a filter that can't take the value) is reported as well. What an event holds is not
 * known here.
 */
function checkFilled(context: CheckContext, file: string, message: MessageKind): void {
  if (message.when) return;
  try {
    renderLetter(message, samplesOf({ ...context.definitions.messageVariables, ...message.variables }));
  } catch (error) {
    context.report({ file, pointer: '/body', message: `With the samples this message can't be filled in: ${placeOf(error).message}.` });
  }
}
