// The words of a profile of offers, and those of bundles, in the customer's language.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { ProfileEntity } from '../offers/profiles.ts';
import type { Portal } from './portal.ts';

/** A word of a bundle ("name", "boxSizes.2.name") in the customer's language; `own`: in that of the store. */
export const bundleWord = (
  { words, speech }: Pick<Portal, 'words' | 'speech'>,
  bundleId: number,
  key: string,
  own: string | null,
): string => words.find(speech.language, { ownerKind: 'bundle', ownerId: String(bundleId), key })?.value ?? own ?? '';

/**
 * Words by their keys; nothing for profile 0, the general settings. `buttons` are left out where the customer reads another language than
 * the store's own and the profile has no words in it: the store's words for such a button are translated.
 */
export async function ownWords<K extends string>(
  { context, words, subscription }: Portal,
  entity: ProfileEntity,
  id: number,
  keys: readonly K[],
  buttons: readonly K[] = [],
): Promise<Partial<Record<K, string>>> {
  if (id === 0) return {};
  const { rows } = await sql<{ data: JsonObject }>`select data from records where store_id = ${context.storeId}::integer
    and entity = ${entity} and deleted_at is null and id = ${id}::bigint`.execute(context.trx);
  const [profile] = rows;
  const locale = subscription.contract.customer_locale;
  const found = keys.flatMap(key => {
    const own = words.find(locale, { ownerKind: entity, ownerId: String(id), key });
    const isForeign = buttons.includes(key) && words.languageFor(locale) !== (own?.locale ?? words.primary);
    const said = isForeign ? undefined : (own?.value ?? profile?.data[key]);
    return profile && typeof said === 'string' ? [[key, said]] : [];
  });
  return Object.fromEntries(found) as Partial<Record<K, string>>;
}
