// Links by which a customer does something to one subscription without signing in. A link says the store, the subscription, what is to be
// done and until when, and is signed with the store's secret: nothing is kept of it before it is used.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { camelCase } from '../../contract/actions.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/db/database.ts';
import { LINKS, type LinkKind } from '../../generated/actions.ts';
import type { LinkSecret } from '../platform/http/link-secret.ts';

/** How long a link of a quick action is good (actions.md 2.6). */
export const LINK_DAYS = 30;
const DAY_MS = 86_400_000;

/** What quick actions are called in variables of e-mails and in links: the name of their kind as "skipOrder". */
export const LINK_NAMES = Object.fromEntries(Object.keys(LINKS).map(kind => [kind, camelCase(kind)])) as Readonly<Record<LinkKind, string>>;

/** Kinds that quick actions have; the others are those of campaigns alone. */
const QUICK = (Object.keys(LINKS) as LinkKind[]).filter(kind => (LINKS[kind] as { quickAction?: false }).quickAction !== false);

export interface Link {
  storeId: number;
  contractId: number;
  /** The name of a quick action, or "c" and the number of a campaign. */
  what: string;
  expiresAt: Date;
}
type Holder = { id: number; link_secret: string };

const signature = (secret: string, said: string): string => createHmac('sha256', secret).update(said).digest('base64url').slice(0, 22);
const saidOf = ({ storeId, contractId, what, expiresAt }: Link): string =>
  [storeId, contractId, what, Math.floor(expiresAt.getTime() / 1000)].join('.');

/** The part of a link's address that says everything. */
export function linkToken(store: Holder, link: Omit<Link, 'storeId'>): string {
  const said = saidOf({ ...link, storeId: store.id });
  return `${said}.${signature(store.link_secret, said)}`;
}

/** The path of the page behind a link of a quick action or a campaign. */
export const linkPath = (store: Holder, link: Omit<Link, 'storeId'>): string => `/q/${linkToken(store, link)}`;

/** What a token says, and its signature; undefined for what is none. Not yet checked to be genuine. */
export function readToken(token: string): (Link & { signed: string }) | undefined {
  const [, store, contract, what, until, signed] = /^(\d{1,9})\.(\d{1,15})\.(\w{1,40})\.(\d{1,12})\.([\w-]{22})$/.exec(token) ?? [];
  if (!store || !contract || !what || !until || !signed) return undefined;
  return { storeId: Number(store), contractId: Number(contract), what, expiresAt: new Date(Number(until) * 1000), signed };
}

export function isGenuine(store: Holder, link: Link & { signed: string }): boolean {
  const own = signature(store.link_secret, saidOf(link));
  return link.storeId === store.id && timingSafeEqual(Buffer.from(own), Buffer.from(link.signed));
}

/** A link that its store has signed, and for how many more milliseconds it is good by the store's clock; undefined for all others. */
export async function genuineLink(
  { db }: { db: Pick<Database, 'ownerQuery'> },
  token: string,
): Promise<(Link & { signed: string; goodFor: number }) | undefined> {
  const link = readToken(token);
  if (!link) return undefined;
  const { rows } = await db.ownerQuery<Holder & { clock_offset_ms: number }>(
    'select id, link_secret, clock_offset_ms from stores where id = $1',
    [link.storeId],
  );
  const [store] = rows;
  if (!store || !isGenuine(store, link)) return undefined;
  return { ...link, goodFor: link.expiresAt.getTime() - (Date.now() + store.clock_offset_ms) };
}

/** Pages behind signed links, whose path ends with ":token": the signature leaves the address, what it is of stays. */
export const SIGNATURE: LinkSecret = {
  param: 'token',
  pattern: /\.([\w-]{22})$/,
  goodFor: async (services, { params: { token = '' } }) => (await genuineLink(services, token))?.goodFor ?? 0,
};

/** The address of a page behind such a link as it stands after the first visit: without the signature. */
export const visitedAddress = (path: string, token: string): string => path.replace(':token', token.replace(SIGNATURE.pattern, ''));

/** The language of the customer whose subscription a link is about; undefined where it is no link, or none is known. */
export async function languageBehind(
  { db }: { db: Pick<Database, 'ownerQuery'> },
  link: Pick<Link, 'storeId' | 'contractId'> | undefined,
): Promise<string | undefined> {
  if (!link) return undefined;
  const { rows } = await db.ownerQuery<{ locale: string | null }>(
    'select customer_locale as locale from contracts where store_id = $1 and id = $2',
    [link.storeId, link.contractId],
  );
  return rows[0]?.locale ?? undefined;
}

/** Where links lead: the public address of the product, else where this process listens. */
export const linkBase = ({ publicUrl, ownAddress }: Pick<Config, 'publicUrl' | 'ownAddress'>): string | undefined =>
  publicUrl ?? ownAddress;

/** The page on which the customer of one subscription enters another card, and what its links are for. */
export const CARD_LINK_PATH = '/card/:token';
export const CARD_LINK = 'card';
/** The page on which the customer confirms the payment of an order; its links end with the number of the order. */
export const CONFIRM_LINK_PATH = '/confirm/:token';
export const CONFIRM_LINK = 'confirm_';

/** Links to them, from letters; null where it is not known where they would lead. */
export const cardLink = (base: string | undefined, store: Partial<Holder>, contractId: number, now: Date): string | null =>
  linkTo(CARD_LINK_PATH, base, store, { contractId, what: CARD_LINK, now });
export const confirmLink = (
  base: string | undefined,
  store: Partial<Holder>,
  order: { contract_id: number; id: number },
  now: Date,
): string | null => linkTo(CONFIRM_LINK_PATH, base, store, { contractId: order.contract_id, what: `${CONFIRM_LINK}${order.id}`, now });

function linkTo(
  path: string,
  base: string | undefined,
  { id, link_secret: secret }: Partial<Holder>,
  { contractId, what, now }: { contractId: number; what: string; now: Date },
): string | null {
  if (base === undefined || id === undefined || !secret) return null;
  const expiresAt = new Date(now.getTime() + LINK_DAYS * DAY_MS);
  return base + path.replace(':token', linkToken({ id, link_secret: secret }, { contractId, what, expiresAt }));
}

/** The links of a subscription by the names of quick actions; empty where it is not known where they would lead. */
export function actionLinks(
  config: Pick<Config, 'publicUrl' | 'ownAddress'>,
  store: Partial<Holder>,
  contractId: number,
  now: Date,
): Record<string, string> {
  const base = linkBase(config);
  const { id, link_secret: secret } = store;
  const expiresAt = new Date(now.getTime() + LINK_DAYS * DAY_MS);
  return Object.fromEntries(
    QUICK.map(kind => LINK_NAMES[kind]).map(name => [
      name,
      base === undefined || id === undefined || !secret
        ? ''
        : `${base}/q/${linkToken({ id, link_secret: secret }, { contractId, what: name, expiresAt })}`,
    ]),
  );
}
