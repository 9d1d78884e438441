// Words that come too late: their text was changed since the edit began.
import type { JsonObject } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import { Refusal } from '../context.ts';
import type { TextSource } from './sources.ts';
import type { TextValue } from './values.ts';

/** Words for a text of which there is a newer version. */
export interface StaleText {
  /** Where they stand among those that were given. */
  place: number;
  source: TextSource;
  /** The words that were given; null: none of its own. */
  value: string | null;
  /** What is there now. */
  known: TextValue | undefined;
  /** The version that they were made from. */
  yours: number;
}

/** How many are listed one by one. */
const TOLD = 200;

/** Both sides' words as they go over the wire, with the person who changed the text, and when. */
export const staleWire = (stale: readonly StaleText[]): JsonObject[] =>
  stale.slice(0, TOLD).map(({ source, value, known }) => ({
    key: source.key,
    entityId: source.ownerId || null,
    categoryId: source.categoryId,
    label: source.label,
    yours: value,
    value: known?.value ?? null,
    version: known?.version ?? 0,
    updatedBy: known?.updatedBy ?? '',
    updatedAt: known?.updatedAt?.toISOString() ?? null,
  }));

/** @throws Refusal 409 STALE_VERSION with what each text says now (`conflict.current.translations`) */
export function refuseStale(stale: readonly StaleText[]): never {
  const [first] = stale as [StaleText];
  const who = first.known?.updatedBy ?? '';
  const message =
    stale.length > 1
      ? t`${stale.length} texts were changed while you were editing them. Compare both versions and save again.`
      : who
        ? t`${who} changed “${first.source.label}” while you were editing it. Compare both versions and save again.`
        : t`“${first.source.label}” was changed while you were editing it. Compare both versions and save again.`;
  throw new Refusal(409, 'STALE_VERSION', message, undefined, {
    conflict: {
      current: { translations: staleWire(stale) },
      version: first.known?.version ?? 0,
      yourVersion: first.yours,
      ...(who ? { changedBy: who } : {}),
      ...(first.known?.updatedAt ? { changedAt: first.known.updatedAt.toISOString() } : {}),
    },
  });
}
