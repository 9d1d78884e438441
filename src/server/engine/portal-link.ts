// The customer's own page: its address carries a token of 32 hex characters that is good for a while, usually 24 hours (D225, D226).
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PortalAccessibilitySettings } from '../../generated/entities.ts';
import type { JsonObject } from '../../contract/types.ts';
import type { Config } from '../platform/config.ts';
import { invalidState } from '../platform/context.ts';
import { ACCESSIBILITY } from '../platform/mail/account-link.ts';
import { linkBase } from './action-links.ts';
import { t } from '../../domain/text/t.ts';

const MINUTE_MS = 60_000;
/** Path of the page, with the names of its parts. */
export const PORTAL_PATH = '/a/loop_subscriptions/customer/:customer/subscription/:subscription';

interface Holder {
  id: number;
  portal_token: string;
}

const signed = (holder: Holder, minute: number): string =>
  createHmac('sha256', holder.portal_token).update(`${holder.id}:${minute}`).digest('hex').slice(0, 24);

/**
 * A token made now: the minute, and its signature. Null for a customer without a secret of their own. Nothing is stored: looking at a link
 * changes nothing.
 */
export function merchantToken(holder: Holder, at: Date): string | null {
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  return holder.portal_token ? minute.toString(16).padStart(8, '0') + signed(holder, minute) : null;
}

/** When a token was made; undefined for one that is not this holder's. */
export function madeAt(holder: Holder, token: string): Date | undefined {
  if (!holder.portal_token || !/^[0-9a-f]{32}$/.test(token)) return undefined;
  const minute = Number.parseInt(token.slice(0, 8), 16);
  const isOwn = timingSafeEqual(Buffer.from(signed(holder, minute)), Buffer.from(token.slice(8)));
  return isOwn ? new Date(minute * MINUTE_MS) : undefined;
}

/** What the installation says about the portal (its address, where it has one of its own) and about where other links of customers lead. */
export type PortalConfig = Pick<Config, 'portalUrl' | 'publicUrl' | 'ownAddress'>;
interface Scope {
  config: PortalConfig;
  setting(name: string): Promise<JsonObject>;
}

/** Where the portal is reached: an address of its own, else the address of the product; undefined where that is not known. */
export const portalBase = (config: PortalConfig): string | undefined => config.portalUrl ?? linkBase(config);

/** Why no link to the portal can be offered: it is not known where it would lead; undefined where it is. */
export const whyNoPortal = (config: PortalConfig): string | undefined =>
  portalBase(config) === undefined ? t`It is not known under which address the customer portal is reached.` : undefined;

export const portalSettings = async ({ setting }: Pick<Scope, 'setting'>): Promise<PortalAccessibilitySettings> =>
  (await setting(ACCESSIBILITY)) as PortalAccessibilitySettings;

/** "60 minutes", "24 hours": for how long a link is good, as a language says it. */
export async function validFor(scope: Pick<Scope, 'setting'>): Promise<(language: string) => string> {
  const { linkMinutes = 1440 } = await portalSettings(scope);
  const [value, unit] = linkMinutes % 60 === 0 && linkMinutes > 60 ? [linkMinutes / 60, 'hour'] : [linkMinutes, 'minute'];
  return language => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Whether customers have pages of their own now. */
export const hasPortal = async (scope: Scope): Promise<boolean> =>
  portalBase(scope.config) !== undefined && (await portalSettings(scope)).isOn !== false;

/** @throws Refusal 409 where there is no portal that a link could lead to */
export async function mustHavePortal(scope: Scope): Promise<void> {
  const reason = whyNoPortal(scope.config);
  if (reason) throw invalidState(reason);
  if (!(await hasPortal(scope)))
    throw invalidState(t`The customer portal is off. Turn it on under Customer portal, Portal accessibility, to send links to it.`);
}

/** Path of the page with the gifts that a customer gave, with the name of its part. */
export const GIFTS_GIVEN_PATH = '/a/loop_subscriptions/customer/:customer/gifts';
export const giftsGivenPath = (customerId: number): string => GIFTS_GIVEN_PATH.replace(':customer', String(customerId));

export const pathOf = (customerId: number, contractId: number): string =>
  `/a/loop_subscriptions/customer/${customerId}/subscription/${contractId}`;

/**
 * {portal}/a/loop_subscriptions/customer/{id}/subscription/{id}?merchantToken=…; null where the address of the portal is not known, or the
 * customer has no secret. Whether the portal is on is asked before.
 */
export const portalLink = (config: PortalConfig, holder: Holder, contractId: number, at: Date): string | null =>
  linkTo(config, holder, pathOf(holder.id, contractId), at);
/** The same to the gifts that the customer gave. */
export const giftsGivenLink = (config: PortalConfig, holder: Holder, at: Date): string | null =>
  linkTo(config, holder, giftsGivenPath(holder.id), at);

function linkTo(config: PortalConfig, holder: Holder, path: string, at: Date): string | null {
  const base = portalBase(config);
  const token = base === undefined ? null : merchantToken(holder, at);
  return token && `${base}${path}?merchantToken=${token}`;
}
