// A bulk action on its way to be started: what was chosen so far, kept in this tab for this person, so that a reload loses nothing.
import type { JsonObject } from '../../../contract/types.ts';
import { newKey } from '../../platform/transport/transport.ts';
import { draftStorage } from '../../platform/session/draft-storage.ts';
import { t } from '../../../domain/text/t.ts';

export type Step = 'action' | 'subscriptions' | 'input' | 'review';
export const STEPS: readonly { id: Step; title: string }[] = [
  { id: 'action', title: t`Choose action` },
  { id: 'subscriptions', title: t`Choose subscriptions` },
  { id: 'input', title: t`Set up the change` },
  { id: 'review', title: t`Review and start` },
];
export type Mode = 'FILTER' | 'IDS' | 'CSV';

export interface Draft {
  /** Of the start: kept over retries, so that a start that got no answer is not started twice. */
  key: string;
  actionKey?: string;
  mode: Mode;
  /** Search and filters of the list of subscriptions, as its address writes them. */
  search: string;
  /** Ids as they were pasted. */
  pasted: string;
  file?: { name: string; content: string };
  /** What was filled in, by action: another action and back loses nothing. */
  inputs: Record<string, JsonObject>;
  when: 'NOW' | 'LATER';
  /** Of a later start: day and hour in the store's time zone. */
  day: string;
  hour: number;
}

export const emptyDraft = (): Draft => ({
  key: newKey(),
  mode: 'FILTER',
  search: '',
  pasted: '',
  inputs: {},
  when: 'NOW',
  day: '',
  hour: 9,
});

const place = () => draftStorage<Partial<Draft>>('bulk-action');

export function readDraft(): Draft | undefined {
  const draft = place().read();
  return draft && { ...emptyDraft(), ...draft };
}
export const keepDraft = (draft: Draft): void => place().write(draft);
export const dropDraft = (): void => place().clear();

/** Whether anything was chosen yet. */
export const isTouched = (draft: Draft): boolean =>
  draft.actionKey !== undefined || draft.search !== '' || draft.pasted.trim() !== '' || draft.file !== undefined;
