// One question to Vendure's Admin API, and reading its answer: nothing of it is believed before it was looked at.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { OutgoingError, type OutgoingAnswer } from '../../platform/outgoing/outgoing.ts';
import { ShopError, type FaultCode } from '../../platform/store-platform/shop-fault.ts';
import type { ShopLink } from '../../platform/store-platform/store-platform.ts';

const TIMEOUT_MS = 20_000;

const wrong = (what: string): ShopError => new ShopError('WRONG', 'UNREADABLE', { what });
const NO_ANSWER: Record<OutgoingError['code'], FaultCode> = {
  FORBIDDEN: 'NOT_ALLOWED',
  TIMEOUT: 'TOO_LATE',
  TOO_LARGE: 'TOO_LARGE',
  UNREACHABLE: 'NOT_REACHED',
};

async function sent({ address, key, send }: ShopLink, body: string): Promise<OutgoingAnswer> {
  try {
    return await send({
      method: 'POST',
      url: address,
      headers: { 'content-type': 'application/json', 'vendure-api-key': key },
      body,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw new ShopError(error.code === 'TOO_LARGE' ? 'WRONG' : 'UNREACHABLE', NO_ANSWER[error.code], {}, { cause: error });
  }
}

/** The `data` of an answer. @throws ShopError */
export async function ask(link: ShopLink, query: string, variables: JsonObject = {}): Promise<JsonObject> {
  const { status, body } = await sent(link, JSON.stringify({ query, variables }));
  if (status === 401 || status === 403) throw new ShopError('REFUSED', 'KEY_REFUSED');
  if (status === 404) throw new ShopError('REFUSED', 'NO_API');
  if (status === 429 || status >= 500) throw new ShopError('UNREACHABLE', 'STATUS', { status });
  let answer: JsonValue;
  try {
    answer = JSON.parse(body) as JsonValue;
  } catch {
    throw wrong('no JSON');
  }
  const { errors, data } = object(answer, 'the answer');
  const [first] = Array.isArray(errors) ? errors : [];
  if (first !== undefined) {
    const { message, extensions } = object(first, 'an error');
    const { code } = object(extensions ?? {}, 'an error');
    if (code === 'FORBIDDEN' || code === 'UNAUTHORIZED') throw new ShopError('REFUSED', 'RIGHT_MISSING');
    throw new ShopError('WRONG', 'SHOP_SAYS', { text: String(message).slice(0, 300) });
  }
  return object(data, 'the answer');
}

/** @throws ShopError WRONG, as all readers here */
export function object(value: JsonValue | undefined, what: string): JsonObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw wrong(what);
  return value;
}
export function list(value: JsonValue | undefined, what: string): JsonObject[] {
  if (!Array.isArray(value)) throw wrong(what);
  return value.map(one => object(one, what));
}
/** A text without what no column takes, and no longer than one does. */
export function text(value: JsonValue | undefined, what: string, most = 255): string {
  if (typeof value !== 'string') throw wrong(what);
  return value.replaceAll('\0', '').slice(0, most);
}
/** Vendure's ids come as texts, whatever they are. */
export function id(value: JsonValue | undefined, what: string): string {
  const given = text(value, what, 101);
  if (given === '' || given.length > 100) throw wrong(what);
  return given;
}
export function whole(value: JsonValue | undefined, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || Math.abs(value) > 2_000_000_000) throw wrong(what);
  return value;
}
