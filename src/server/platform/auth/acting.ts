// Work that goes on after its request acts for a person: whether that person may still do it is asked
// again when it starts and before each step.
import type { Kysely } from 'kysely';
import { accessOf, USER_PERMISSION } from '../../../contract/access.ts';
import { isRead } from '../../../contract/calls.ts';
import { humanise } from '../../../contract/paths.ts';
import type { Call, Definitions } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { fillMessage, type Messages } from '../mail/message.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { unmet, type Need } from './needs.ts';
import { personNow, type SessionDefinitions } from './sessions.ts';

import { t, translated } from '../../../domain/text/t.ts';
import { writeLog } from '../records/account-log.ts';

export { unmet, type Need } from './needs.ts';

/** What the line of a call asks for. */
export function needsOfCall({ calls }: Pick<Definitions, 'calls'>, name: string): Need[] {
  const call: Pick<Call, 'does' | 'permission' | 'also' | 'feature'> | undefined = calls[name];
  if (!call) throw new Error(`There is no call "${name}" that says what its work needs.`);
  return [
    ...(call.feature ? [{ feature: call.feature }] : []),
    ...(call.permission ? [{ permission: call.permission, mode: isRead(call) ? ('READ' as const) : ('WRITE' as const) }] : []),
    ...(call.also ?? []).map(permission => ({ permission, mode: 'READ' as const })),
  ];
}

/** "the permission “Order actions” to make changes", for sentences about what is missing. */
export const permissionWords = ({ permissions }: Pick<Definitions, 'permissions'>, permission: string, mode: 'READ' | 'WRITE'): string =>
  mode === 'WRITE'
    ? t`the permission “${translated(permissions[permission]?.label ?? permission)}” to make changes`
    : t`the permission “${translated(permissions[permission]?.label ?? permission)}”`;

interface Where {
  trx: Kysely<Tables>;
  storeId: number;
}

/**
 * Why work that acts for a person may not go on: the person was removed, lost a right that it needs, or the store's plan lost the feature.
 * Undefined: it may. `userId` null is the system's own work, which needs no person's rights. One query.
 */
export async function withdrawn(
  { trx, storeId }: Where,
  definitions: SessionDefinitions,
  userId: number | null,
  needs: readonly Need[],
): Promise<string | undefined> {
  if (userId === null) return undefined;
  const person = await personNow(trx, definitions, storeId, userId);
  if (!person)
    return userId < 0
      ? 'The API token that it ran for was revoked.'
      : `${await nameOf({ trx, storeId }, userId)}, for whom it ran, is not on the team any more.`;
  const missing = unmet(person, needs);
  if (!missing) return undefined;
  const { name } = person.user;
  if ('feature' in missing)
    return `The plan ${person.session.plan.name} does not include ${humanise(missing.feature).toLowerCase()} any more.`;
  if ('owner' in missing) return `${name}, for whom it ran, does not own the store any more.`;
  // Without single permissions only the right to change those of others can be missing, and no work needs it.
  if (!accessOf(person.session).planHas(USER_PERMISSION)) return `${name}, for whom it ran, may not do this.`;
  return `${name}, for whom it ran, does not have ${permissionWords(definitions, missing.permission, missing.mode)} any more.`;
}

async function nameOf({ trx, storeId }: Where, userId: number): Promise<string> {
  const user = await trx
    .selectFrom('users')
    .select(['email', 'first_name', 'last_name'])
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return user ? `${user.first_name} ${user.last_name}`.trim() || user.email : 'The person';
}

export interface Ended {
  /** What ended, at the beginning of a sentence: "The bulk action “Pause”". */
  what: string;
  /** Why: the sentence of `withdrawn`. */
  reason: string;
  /** The line of the account log; `action` is what its kind calls the event, "bulk_action.ended". */
  action: string;
  category: string;
  entity: string;
  entityId: number;
}

/**
 * Writes into the account log that work was ended for want of rights, and tells the owner of the store. Goes with what ends it, in one
 * transaction. Answers who was notified.
 */
export async function tellEnded(
  { trx, storeId, messages }: Where & { messages: Messages },
  now: Date,
  { what, reason, action, category, entity, entityId }: Ended,
): Promise<string[]> {
  const description = `${what} was ended. ${reason}`;
  await writeLog(trx, storeId, { action, category, description, entity, entityId, after: { reason } }, { at: now });
  const owners = await trx
    .selectFrom('users')
    .select('email')
    .where('store_id', '=', storeId)
    .where('type', '=', 'OWNER')
    .where('removed_at', 'is', null)
    .execute();
  for (const { email } of owners)
    await enqueueMail(
      trx,
      storeId,
      {
        to: email,
        ...fillMessage(messages, 'OWNER_WORK_ENDED', {}, { what, why: reason }),
      },
      now,
    );
  return owners.map(({ email }) => email.toLowerCase());
}
