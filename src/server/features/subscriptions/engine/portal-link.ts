// The customer's own page, where a portal stands (PERENNIAL_PORTAL_URL): its address carries a token of 32 hex characters that is
// good for 24 hours (D225, D226).
import { createHmac } from 'node:crypto';
import type { Config } from '../../../platform/config.ts';
import { invalidState } from '../../../platform/context.ts';
import { t } from '../../../../domain/text/t.ts';

const HOUR_MS = 3_600_000;

interface Holder {
  id: number;
  portal_token: string;
}

const tokenOf = (holder: Holder, hour: number): string =>
  createHmac('sha256', holder.portal_token).update(`${holder.id}:${hour}`).digest('hex').slice(0, 32);

/** The token for now; null for a customer without a secret of their own. Nothing is stored: looking at a link changes nothing. */
export const merchantToken = (holder: Holder, at: Date): string | null =>
  holder.portal_token ? tokenOf(holder, Math.floor(at.getTime() / HOUR_MS)) : null;

/** What the installation says about the portal (its address, or that there is none) and about where other links of customers lead. */
export type PortalConfig = Pick<Config, 'portalUrl' | 'publicUrl' | 'ownAddress'>;

/** Why no link to the portal can be offered or sent: there is none; undefined where one stands. */
export const whyNoPortal = ({ portalUrl }: PortalConfig): string | undefined =>
  portalUrl === undefined ? t`The customer portal is not part of this installation yet, so there is no page to link to.` : undefined;

/** @throws Refusal 409 where there is no portal that a link could lead to */
export function mustHavePortal(config: PortalConfig): void {
  const reason = whyNoPortal(config);
  if (reason) throw invalidState(reason);
}

/**
 * {portal}/a/loop_subscriptions/customer/{id}/subscription/{id}?merchantToken=…; null without a portal, or without a secret of the
 * customer's.
 */
export function portalLink({ portalUrl }: PortalConfig, holder: Holder, contractId: number, at: Date): string | null {
  const token = portalUrl === undefined ? null : merchantToken(holder, at);
  return token && `${portalUrl}/a/loop_subscriptions/customer/${holder.id}/subscription/${contractId}?merchantToken=${token}`;
}
