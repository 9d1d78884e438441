// What a store says about all of its e-mails: how they look (settings, notification-branding) and whom they come from
// (notification-preferences).
import type { Kysely } from 'kysely';
import { FONTS, NETWORKS, PLAIN, type Brand } from '../../../domain/messages/frame.ts';
import type { Utm } from '../../../domain/messages/utm.ts';
import type { Definitions, JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import { ACCESSIBILITY } from './account-link.ts';
import { readSetting } from '../records/settings.ts';
import type { Signature } from './mail-transport.ts';
import { signatureOf } from './signing.ts';

export const BRANDING = 'notification-branding';
export const PREFERENCES = 'notification-preferences';

export interface Letterhead {
  storeName: string;
  brand: Brand;
  /** The version of the branding; 0 when it was never saved. */
  brandVersion: number;
  /** Empty: the name of the sending address. */
  senderName: string;
  /** The address on an own domain that is verified; absent: the shared one. */
  from?: string;
  /** What is signed with, where it comes from an own domain: unsigned it would fail the domain's own rules (DMARC). */
  signature?: Signature;
  /** Where answers to customers' e-mails go; empty: to the sender. */
  replyTo: string;
  bcc: string[];
  /** Whether customers have pages of their own. */
  hasPortal: boolean;
  utm: Utm;
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const colour = (value: JsonValue | undefined, usual: string): string => (/^#[0-9a-f]{6}$/i.test(text(value)) ? text(value) : usual);
const hasKey = <T extends object>(table: T, key: unknown): key is keyof T => typeof key === 'string' && Object.hasOwn(table, key);

/** The branding of a settings document, also while it is typed: what is not valid is as usual. `base` is where pictures are served. */
export function brandOf(page: JsonObject, base: string): Brand {
  const logo = text(page.logoUrl);
  const width = Number(page.logoWidth);
  const links = Array.isArray(page.socialLinks) ? (page.socialLinks as JsonObject[]) : [];
  return {
    logoUrl: /^\/(?:media|demo)\//.test(logo) ? base + logo : /^https?:\/\/\S+$/.test(logo) ? logo : '',
    logoWidth: width >= 50 && width <= 300 ? Math.round(width) : PLAIN.logoWidth,
    primaryColor: colour(page.primaryColor, PLAIN.primaryColor),
    buttonTextColor: colour(page.buttonTextColor, PLAIN.buttonTextColor),
    backgroundColor: colour(page.backgroundColor, PLAIN.backgroundColor),
    fontFamily: hasKey(FONTS, page.fontFamily) ? page.fontFamily : PLAIN.fontFamily,
    footerText: text(page.footerText),
    base,
    socialLinks: links.flatMap(link => {
      const { network, url } = link ?? {};
      return hasKey(NETWORKS, network) && /^https?:\/\/\S+$/.test(text(url)) ? [{ network, url: text(url) }] : [];
    }),
  };
}

/** Where pictures in e-mails are found: the public address of the product, else where this process listens. */
export const mailBase = ({ config, address }: { config: { publicUrl?: string }; address: string }): string => config.publicUrl ?? address;

export interface LetterheadScope {
  trx: Kysely<Tables>;
  storeId: number;
  definitions: Definitions;
}

/** The branding as it was at a version that was sent; that of today where the version is not kept. */
export async function brandAt({ trx, storeId, definitions }: LetterheadScope, version: number | null, base: string): Promise<Brand> {
  const saved =
    version === null
      ? undefined
      : version === 0
        ? {}
        : (
            await trx
              .selectFrom('setting_history')
              .select('data')
              .where('store_id', '=', storeId)
              .where('name', '=', BRANDING)
              .where('version', '=', version)
              .executeTakeFirst()
          )?.data;
  return brandOf((saved as JsonObject | undefined) ?? (await readSetting({ trx, storeId, definitions }, BRANDING)).data, base);
}

/** Everything that is said on all e-mails of a store. */
export async function letterheadOf(scope: LetterheadScope & { secrets: SecretBox }, storeName: string, base: string): Promise<Letterhead> {
  const branding = await readSetting(scope, BRANDING);
  const { data } = await readSetting(scope, PREFERENCES);
  const own = await scope.trx
    .selectFrom('email_domains')
    .select(['from_email', 'status', 'domain'])
    .where('store_id', '=', scope.storeId)
    .where('is_default', '=', true)
    .executeTakeFirst();
  const signature = own?.status === 'VERIFIED' ? await signatureOf(scope, own.domain) : undefined;
  return {
    storeName,
    brand: brandOf(branding.data, base),
    brandVersion: branding.version,
    senderName: text(data.senderName),
    ...(own && signature ? { from: own.from_email, signature } : {}),
    // Until the own domain is verified, answers reach the store all the same.
    replyTo: text(data.replyTo) || (own && !signature ? own.from_email : ''),
    bcc: Array.isArray(data.bcc) ? data.bcc.map(String) : [],
    hasPortal: (await readSetting(scope, ACCESSIBILITY)).data.isOn !== false,
    utm: { source: text(data.utmSource), medium: text(data.utmMedium), campaign: text(data.utmCampaign) },
  };
}
