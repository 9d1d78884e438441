// Templates of people are read and filled in for the first time apart from everything else: nothing waits for what they may cost.
import type { Letter } from '../../../domain/messages/letter.ts';
import { problemSentence, type TemplateCheck, type TemplateProblem } from '../../../domain/messages/template-problems.ts';
import { Abandoned, Apart } from '../apart/apart.ts';
import { invalid } from '../context.ts';
import type { LetterDone, LetterTask } from './letter-process.ts';

/** Far more than LIMITS of liquid.ts let through, for a machine under load. */
const apart = new Apart<LetterTask, LetterDone>(import.meta.url, 'letter-process', { timeoutMs: 3000, waitingOfOne: 8, waiting: 64 });

const OVER: TemplateProblem = { line: 1, column: 1, kind: 'OVER', detail: '' };

/** Templates that are checked in one go: what many of them cost together is not held against one. */
const AT_ONCE = 8;

/** What is wrong with each of these templates of a store. @throws Refusal 429 */
export async function checkTemplates(storeId: number, checks: readonly TemplateCheck[]): Promise<TemplateProblem[][]> {
  const found: TemplateProblem[][] = [];
  for (let i = 0; i < checks.length; i += AT_ONCE) found.push(...(await checkSome(storeId, checks.slice(i, i + AT_ONCE))));
  return found;
}
async function checkSome(storeId: number, checks: readonly TemplateCheck[]): Promise<TemplateProblem[][]> {
  try {
    const done = await apart.run({ checks }, storeId);
    return 'problems' in done ? done.problems : [];
  } catch (error) {
    if (error instanceof Abandoned) return checks.map(() => [OVER]);
    throw error;
  }
}

/** A letter of a store, filled in. @throws Refusal 422 for words that can't be filled in with these values, 429 */
export async function fillLetter(
  storeId: number,
  words: { subject: string; body: readonly string[]; language?: string },
  values: object,
): Promise<Letter> {
  const done = await apart.run({ ...words, values }, storeId).catch((error: unknown): LetterDone => {
    if (error instanceof Abandoned) return { problem: OVER };
    throw error;
  });
  if ('letter' in done) return done.letter;
  const problem = 'problem' in done ? done.problem : OVER;
  throw invalid([{ pointer: '/body', rule: 'template', message: problemSentence(problem, []) }]);
}
