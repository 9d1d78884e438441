// Two people, one record: a write that names an old version is refused with both versions, so that nothing is overwritten unseen.
import type { JsonObject } from '../../../contract/types.ts';
import { Refusal, type Context } from '../context.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** Who wrote the version that the server has now. */
export interface LastWrite {
  by: string;
  at: Date | null;
}

/**
 * Compares the version the caller read (`if-match` or `version`) with the record's. No version given: no check.
 * Call it with the row locked. @throws Refusal 409 STALE_VERSION with `conflict`
 */
export function checkVersion(
  context: Pick<Context, 'expectedVersion'>,
  what: string,
  current: JsonObject,
  version: number,
  last?: LastWrite,
): void {
  const yours = context.expectedVersion;
  if (yours === undefined || yours === version) return;
  const name = translated(what);
  throw new Refusal(
    409,
    'STALE_VERSION',
    last?.by
      ? t`${last.by} changed this ${name} while you were editing it. Compare both versions and save again.`
      : t`This ${name} was changed while you were editing it. Compare both versions and save again.`,
    undefined,
    {
      conflict: {
        current,
        version,
        yourVersion: yours,
        ...(last?.by ? { changedBy: last.by } : {}),
        ...(last?.at ? { changedAt: last.at.toISOString() } : {}),
      },
    },
  );
}
