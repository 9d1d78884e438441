// What is wrong with a template before it is filled in: it does not close, a filter that is not there, a name that nobody gives.
import { closest } from 'fastest-levenshtein';
import { parseTemplate, placeOf, usedVariables } from './liquid.ts';
import { t } from '../text/t.ts';

/** One thing that is wrong with a template, and where; line and column count from 1. */
export interface TemplateProblem {
  line: number;
  column: number;
  message: string;
  /** The name that is not there; absent where the template itself can't be read. */
  unknown?: string;
}

/**
 * Everything that is wrong with a template that may use these names. "customer" stands for all of its members; of a list or a document
 * ("subscription.products") everything may be read.
 */
export function templateProblems(text: string, names: readonly string[]): TemplateProblem[] {
  let used;
  try {
    used = usedVariables(parseTemplate(text));
  } catch (error) {
    const { line, column, message } = placeOf(error);
    return [{ line, column, message: t`This template is not right: ${message}.` }];
  }
  const isKnown = (path: string): boolean =>
    names.some(name => name === path || path.startsWith(`${name}.`) || name.startsWith(`${path}.`));
  return used
    .filter(({ path }) => !isKnown(path))
    .map(({ path, line, column }) => ({ line, column, unknown: path, message: t`There is no variable "${path}" for this message.` }));
}

/** The names that a template reads from outside; none where it can't be read. */
export function usedNames(text: string): string[] {
  try {
    return usedVariables(parseTemplate(text)).map(({ path }) => path);
  } catch {
    return [];
  }
}

/** The same for whoever writes the words of an e-mail: "Line 3: unknown variable {{custmer.name}}. Did you mean customer.name?" */
export function problemSentence({ line, message, unknown }: TemplateProblem, names: readonly string[], isOneLine = false): string {
  const where = isOneLine ? '' : t`Line ${line}:`;
  if (unknown === undefined) return `${where} ${message}`.trim();
  const near = names.length ? closest(unknown, [...names]) : undefined;
  const name = `{{${unknown}}}`;
  const other = `{{${near}}}`;
  const sentence = t`Unknown variable ${name}.`;
  return `${where} ${near ? t`${sentence} Did you mean ${other}?` : sentence}`.trim();
}
