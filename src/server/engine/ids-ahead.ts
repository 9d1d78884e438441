// Ids of rows before they are written.
import type { Kysely } from 'kysely';
import type { Tables } from '../../generated/tables.ts';
import { newIds } from './rows.ts';

/** Tables whose rows get their ids before they are written. */
export type NumberedTable = 'contracts' | 'contract_lines' | 'contract_discounts';

/** Hands out ids one by one: those that it was given, then fresh ones of the database. */
export class IdsAhead {
  readonly #trx: Kysely<Tables>;
  readonly #given = new Map<NumberedTable, number[]>();
  constructor(trx: Kysely<Tables>) {
    this.#trx = trx;
  }

  /** Many that were fetched at once, or those of a rehearsal whose rows are never written. */
  give(table: NumberedTable, ids: readonly number[]): void {
    this.#given.set(table, [...(this.#given.get(table) ?? []), ...ids]);
  }
  async next(table: NumberedTable): Promise<number> {
    return this.#given.get(table)?.shift() ?? ((await newIds(this.#trx, table, 1))[0] as number);
  }
}
