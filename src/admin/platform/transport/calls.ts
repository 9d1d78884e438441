// Every call of the product goes through here: build the request from the call's line, send it, unwrap the answer, mark what became stale.
import { useMutation, useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { fullName } from '../../../contract/find.ts';
import { at } from '../../../contract/paths.ts';
import { buildRequest, type HttpRequest, isRead } from '../../../contract/request.ts';
import { type Answer, AnswerError, isRefusal, readAnswer } from '../../../contract/response.ts';
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import { config } from './config.ts';
import { catalogue, definitions, spoken } from '../definitions.ts';
import { preloadKey } from '../start/preloaded-requests.ts';
import { queryClient } from './query-client.ts';
import { ambient } from '../session/session.tsx';
import { CallError, type Got, newKey, send, type SendOptions, takePreloaded } from './transport.ts';

export interface Ran extends Answer {
  requestId: string;
}

export interface RunOptions extends SendOptions {
  /** The start script may have sent this already. */
  early?: 'list' | 'session';
  /** false: don't wait for the call's waiter; the caller follows it itself. */
  settle?: false;
  /** false: nothing is marked as stale; the caller does so once, after many writes. */
  stale?: false;
}

/** The call of a name ("subscription-contract.pause"); throws for a name that the definitions lack. */
export function callOf(name: string): Call {
  const call = definitions.calls[name];
  if (!call) throw new Error(`There is no call "${name}" in the definitions.`);
  return call;
}

/** The request of a call, for links and downloads. */
export const requestOf = (call: Call, input: JsonObject = {}): HttpRequest =>
  buildRequest(definitions, call, input, { ambient: ambient(), hosts: config.hosts });

/**
 * Runs a call and gives its answer. Writes carry an idempotency key (a fresh one unless given) and mark the records they touch as stale;
 * where the call's line names a waiter (`settles`), the answer comes when that has settled. Throws CallError.
 */
export async function runCall(name: string, input: JsonObject = {}, options: RunOptions = {}): Promise<Ran> {
  // Any call may be asked for while the catalogue is still on its way.
  const call = definitions.calls[name] ?? (await catalogue.load(), callOf(name));
  return (await runRequest(call, requestOf(call, input), input, options)).answer;
}

/** The same with a request that is built already; beside the answer what came, as it was. */
export async function runRequest(
  call: Call,
  request: HttpRequest,
  input: JsonObject,
  options: RunOptions,
): Promise<{ answer: Ran; got: Got }> {
  const read = isRead(call);
  const early = options.early ? takePreloaded(options.early, preloadKey(call.name, input)) : undefined;
  const sending: SendOptions = { ...options, ...(read ? {} : { key: options.key ?? newKey() }) };
  const got = await (early ??
    (call.host === 'external' ? (await import('./external-transport.ts')).sendExternal(request, sending) : send(request, sending)));
  const answer = unwrap(call, got);
  if (read) return { answer, got };
  if (call.poll && options.settle !== false) await settle(call, input, answer.data, options.signal);
  void markStale('set-up'); // any write may complete a task of the set-up score
  if (options.stale !== false) await markStale(call);
  return { answer, got };
}

function unwrap(call: Call, { body, requestId, headers }: Got): Ran {
  const host = definitions.hosts[call.host];
  if (!host) throw new Error(`There is no host "${call.host}" in the definitions.`);
  try {
    const answer = readAnswer(call, host, body, headers);
    return { ...answer, ...(call.says ? { data: spoken(answer.data, call.says) } : {}), requestId };
  } catch (error) {
    if (error instanceof AnswerError)
      throw new CallError(200, { ...(isRefusal(error.body) ? error.body : {}), message: error.message, requestId });
    throw error;
  }
}

/** Asks the call's waiter until its path holds one of the final values: after 0.5 s, then at growing distance up to 5 s. */
async function settle(call: Call, input: JsonObject, data: JsonValue, signal?: AbortSignal): Promise<void> {
  const waiter = call.poll;
  if (!waiter) return;
  const known: JsonObject = {
    ...waiter.with,
    ...input,
    ...(data !== null && typeof data === 'object' && !Array.isArray(data) ? data : {}),
  };
  const names = callOf(waiter.call).in.map(param => param.name);
  const values = Object.fromEntries(names.flatMap(name => (known[name] === undefined ? [] : [[name, known[name]]]))) as JsonObject;
  for (let pause = 500; !signal?.aborted; pause = Math.min(pause * 1.6, 5000)) {
    await new Promise(resolve => {
      setTimeout(resolve, pause);
    });
    const { data: state } = await runCall(waiter.call, values, signal ? { signal } : {});
    // The path may be one of the answer's data or of its whole body.
    if (waiter.values.includes(at(state, waiter.path) ?? at({ data: state }, waiter.path) ?? null)) return;
  }
}

/** Marks everything a call touches as stale; what is on screen is fetched again and stays visible meanwhile. */
export async function markStale(call: Pick<Call, 'invalidates'> | string): Promise<void> {
  const tags = new Set<unknown>(typeof call === 'string' ? [call] : call.invalidates);
  // What is worked out from those is stale with them; what is on screen before the catalogue is there is marked without it.
  if (catalogue.get() === undefined) await catalogue.load().catch(() => undefined);
  for (const { name, record } of Object.values(definitions.entities)) if (record?.from?.some(of => tags.has(of))) tags.add(name);
  if (tags.size) await queryClient.invalidateQueries({ predicate: query => tags.has(query.queryKey[0]) });
}

export interface UseCall {
  /** Runs the call; throws CallError. A repeated run with the same input after a failure carries the same idempotency key. */
  run: (input?: JsonObject, options?: SendOptions) => Promise<Ran>;
  isPending: boolean;
  error: Error | null;
}
/**
 * A write for a component: `const pause = useCall('subscription-contract.pauseContract'); await pause.run({ id })`. A
 * second run while one is under way joins it.
 */
export function useCall(name: string, table?: string): UseCall {
  const full = fullName(name, table);
  const attempt = useRef<{ input: string; key: string } | undefined>(undefined);
  const underWay = useRef<{ input: string; promise: Promise<Ran> } | undefined>(undefined);
  const mutation = useMutation<Ran, Error, { input: JsonObject; options: SendOptions }>({
    mutationFn: ({ input, options }) => runCall(full, input, options),
  });
  return {
    isPending: mutation.isPending,
    error: mutation.error,
    run: (input = {}, options = {}) => {
      const text = JSON.stringify(input);
      if (underWay.current?.input === text) return underWay.current.promise;
      if (attempt.current?.input !== text) attempt.current = { input: text, key: newKey() };
      const promise = mutation
        .mutateAsync({ input, options: { key: attempt.current.key, ...options } })
        .then(
          answer => {
            attempt.current = undefined;
            return answer;
          },
          (error: unknown) => {
            // A refusal is an answer: the next try is a new submit. Only where the answer never came is the same key sent again.
            if (error instanceof CallError && error.status !== 0 && error.status < 500) attempt.current = undefined;
            throw error;
          },
        )
        .finally(() => {
          underWay.current = undefined;
        });
      underWay.current = { input: text, promise };
      return promise;
    },
  };
}

/** A read for a component, cached under the call's entity, so that writes that touch it fetch it again. `input` undefined: not yet. */
export function useAsk<T = JsonValue>(
  name: string,
  input: JsonObject | undefined,
  options: Partial<UseQueryOptions<Ran, CallError, T>> = {},
): UseQueryResult<T, CallError> {
  const call = definitions.calls[name];
  return useQuery<Ran, CallError, T>({
    queryKey: [call?.of ?? name, 'call', name, input ?? null],
    queryFn: ({ signal }) => runCall(name, input ?? {}, { signal }),
    select: answer => answer.data as T,
    ...options,
    enabled: input !== undefined && options.enabled !== false,
  });
}
