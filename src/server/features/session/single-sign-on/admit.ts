// Who came back from a store's sign-in service becomes a person of its team: one who is there already, or one who comes the first time.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../../generated/tables.ts';
import type { SingleSignOnSettings } from '../../../../generated/entities.ts';
import { later } from '../../../../domain/text/t.ts';
import { addMember, isTeamFull } from '../../team/new-member.ts';
import { roleOf } from '../../team/rules.ts';
import type { Arrival } from './sign-in-service.ts';

/** In English, as the account log keeps it; the person reads it in their language. */
export type Admitted = { userId: number; isNew: false } | { userId: number; isNew: true; roleName: string } | { refusal: string };

interface Found {
  id: number;
  type: string;
  sso_subject: string | null;
  is_removed: boolean;
  is_subject: boolean;
}

/** The host of an issuer, as people know their service. */
export const hostOfSubject = (subject: string): string => {
  const [issuer = ''] = subject.split(' ');
  return URL.canParse(issuer) ? new URL(issuer).host : issuer;
};
const issuerOf = (subject: string | null): string | undefined => subject?.split(' ')[0];

/**
 * Lets a person in, in a transaction of the store. The service's name of them counts before their address, which may be given to another
 * person one day. One who was removed from the team stays out until they are invited again.
 */
export async function admit(
  trx: Kysely<Tables>,
  storeId: number,
  page: Pick<SingleSignOnSettings, 'domains' | 'roleId'>,
  { subject, email, isVerified, firstName, lastName }: Arrival,
): Promise<Admitted> {
  if (email === undefined)
    return { refusal: later`The sign-in service names no e-mail address. It has to tell this admin the address of who signs in.` };
  if (!isVerified)
    return { refusal: later`The sign-in service has not confirmed this e-mail address. Confirm it there, then sign in again.` };
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (!page.domains?.includes(domain))
    return { refusal: later`This e-mail address does not belong to the team. Use that of your company.` };
  // Two sign-ins of one person at once make one user; so many people at once are no more than a team may have.
  await sql`select pg_advisory_xact_lock(hashtextextended('sso ' || ${storeId}::text, 0))`.execute(trx);
  const { rows } = await sql<Found>`select id, type, sso_subject, removed_at is not null as is_removed,
      coalesce(sso_subject = ${subject}, false) as is_subject
    from users where store_id = ${storeId}::integer and (sso_subject = ${subject} or lower(email) = ${email.toLowerCase()})
    order by (removed_at is null) desc, coalesce(sso_subject = ${subject}, false) desc, id desc limit 1`.execute(trx);
  const user = rows[0];
  if (user?.is_removed) return { refusal: later`You were removed from the team. Ask an admin of your store to invite you again.` };
  if (user?.type === 'LOOP_USER') return { refusal: later`This e-mail address does not belong to the team. Use that of your company.` };
  if (user && !user.is_subject && issuerOf(user.sso_subject) === issuerOf(subject))
    return {
      refusal: later`This e-mail address belonged to another person before. Ask an admin of your store to remove that user and invite you.`,
    };
  if (user) {
    if (!user.is_subject)
      await sql`update users set sso_subject = ${subject} where store_id = ${storeId}::integer and id = ${user.id}`.execute(trx);
    return { userId: user.id, isNew: false };
  }
  const role = page.roleId ? await roleOf({ trx, storeId }, page.roleId) : undefined;
  if (!role) return { refusal: later`You are not on the team yet. Ask an admin of your store to invite you.` };
  if (await isTeamFull({ trx, storeId })) return { refusal: later`The team is full. Ask an admin of your store to remove a user first.` };
  const userId = await addMember({ trx, storeId }, { email, firstName, lastName, ssoSubject: subject }, role);
  return { userId, isNew: true, roleName: role.name };
}
