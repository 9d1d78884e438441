// Requests to the vendor of an integration, made of its file and what was entered.
import { fill } from '../../../contract/find.ts';
import { at } from '../../../contract/paths.ts';
import type { IntegrationKind, VendorRequest } from '../../../contract/types/integration.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Config } from '../../platform/config.ts';
import { Refusal, invalid } from '../../platform/context.ts';
import { OutgoingError, type Outgoing, type OutgoingRequest } from '../../platform/outgoing/outgoing.ts';
import { t } from '../../../domain/text/t.ts';

const text = (template: string, record: JsonObject): string => String(fill({ text: template }, { record }).text ?? '');
/** Values in an address are no part of its form. */
const inAddress = (template: string, record: JsonObject): string =>
  template.replace(/\{([\w.]+)\}/g, (_, path: string) => encodeURIComponent(String(at(record, path) ?? '')));

/** Whether two sets of what was entered lead to the same server. */
export const isSameServer = ({ baseUrl }: IntegrationKind, one: JsonObject, other: JsonObject): boolean =>
  text(baseUrl, one) === text(baseUrl, other);

/** Where a vendor is: its own address, or what stands in for all of them. */
export const baseOf = (kind: IntegrationKind, settings: JsonObject, { vendorUrl }: Pick<Config, 'vendorUrl'>): string =>
  vendorUrl ? `${vendorUrl}/${kind.key}` : text(kind.baseUrl, settings).replace(/\/$/, '');

/** A request with the credentials of the store. `values` is what address and body may name besides the form. */
export function vendorRequest(
  kind: IntegrationKind,
  template: VendorRequest & { body?: JsonObject },
  settings: JsonObject,
  config: Pick<Config, 'vendorUrl'>,
  values: JsonObject = {},
): OutgoingRequest {
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const [name, value] of Object.entries(kind.headers ?? {})) headers[name] = text(value, settings);
  if (kind.basic) {
    const [name, word] = kind.basic.map(part => text(part, settings));
    headers.authorization = `Basic ${Buffer.from(`${name}:${word}`).toString('base64')}`;
  }
  const request: OutgoingRequest = {
    method: template.method,
    url: baseOf(kind, settings, config) + inAddress(template.path, { ...settings, ...values }),
    headers,
  };
  if (!template.body) return request;
  headers['content-type'] = 'application/json';
  return { ...request, body: JSON.stringify(fill(template.body, { record: { ...settings, ...values } })) };
}

/**
 * Asks the vendor whether it accepts these credentials.
 * @throws Refusal 400 INTEGRATION_CREDENTIALS, 422 for the key of another account, 502 INTEGRATION_UNREACHABLE
 */
export async function checkCredentials(
  outgoing: Outgoing,
  kind: IntegrationKind,
  settings: JsonObject,
  config: Pick<Config, 'vendorUrl'>,
): Promise<void> {
  const unreachable = new Refusal(502, 'INTEGRATION_UNREACHABLE', t`${kind.name} could not be reached. Try again later.`);
  let status: number, body: string;
  try {
    ({ status, body } = await outgoing.send(vendorRequest(kind, kind.check, settings, config)));
  } catch (error) {
    if (error instanceof OutgoingError) throw unreachable;
    throw error;
  }
  if (status >= 500 || status === 429) throw unreachable;
  if (status < 200 || status > 299) throw new Refusal(400, 'INTEGRATION_CREDENTIALS', t`${kind.name} did not accept these credentials.`);
  const answer = parsed(body);
  const wrong = Object.entries(kind.check.names ?? {}).filter(([field, path]) => (at(answer, path) ?? settings[field]) !== settings[field]);
  if (wrong.length)
    throw invalid(
      wrong.map(([field]) => ({
        pointer: `/settings/${field}`,
        rule: 'otherAccount',
        message: t`The other values belong to an account of ${kind.name} with another key. Copy all of them from the same account.`,
      })),
    );
}

/** What a vendor answered, where it is JSON. */
export function parsed(body: string): JsonValue {
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return null;
  }
}
