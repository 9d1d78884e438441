// "Exactly one" and "at most so many" are checked by looking at other rows: one transaction at a time checks and writes.
import { sql } from 'kysely';
import type { Call, Definitions } from '../../../contract/types.ts';
import type { Context } from '../context.ts';
import type { Registry } from './registry.ts';

/**
 * Lets one writer of a kind at a time into a store, until its transaction ends. Take it before the first look at what the check counts,
 * and before any row is locked. On PostgreSQL writers wait for each other; the embedded database has one connection anyway.
 */
export const oneAtATime = ({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, kind: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} one ${kind}`}, 0))`.execute(trx);

/**
 * Whether writes of a call are let in one at a time: where rules or guards of its entity may look at other records. Handlers with
 * transactions of their own see to it themselves.
 */
export function isOneAtATime({ entities }: Pick<Definitions, 'entities'>, { rules, guards }: Registry, { of }: Pick<Call, 'of'>): boolean {
  const moves = Object.values(entities[of]?.['x-states']?.moves ?? {});
  return (
    rules[of]?.validate !== undefined || rules[of]?.oneAtATime === true || moves.some(({ guard }) => guard !== undefined && guard in guards)
  );
}
