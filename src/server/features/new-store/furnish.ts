// What every store begins with, however it was opened. All of it can be changed and deleted.
import type { Kysely } from 'kysely';
import type { Definitions } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { OpenedStore } from '../../platform/auth/open-store.ts';
import { DEFAULT_REASONS, writeReasons } from '../cancellation-flows/default-reasons.ts';
import { writeReadyRoles } from '../team/ready-roles.ts';
import { writeStandardWidget } from '../widgets/standard-widget.ts';

/** Writes it in the transaction that opened the store. In version 1 the widget is a snippet, which merchants put into their themes. */
export async function furnish(trx: Kysely<Tables>, definitions: Definitions, made: OpenedStore, widgetVersion = 2): Promise<void> {
  const { storeId, email } = made;
  await writeReasons(trx, storeId, email, DEFAULT_REASONS, Date.now());
  await writeReadyRoles(trx, definitions, storeId, email);
  if (widgetVersion >= 2) await writeStandardWidget(trx, definitions, storeId, email);
}
