// Calls to services outside of the product, such as a card vault: they get no token of ours, and a refusal is worded by its status.
import type { ErrorAnswer, JsonValue } from '../../../contract/types.ts';
import { readToken } from '../session/token.ts';
import { CallError, type Got, type Sent } from './transport.ts';
import { t } from '../../../domain/text/t.ts';

/** What a status of the vault means for the person who entered a card. */
function meaningOf(status: number): string {
  if (status === 401 || status === 403)
    return t`The card vault does not let this store in. The card was not saved; ask the customer for it by e-mail instead.`;
  if (status === 429) return t`The card vault is asked too often at the moment. Wait a minute and try again.`;
  if (status < 500) return t`The card vault did not take this card. Check what you entered, or ask the customer for another card.`;
  return t`The card vault is out of order. The card was not saved and nothing was charged. Try again in a few minutes.`;
}

/**
 * The same refusal for the screen: in words, with the status in brackets for support.
 * Refusals of single fields stay as they are.
 */
export function inWords(error: CallError): CallError {
  if (error.status === 0 || error.errors.length > 0) return error;
  return new CallError(error.status, {
    code: error.code,
    requestId: error.requestId,
    message: `${meaningOf(error.status)} (${error.message})`,
  });
}

/**
 * Sends one request. The person's token goes along only where the service is this very server. Throws CallError "HTTP error! status 422"
 * for every answer but 2xx (D238), with the errors of fields where the service names them.
 */
export async function sendExternal(
  { method, url, headers, body }: Sent,
  options: { key?: string; signal?: AbortSignal } = {},
): Promise<Got> {
  const token = new URL(url, location.href).origin === location.origin ? readToken() : null;
  const response = await fetch(url, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    body: body === undefined ? null : JSON.stringify(body),
    ...(options.signal ? { signal: options.signal } : {}),
    headers: { ...headers, ...(token ? { authorization: token, ...(options.key ? { 'idempotency-key': options.key } : {}) } : {}) },
  }).catch(() => {
    throw new CallError(0, { message: t`The card vault could not be reached. Try again in a moment.` });
  });
  const answer = (await response.json().catch(() => null)) as JsonValue;
  if (response.ok) return { status: response.status, body: answer, requestId: response.headers.get('x-request-id') ?? '' };
  const { errors } = (answer ?? {}) as Partial<ErrorAnswer>;
  throw new CallError(response.status, { message: t`HTTP error! status ${response.status}`, ...(Array.isArray(errors) ? { errors } : {}) });
}
