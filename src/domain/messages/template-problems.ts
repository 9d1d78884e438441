// What is wrong with a template: it does not close, a filter that is not there, a name that has no value, work beyond the limits.
import { closest } from 'fastest-levenshtein';
import { renderLetter } from './letter.ts';
import { OverLimit, parseTemplate, placeOf, usedVariables } from './liquid.ts';
import { t } from '../text/t.ts';

/** One thing that is wrong with a template, and where; line and column count from 1. */
export interface TemplateProblem {
  line: number;
  column: number;
  /**
   * UNKNOWN: a name that has no value; BROKEN: the template can't be read; UNFILLED: it can't be filled in with these values; OVER: it
   * takes more work than a letter may; ADDRESS: a customer's own link is made part of something else.
   */
  kind: 'UNKNOWN' | 'BROKEN' | 'UNFILLED' | 'OVER' | 'ADDRESS';
  /** The name, or the reason. */
  detail: string;
}

/** A template with what it may name and, where they are known, values to fill it in with. */
export interface TemplateCheck {
  text: string;
  names: readonly string[];
  values?: object;
}

const failed = (error: unknown, kind: 'BROKEN' | 'UNFILLED'): TemplateProblem => {
  const { line, column, message } = placeOf(error);
  return { line, column, kind: error instanceof OverLimit ? 'OVER' : kind, detail: message };
};

/**
 * Everything that is wrong with a template that may use these names. "customer" stands for all of its members; of a list or a document
 * ("subscription.products") everything may be read. What shows only when the values are filled in comes where nothing else is wrong.
 */
export function templateProblems({ text, names, values }: TemplateCheck): TemplateProblem[] {
  let used;
  try {
    used = usedVariables(parseTemplate(text));
  } catch (error) {
    return [failed(error, 'BROKEN')];
  }
  const isKnown = (path: string): boolean =>
    names.some(name => name === path || path.startsWith(`${name}.`) || name.startsWith(`${path}.`));
  const unknown = used
    .filter(({ path }) => !isKnown(path))
    .map(({ path, line, column }): TemplateProblem => ({ line, column, kind: 'UNKNOWN', detail: path }));
  const found = [...unknown, ...linkProblems(text)];
  if (found.length || !values) return found;
  try {
    renderLetter({ subject: text, body: [] }, values);
    return [];
  } catch (error) {
    return [failed(error, 'UNFILLED')];
  }
}

/** Variables that are links of customers: who has one may do what the customer may. */
const LINKS = /\b(?:link|giftPage|quickAction)\b|\b(?:portal|card)\b(?!\s*\.)/;
/** What may stand before a link: the beginning of a word, of the address of a link in Markdown, or of one in HTML. */
const BEFORE_LINK = /(?:^|[\s<>]|\]\(|href=["'])$/;
const LONGEST_BEFORE = 'href="'.length;

/** The outputs and tags of a template, with where each begins. */
function partsOf(text: string): { part: string; index: number }[] {
  const parts: { part: string; index: number }[] = [];
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at)) {
    const end = text.startsWith('{{', at) ? '}}' : text.startsWith('{%', at) ? '%}' : undefined;
    const to = end === undefined ? at - 1 : text.indexOf(end, at + 2);
    // What is not closed is reported by the code that reads the template.
    if (end !== undefined && to < 0) return parts;
    if (end !== undefined) parts.push({ part: text.slice(at, to + 2), index: at });
    at = to + 2;
  }
  return parts;
}

/** Links of customers stand for themselves: as part of another address they would tell its owner how to come in. */
function linkProblems(text: string): TemplateProblem[] {
  const found: TemplateProblem[] = [];
  let captures = 0;
  for (const { part, index } of partsOf(text)) {
    const [, tag] = /^\{%-?\s*(\w+)/.exec(part) ?? [];
    if (tag === 'capture') captures++;
    if (tag === 'endcapture') captures--;
    if (!LINKS.test(part)) continue;
    const isAsked = tag === 'if' || tag === 'elsif' || tag === 'unless';
    const isShown = /^\{\{-?\s*[\w.]+\s*-?\}\}$/.test(part) && BEFORE_LINK.test(text.slice(Math.max(0, index - LONGEST_BEFORE), index));
    if (captures === 0 && (isAsked || isShown)) continue;
    const lines = text.slice(0, index).split('\n');
    found.push({
      line: lines.length,
      column: (lines.at(-1)?.length ?? 0) + 1,
      kind: 'ADDRESS',
      detail: part.replace(/^\{[{%]-?\s*|\s*-?[}%]\}$/g, ''),
    });
  }
  return found;
}

/** The names that a template reads from outside; none where it can't be read. */
export function usedNames(text: string): string[] {
  try {
    return usedVariables(parseTemplate(text)).map(({ path }) => path);
  } catch {
    return [];
  }
}

/** What is wrong, without the place. */
export function problemMessage({ kind, detail }: TemplateProblem): string {
  if (kind === 'UNKNOWN') return t`There is no variable "${detail}" for this message.`;
  if (kind === 'ADDRESS')
    return t`“${detail}” is the customer's own link: write it by itself, such as {{ link }}, not as part of another address and without
      filters.`;
  if (kind === 'OVER') return t`This takes too much work to fill in. Use fewer and shorter loops, and less text in them.`;
  return t`This template is not right: ${detail}.`;
}

/** The same for the person who writes the words: "Line 3: unknown variable {{custmer.name}}. Did you mean customer.name?" */
export function problemSentence(problem: TemplateProblem, names: readonly string[], isOneLine = false): string {
  const { line, kind, detail } = problem;
  if (kind === 'OVER') return problemMessage(problem);
  if (kind === 'UNFILLED') return t`Line ${line}: this can't be filled in, ${detail}.`;
  const where = isOneLine ? '' : t`Line ${line}:`;
  if (kind === 'BROKEN' || kind === 'ADDRESS') return `${where} ${problemMessage(problem)}`.trim();
  const near = names.length ? closest(detail, [...names]) : undefined;
  const name = `{{${detail}}}`;
  const other = `{{${near}}}`;
  const sentence = t`Unknown variable ${name}.`;
  return `${where} ${near ? t`${sentence} Did you mean ${other}?` : sentence}`.trim();
}
