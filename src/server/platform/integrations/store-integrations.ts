// What a store has of the integrations: whether each is connected, what was entered, and which events it gets.
import type { Kysely, Selectable, Updateable } from 'kysely';
import type { IntegrationEvent, IntegrationKind } from '../../../contract/types/integration.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { IntegrationsTable, Tables } from '../../../generated/tables.ts';
import { Refusal, type Context } from '../context.ts';
import { forgetSecrets, readSecret } from '../outgoing/secrets.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import { MESSAGES, editsOf, isSwitchedOff } from '../mail/message-edits.ts';
import { t } from '../../../domain/text/t.ts';

export type IntegrationRow = Selectable<IntegrationsTable>;
export type Channel = 'BUILT_IN' | 'APP' | 'BOTH';
/** The place of their secrets, for `readSecret`. */
export const TABLE = 'integrations';
export const SENDER = 'integrations';

/** @throws Refusal 404 */
export function needKind({ definitions }: Pick<Context, 'definitions'>, identifier: string): IntegrationKind {
  const kind = Object.hasOwn(definitions.integrations, identifier) ? definitions.integrations[identifier] : undefined;
  if (!kind) throw new Refusal(404, 'NOT_FOUND', t`Unknown integration.`);
  return kind;
}

export const rowsOf = async (trx: Kysely<Tables>, storeId: number): Promise<Map<string, IntegrationRow>> =>
  new Map((await trx.selectFrom('integrations').selectAll().where('store_id', '=', storeId).execute()).map(row => [row.key, row]));
export const rowOf = (trx: Kysely<Tables>, storeId: number, key: string): Promise<IntegrationRow | undefined> =>
  trx.selectFrom('integrations').selectAll().where('store_id', '=', storeId).where('key', '=', key).executeTakeFirst();

/** Writes what changed of a row, and makes it where there is none yet. */
export async function writeRow(trx: Kysely<Tables>, storeId: number, key: string, change: Updateable<IntegrationsTable>): Promise<void> {
  await trx
    .insertInto('integrations')
    .values({ store_id: storeId, key, ...change })
    .onConflict(conflict => conflict.columns(['store_id', 'key']).doUpdateSet(change))
    .execute();
}

export const isThere = (row: IntegrationRow | undefined): row is IntegrationRow => row?.status === 'CONNECTED' || row?.status === 'ERROR';
/** Whether its vendor sends people away and back within the half hour that is given. */
export const isPending = (row: IntegrationRow | undefined, now: Date): boolean =>
  row?.status === 'PENDING' && row.oauth_until !== null && row.oauth_until > now;

/** Names of fields that are secret; the access that a vendor gives back is one more. */
export const secretFields = (kind: IntegrationKind): string[] => [
  ...Object.entries(kind.form.properties ?? {}).flatMap(([name, field]) => (field['x-ui']?.secret ? [name] : [])),
  ...(kind.connect === 'OAUTH_REDIRECT' ? ['accessToken'] : []),
];

/** The values of the form with secrets in full, for a request to the vendor. They go into no answer. */
export async function fullSettings(
  scope: { trx: Kysely<Tables>; secrets: SecretBox },
  storeId: number,
  kind: IntegrationKind,
  row: IntegrationRow | undefined,
): Promise<{ settings: JsonObject; secrets: string[] }> {
  const settings = { ...(row?.settings as JsonObject | undefined) };
  const secrets: string[] = [];
  for (const column of secretFields(kind)) {
    const secret = await readSecret(scope, { storeId, table: TABLE, column, id: kind.key });
    if (secret === undefined) continue;
    settings[column] = secret;
    secrets.push(secret);
  }
  return { settings, secrets };
}

export const eraseSecrets = (trx: Kysely<Tables>, storeId: number, key: string): Promise<void> => forgetSecrets(trx, storeId, TABLE, key);

/** Events that an integration takes, in the order of their file. */
export const eventsTaken = (definitions: Pick<Definitions, 'integrationEvents'>, kind: IntegrationKind): IntegrationEvent[] =>
  Object.values(definitions.integrationEvents).filter(({ name }) => kind.events?.takes.includes(name));

/** Who tells customers of an event: the store's own e-mail, the app, or both. */
export function channelOf(
  { definitions, edits }: { definitions: Pick<Definitions, 'messages'>; edits: ReturnType<typeof editsOf> },
  row: IntegrationRow | undefined,
  event: IntegrationEvent,
): Channel | null {
  const mail = event.message ? definitions.messages[event.message] : undefined;
  const isTold = !row?.muted.includes(event.name);
  const isMailed = mail !== undefined && !isSwitchedOff(mail, edits[mail.key]);
  return isTold ? (isMailed ? 'BOTH' : 'APP') : isMailed ? 'BUILT_IN' : null;
}
export const mailEdits = async (context: Pick<Context, 'setting'>) => editsOf(await context.setting(MESSAGES));

/** Names of the connected apps that get an event about which there is an e-mail too, by the key of the e-mail. */
export async function alsoSentBy(context: Pick<Context, 'trx' | 'storeId' | 'definitions'>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const [key, row] of await rowsOf(context.trx, context.storeId)) {
    const kind = context.definitions.integrations[key];
    // What customers are written comes from apps for e-mails; others only keep it.
    if (!kind || kind.category !== 'EMAIL_SMS' || !isThere(row)) continue;
    for (const { name, message } of eventsTaken(context.definitions, kind))
      if (message && !row.muted.includes(name)) found.set(message, [...(found.get(message) ?? []), kind.name]);
  }
  return found;
}
