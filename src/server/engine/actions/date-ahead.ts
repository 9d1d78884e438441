// A date of a form that has to lie ahead.
import type { FieldError } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';

/** @returns what is wrong with a date (epoch seconds) that is past or now */
export const ahead = (at: number | undefined, pointer: string, now: Date): FieldError[] =>
  at !== undefined && at * 1000 <= now.getTime() ? [{ pointer, rule: 'date', message: t`Choose a date after today.` }] : [];
