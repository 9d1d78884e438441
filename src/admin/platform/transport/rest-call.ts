// Plain REST: ra-data-simple-rest makes the requests, as in any react-admin application. Ours is the HTTP client below it, which adds the
// session's token, the idempotency key and the version, and says what became stale.
import simpleRest from 'ra-data-simple-rest';
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import { definitions } from '../definitions.ts';
import { type Ran, type RunOptions, runRequest } from './calls.ts';
import { config } from './config.ts';

type Provider = ReturnType<typeof simpleRest>;

/**
 * Runs a call of plain REST by ra-data-simple-rest and gives the call's answer. `ask` uses its provider on the call's resource:
 * `(records, resource) => records.getOne(resource, { id })`. `input` is the call's; a list that the start script read early is found by
 * it. Throws CallError.
 */
export async function restCall(
  call: Call,
  input: JsonObject,
  options: RunOptions,
  ask: (records: Provider, resource: string) => Promise<unknown>,
): Promise<Ran> {
  let answer: Ran | undefined;
  const client = async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const [path = '', query = ''] = address.split('?');
    const search = new URLSearchParams(query);
    // ra-data-simple-rest names an order also where none is wanted: the server's own holds then.
    if (input.sort === undefined) search.delete('sort');
    const request = {
      method: method as Call['method'],
      url: search.size ? `${path}?${search}` : path,
      headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.parse(String(body)) as JsonValue } : {}),
    };
    const ran = await runRequest(call, request, input, options);
    answer = ran.answer;
    const json = answer.data;
    return { status: ran.got.status, headers: ran.got.headers ?? new Headers(), body: JSON.stringify(json), json };
  };
  const api = config.hosts[call.host] || definitions.hosts[call.host]?.prefix || '';
  await ask(simpleRest(api, client), call.path.replace(/^\/|\/\{\w+\}$/g, ''));
  if (!answer) throw new Error(`${call.method} ${call.path} (${call.name}) was not sent.`);
  return answer;
}
