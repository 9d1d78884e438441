// A page of the portal that takes more than one question, or fields: what it shows, and what its forms do.
import { sql } from 'kysely';
import { Refusal } from '../../../platform/context.ts';
import type { PageAnswer } from '../../../platform/http/public-pages.ts';
import type { PageRequest } from '../../../platform/http/page-request.ts';
import type { PendingCharge } from '../../../engine/index.ts';
import { actionsOf } from '../actions.ts';
import { at } from '../at.ts';
import { question, saying } from '../html.ts';
import { actionNamed } from '../perform.ts';
import type { Portal } from '../portal.ts';

/** What an address and a form of it say. */
export type Asked = Pick<PageRequest, 'query' | 'form'>;
export interface OwnPage {
  /** `refused`: why what was sent was not done; the form keeps what was typed. */
  show(portal: Portal, asked: Asked, refused?: Refusal): Promise<PageAnswer>;
  /** In a transaction that a Refusal undoes. The subscription is locked: of two presses the second finds what the first did. `charges` gets
   * those that are to be taken once it is written. */
  take(portal: Portal, asked: Asked, charges: PendingCharge[]): Promise<PageAnswer>;
}

/** Why an action is not there for this customer now, as a page; undefined where it is. */
export async function closed(portal: Portal, id: string): Promise<PageAnswer | undefined> {
  const action = actionNamed(await actionsOf(portal, {}, id), id, undefined);
  if (!action) return saying(portal, portal.say('portalUnavailable'), 403);
  return action.refusal === undefined ? undefined : question(portal, action);
}

/** Back to the page that it came from, which says what was done, or on to another one of the portal. */
export const goTo = (_portal: Portal, query: Readonly<Record<string, string | number>>): PageAnswer => ({ redirect: at(query) });

/** Sends what was filled in; a refusal is shown on the page that it came from. */
export async function send(
  page: OwnPage,
  asked: Asked,
  open: (work: (portal: Portal) => Promise<PageAnswer>) => Promise<PageAnswer>,
  charged: (charges: readonly PendingCharge[], answer: PageAnswer) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const charges: PendingCharge[] = [];
  try {
    const answer = await open(async portal => {
      const { context, subscription } = portal;
      // A transaction may run again.
      charges.length = 0;
      await sql`select 1 from contracts where store_id = ${context.storeId}::integer
        and id = ${subscription.contract.id}::bigint for update`.execute(context.trx);
      return page.take(portal, asked, charges);
    });
    return charges.length ? await charged(charges, answer) : answer;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return open(portal => page.show(portal, asked, error));
  }
}
