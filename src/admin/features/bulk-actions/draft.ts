// A bulk action on its way to be started: what was chosen so far, kept in this tab for this person, so that a reload loses nothing.
import type { JsonObject } from '../../../contract/types.ts';
import { newKey } from '../../platform/transport/transport.ts';
import { storageOwner } from '../../platform/session/storage-owner.ts';
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

const keyOf = (): string => `perennial.bulk-draft:${storageOwner()}`;
const storage = (): Storage | undefined => {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
};

export function readDraft(): Draft | undefined {
  try {
    const kept = storage()?.getItem(keyOf());
    return kept ? { ...emptyDraft(), ...(JSON.parse(kept) as Partial<Draft>) } : undefined;
  } catch {
    return undefined;
  }
}
export function keepDraft(draft: Draft): void {
  try {
    storage()?.setItem(keyOf(), JSON.stringify(draft));
  } catch {
    /* the file is too large to be kept: all works but the reload */
  }
}
export function dropDraft(): void {
  try {
    storage()?.removeItem(keyOf());
  } catch {
    /* nothing is kept then */
  }
}

/** Whether anything was chosen yet. */
export const isTouched = (draft: Draft): boolean =>
  draft.actionKey !== undefined || draft.search !== '' || draft.pasted.trim() !== '' || draft.file !== undefined;
