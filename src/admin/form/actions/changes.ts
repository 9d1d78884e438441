// What differs between two states of a record, in words: for the person whose change came too late.
import { same } from '../../../contract/paths.ts';
import type { ErrorAnswer, JsonObject, Schema } from '../../../contract/types.ts';
import { dayTime } from '../../platform/format.ts';
import { wordsOf } from '../../platform/interpolate.ts';
import { inSentence, t } from '../../../domain/text/t.ts';

export interface FieldChange {
  title: string;
  before: string;
  after: string;
}
/** Fields that say nothing to people. */
const QUIET = new Set(['version', 'updatedAt', 'updatedAtEpoch', 'actions', 'refusals']);

/** The titled fields whose value differs, in the schema's order, with both values in words. */
export function changedFields(schema: Schema | undefined, before: JsonObject, after: JsonObject): FieldChange[] {
  const currency = typeof after.currencyCode === 'string' ? after.currencyCode : undefined;
  const seen = new Set<string>();
  return Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => {
    if (QUIET.has(name) || !field.title || seen.has(field.title) || !(name in after) || same(before[name] ?? null, after[name] ?? null))
      return [];
    seen.add(field.title);
    return [{ title: field.title, before: wordsOf(before[name], field, currency), after: wordsOf(after[name], field, currency) }];
  });
}

/** "Ana Ruiz changed this on Nov 21, 2026, 9:30 AM: status is now Paused, next order." with what to do next. */
export function conflictWords(conflict: NonNullable<ErrorAnswer['conflict']>, schema: Schema | undefined, before: JsonObject): string {
  const changes = changedFields(schema, before, conflict.current);
  const who = conflict.changedBy || t`Someone else or a scheduled run`;
  const when = conflict.changedAt && dayTime(conflict.changedAt);
  const named = changes
    .slice(0, 3)
    .map(({ title, after }) => (after && after.length <= 40 ? t`${inSentence(title)} is now ${after}` : inSentence(title)));
  const [some, others] = [named.join(', '), changes.length - 3];
  const what = others > 0 ? t`${some} and ${others} more` : some;
  if (when)
    return what
      ? t`${who} changed this meanwhile on ${when}: ${what}. You see the new state now; look at it and try again.`
      : t`${who} changed this meanwhile on ${when}. You see the new state now; look at it and try again.`;
  return what
    ? t`${who} changed this meanwhile: ${what}. You see the new state now; look at it and try again.`
    : t`${who} changed this meanwhile. You see the new state now; look at it and try again.`;
}
