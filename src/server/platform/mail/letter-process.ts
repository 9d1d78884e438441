// The process in which templates of people are read and filled in for the first time.
import { renderLetter, type Letter } from '../../../domain/messages/letter.ts';
import { OverLimit, placeOf } from '../../../domain/messages/liquid.ts';
import { templateProblems, type TemplateCheck, type TemplateProblem } from '../../../domain/messages/template-problems.ts';
import { serveApart } from '../apart/serve-apart.ts';

export type LetterTask =
  | { checks: readonly TemplateCheck[] }
  | { subject: string; body: readonly string[]; language?: string; values: object };
export type LetterDone = { problems: TemplateProblem[][] } | { letter: Letter } | { problem: TemplateProblem };

function work(task: LetterTask): LetterDone {
  if ('checks' in task) return { problems: task.checks.map(templateProblems) };
  try {
    return { letter: renderLetter({ subject: task.subject, body: [...task.body] }, task.values, task.language) };
  } catch (error) {
    const { line, column, message } = placeOf(error);
    return { problem: { line, column, kind: error instanceof OverLimit ? 'OVER' : 'UNFILLED', detail: message } };
  }
}

serveApart(work);
