// Calls to services outside of the product, such as a card vault: they get no token of ours, and a refusal is told by its status.
import type { ErrorAnswer, JsonValue } from '../contract/types.ts';
import { readToken } from './token.ts';
import { CallError, type Got, type Sent } from './transport.ts';

/**
 * Sends one request. The person's token goes along only where the service is this very server. Throws CallError "HTTP error! status 422" for every
 * answer but 2xx (D238), with the errors of fields where the service names them.
 */
export async function sendOutside({ method, url, headers, body }: Sent, options: { key?: string; signal?: AbortSignal } = {}): Promise<Got> {
  const token = new URL(url, location.href).origin === location.origin ? readToken() : null;
  const response = await fetch(url, {
    method, credentials: 'omit', cache: 'no-store', body: body === undefined ? null : JSON.stringify(body), ...(options.signal ? { signal: options.signal } : {}),
    headers: { ...headers, ...(token ? { authorization: token, ...(options.key ? { 'idempotency-key': options.key } : {}) } : {}) },
  }).catch(() => { throw new CallError(0, { message: 'The card vault could not be reached. Try again in a moment.' }); });
  const answer = await response.json().catch(() => null) as JsonValue;
  if (response.ok) return { status: response.status, body: answer, requestId: response.headers.get('x-request-id') ?? '' };
  const { errors } = (answer ?? {}) as Partial<ErrorAnswer>;
  throw new CallError(response.status, { message: `HTTP error! status ${response.status}`, ...(Array.isArray(errors) ? { errors } : {}) });
}
