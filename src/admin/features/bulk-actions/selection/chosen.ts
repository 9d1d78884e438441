// The subscriptions of a draft: how many there are, which were named but can't be taken and why, and how the wire says the selection.
import { keepPreviousData } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { MAX_GIVEN } from '../../../../domain/text/bulk-limits.ts';
import { at } from '../../../../contract/paths.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import { useAsk } from '../../../platform/transport/calls.ts';
import { count } from '../../../platform/format.ts';
import type { Draft } from '../draft.ts';
import { csvOf, type FoundIds, idsOfCsv, idsOfText } from './ids.ts';
import type { Narrowed } from './list-filters.ts';
import { BULK } from '../bulk-calls.ts';
import { t } from '../../../../domain/text/t.ts';

/** Numbers that were named and are left out, by why. */
export interface Left {
  title: string;
  ids: string[];
}
export interface Chosen {
  /** As the wire has it; undefined while there is none that could be sent. */
  selection: JsonObject | undefined;
  count: number | undefined;
  isAsking: boolean;
  error: unknown;
  refetch: () => void;
  /** What a text or a file says; undefined for a filter, or where nothing was given yet. */
  found: FoundIds | undefined;
  left: Left[];
  /** Rows of a file that are left out; they go along, and its result says why. */
  leftRows: number;
  /** Why one can't go on, in a sentence. */
  problem: string | undefined;
}

const REASONS: Record<string, (n: number) => string> = {
  NOT_FOUND: n => (n === 1 ? t`1 number wasn't found` : t`${count(n)} numbers weren't found`),
  WRONG_STATUS: n =>
    n === 1 ? t`1 is in a state this action does not apply to` : t`${count(n)} are in a state this action does not apply to`,
  DUPLICATE: n =>
    n === 1 ? t`1 stands there more than once and is taken once` : t`${count(n)} stand there more than once and are taken once`,
};

export function useChosen(draft: Draft, narrowed: Narrowed): Chosen {
  const text = useDeferredValue(draft.mode === 'IDS' ? draft.pasted : draft.mode === 'CSV' ? (draft.file?.content ?? '') : '');
  const read = useMemo(
    () => (draft.mode === 'FILTER' || text.trim() === '' ? undefined : draft.mode === 'IDS' ? idsOfText(text) : idsOfCsv(text)),
    [draft.mode, text],
  );
  const found = typeof read === 'object' ? read : undefined;
  const given = !found ? 0 : draft.mode === 'CSV' ? found.ids.length + found.wrong.length + found.repeated : found.ids.length;
  const tooMany =
    given > MAX_GIVEN
      ? draft.mode === 'CSV'
        ? t`${count(given)} rows are more than one bulk action takes. Split them into parts of at most ${count(MAX_GIVEN)}.`
        : t`${count(given)} subscriptions are more than one bulk action takes. Split them into parts of at most ${count(MAX_GIVEN)}.`
      : undefined;

  const byFilter = useAsk<{ count?: number; isCapped?: boolean; limit?: number }>(
    BULK.count,
    draft.mode === 'FILTER'
      ? { ...(draft.actionKey ? { actionKey: draft.actionKey } : {}), selection: { mode: 'FILTER', ...narrowed } as JsonObject }
      : undefined,
    { placeholderData: keepPreviousData },
  );
  const byIds = useAsk<JsonObject>(
    BULK.validate,
    found?.ids.length && !tooMany
      ? { entityType: 'SUBSCRIPTION', ids: found.ids, ...(draft.actionKey ? { actionKey: draft.actionKey } : {}) }
      : undefined,
    { placeholderData: keepPreviousData },
  );

  return useMemo<Chosen>(() => {
    if (draft.mode === 'FILTER') {
      const n = byFilter.data?.count;
      const problem =
        n === 0
          ? t`No subscriptions match these filters.`
          : byFilter.data?.isCapped
            ? t`More than ${count(byFilter.data.limit ?? n ?? 0)} subscriptions match, which is more than one bulk action takes. ` +
              t`Narrow the filters.`
            : undefined;
      return {
        selection: { mode: 'FILTER', ...narrowed } as JsonObject,
        count: n,
        isAsking: byFilter.isFetching,
        error: byFilter.error,
        refetch: () => void byFilter.refetch(),
        found: undefined,
        left: [],
        leftRows: 0,
        problem,
      };
    }
    const answer = found?.ids.length && !tooMany ? byIds.data : undefined;
    const reasons = new Map<string, string[]>();
    const invalid = Array.isArray(answer?.invalid) ? answer.invalid : [];
    const out = new Set(invalid.map(one => String(at(one, 'id'))));
    const valid = answer && found?.ids.filter(id => !out.has(String(id)));
    for (const one of invalid)
      reasons.set(String(at(one, 'reason')), [...(reasons.get(String(at(one, 'reason'))) ?? []), String(at(one, 'id'))]);
    const left: Left[] = [
      ...(found?.wrong.length
        ? [
            {
              title:
                found.wrong.length === 1
                  ? t`1 entry is no subscription number`
                  : t`${count(found.wrong.length)} entries are no subscription numbers`,
              ids: found.wrong.map(one => t`line ${one.line}: ${one.text || t`empty`}`),
            },
          ]
        : []),
      ...[...reasons].map(([reason, ids]) => ({ title: REASONS[reason]?.(ids.length) ?? t`${count(ids.length)} can't be taken`, ids })),
    ];
    const problem =
      typeof read === 'string'
        ? read
        : (tooMany ??
          (found && found.ids.length === 0
            ? t`Select at least one subscription.`
            : valid?.length === 0
              ? t`None of these subscriptions can be taken.`
              : undefined));
    const selection: JsonObject | undefined = !valid?.length
      ? undefined
      : draft.mode === 'IDS'
        ? { mode: 'IDS', ids: valid }
        : { mode: 'CSV', fileName: draft.file?.name ?? '', content: csvOf(text) };
    return {
      selection,
      count: found ? valid?.length : undefined,
      isAsking: byIds.isFetching,
      error: byIds.error,
      refetch: () => void byIds.refetch(),
      found,
      left,
      leftRows: draft.mode === 'CSV' && valid ? given - valid.length : 0,
      problem: problem ?? (found || typeof read === 'string' ? undefined : t`Select at least one subscription.`),
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- refetching is stable
  }, [
    draft.mode,
    draft.file,
    narrowed,
    byFilter.data,
    byFilter.isFetching,
    byFilter.error,
    byIds.data,
    byIds.isFetching,
    byIds.error,
    found,
    read,
    text,
    tooMany,
    given,
  ]);
}
