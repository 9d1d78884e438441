// Words that every object of JavaScript answers to, and one that none does, in place of each text that a call takes: what chooses among things
// by a name (a kind, a type, a key) finds none there, and says so.
import * as fc from 'fast-check';
import { buildRequest } from '../../../src/contract/request.ts';
import type { Call, JsonObject, JsonValue } from '../../../src/contract/types.ts';
import { validInput } from '../arbitrary.ts';
import { ask } from '../ask.ts';
import type { TestServer } from '../serve.ts';
import { idsOf } from '../stores.ts';

export const WORDS = ['constructor', '__proto__', 'toString', 'nonsense'] as const;
/** Requests at once. */
const AT_ONCE = 6;

/** The same with each text in it, one after the other, replaced by a word. */
function withWord(value: JsonValue, word: string, depth = 0): JsonValue[] {
  if (typeof value === 'string') return [word];
  if (value === null || typeof value !== 'object' || depth > 4) return [];
  // The first of a list stands for all.
  if (Array.isArray(value))
    return value[0] === undefined ? [] : withWord(value[0], word, depth + 1).map(first => [first, ...value.slice(1)]);
  return Object.entries(value).flatMap(([name, inner]) => withWord(inner, word, depth + 1).map(changed => ({ ...value, [name]: changed })));
}

/** The inputs of a call with a word for each of its parameters and for each text within. */
function* inputsOf(call: Call, base: JsonObject): Generator<JsonObject> {
  for (const word of WORDS) {
    for (const { name } of call.in) yield { ...base, [name]: word };
    for (const changed of withWord(base, word)) yield changed as JsonObject;
  }
}

/** Sends them to every call. @returns what failed, and how many were sent */
export async function wordsOfObjects(
  server: TestServer,
  { seed, inputs }: { seed: number; inputs: Readonly<Record<string, JsonObject>> },
): Promise<{ sent: number; failures: string[] }> {
  const { definitions, db } = server.services;
  const pool = await idsOf(db, 1);
  const failures: string[] = [];
  let sent = 0;
  for (const call of Object.values(definitions.calls)) {
    // Signing in and out has limits of its own, which say 429 before anything is read.
    if (call.table === 'sign-in') continue;
    const token = await server.signIn('owner');
    const base = inputs[call.name] ?? (fc.sample(validInput(call, pool), { numRuns: 1, seed })[0] as JsonObject);
    const all = [...new Map([...inputsOf(call, base)].map(input => [JSON.stringify(input), input])).values()];
    for (let from = 0; from < all.length; from += AT_ONCE)
      await Promise.all(
        all.slice(from, from + AT_ONCE).map(async input => {
          let request;
          try {
            request = buildRequest(definitions, call, input);
          } catch {
            return; // a path parameter that no address can hold
          }
          const { url, method, headers, body } = request;
          sent++;
          const { status, text } = await ask(server.url + url, {
            method,
            headers: { ...headers, authorization: token },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          if (status >= 500 && status !== 503)
            failures.push(`${call.name} ${JSON.stringify(input).slice(0, 300)}\n  ${status} ${text.slice(0, 200)}`);
        }),
      );
  }
  return { sent, failures };
}
