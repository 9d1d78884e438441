// Sends the calls of a record's actions: one after another, each with the version that the one before left; shows what they will do.
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useRef } from 'react';
import { isRead } from '../../../contract/request.ts';
import type { Action, Call, JsonObject, JsonValue, Resource, Schema } from '../../../contract/types.ts';
import type { Validator } from '../../../contract/validation/validate.ts';
import { definitions, loadSchema } from '../../platform/definitions.ts';
import { markStale, type Ran, runCall } from '../../platform/transport/calls.ts';
import { CallError, type SendOptions } from '../../platform/transport/transport.ts';
import { isObject } from '../engine/path.ts';
import { conflictWords } from './changes.ts';
import { patchRows } from './row-pages.ts';

export interface ActionForm {
  schema: Schema;
  validator?: Validator | undefined;
}
/** What actions are done to, and where. */
export interface RecordScope {
  /** Its `actions` are offered; they name their calls in its table. A record's page has rows with actions of their own. */
  resource: Pick<Resource, 'calls' | 'of' | 'actions' | 'record'>;
  record: JsonObject;
  schema?: Schema | undefined;
  /** What the brackets of the address hold. */
  params?: Record<string, string> | undefined;
  /** The query that holds the record: what an action will do and what it answers is shown there at once. None: rows of lists, forms. */
  queryKey?: readonly unknown[];
  /** Entities that the page shows: all are fetched again after a change. Else the one of the resource. */
  shown?: readonly string[];
  /** The form of an action whose call can't say what is asked: each app has one of its own. */
  formOf?: (action: Action) => ActionForm | undefined;
  /** An action is over: done, refused, or its dialog was closed. */
  onEnd?: () => void;
}

/** The name of the field that is the key of an entity's records. */
export const keyOf = (of: string | undefined): string => definitions.entities[of ?? '']?.record?.key ?? 'id';
const shownBy = ({ shown, resource }: RecordScope): readonly string[] => shown ?? (resource.of ? [resource.of] : []);

export interface Sending {
  /** The record as it is now. */
  current: () => JsonObject;
  /** Throws CallError; what came too late is put in words. */
  send: (call: Call, input: JsonObject, options?: SendOptions) => Promise<Ran>;
  /** Shows the effect before the answer: a row moves to the state of its move, fields take what was typed. Gives the way back. */
  foresee: (call: Call, input: JsonObject, row?: JsonObject) => Promise<() => void>;
  /** When all that was sent is answered, and what it made stale is there again. */
  settled: () => Promise<unknown>;
}

export function useSending(latest: RefObject<RecordScope>): Sending {
  const client = useQueryClient();
  const chain = useRef<Promise<unknown>>(Promise.resolve());
  const current = useCallback((): JsonObject => {
    const { queryKey, record } = latest.current;
    return (queryKey && client.getQueryData<JsonObject>(queryKey)) ?? record;
  }, [client, latest]);
  /**
   * The answer is handed on as soon as it is there, and what it says of the record is shown at once; what else it made stale is fetched
   * behind it, and the next one waits for that.
   */
  const send = useCallback(
    (call: Call, input: JsonObject, options: SendOptions = {}): Promise<Ran> => {
      const go = async (): Promise<{ answer: Ran; settled: Promise<unknown> }> => {
        const { queryKey, resource, schema } = latest.current;
        const shown = shownBy(latest.current);
        const now = current();
        const isVersioned =
          !isRead(call) && typeof now.version === 'number' && (call.of === resource.of || call.invalidates.includes(resource.of ?? ''));
        try {
          const version = isVersioned ? { version: now.version as number } : {};
          const answer = await runCall(call.name, input, { ...options, ...version, settle: false, stale: false });
          if (isRead(call)) return { answer, settled: Promise.resolve() };
          const { data } = answer;
          if (queryKey && call.of === resource.of && isObject(data) && data.id === now.id)
            client.setQueryData<JsonObject>(queryKey, before => ({ ...before, ...data }));
          // What goes on behind the answer is drawn where the page shows its progress.
          if (call.poll) void client.invalidateQueries({ queryKey: ['progress'] });
          const others = shown.filter(entity => !call.invalidates.includes(entity));
          return {
            answer,
            settled: Promise.all([
              markStale(call),
              others.length ? client.invalidateQueries({ predicate: query => others.includes(String(query.queryKey[0])) }) : undefined,
            ]),
          };
        } catch (error) {
          if (!(error instanceof CallError) || error.status !== 409) throw error;
          void client.invalidateQueries({ predicate: query => shown.includes(String(query.queryKey[0])) });
          if (!error.conflict) throw error;
          throw new CallError(409, { code: error.code, requestId: error.requestId, message: conflictWords(error.conflict, schema, now) });
        }
      };
      const result = chain.current.then(go, go);
      chain.current = result.then(({ settled }) => settled).catch(() => undefined);
      return result.then(({ answer }) => answer);
    },
    [client, current, latest],
  );

  const foresee = useCallback(
    async (call: Call, input: JsonObject, row?: JsonObject): Promise<() => void> => {
      const { queryKey, resource } = latest.current;
      const shown = shownBy(latest.current);
      if (!queryKey) return () => undefined;
      if (!row) {
        const before = client.getQueryData<JsonObject>(queryKey);
        const key = keyOf(resource.of);
        if (before)
          client.setQueryData<JsonObject>(queryKey, {
            ...before,
            ...Object.fromEntries(Object.entries(input).filter(([name]) => name in before && name !== key)),
          });
        return () => {
          if (before) client.setQueryData(queryKey, before);
        };
      }
      // The move is one of the call's own entity or of one that the page shows: skipping an order is a call of its subscription.
      const schemas = await Promise.all([call.of, ...shown].map(entity => loadSchema(`entities/${entity}`)));
      const states = schemas.map(schema => schema?.['x-states']).find(found => found?.moves[call.key] && found.field in row);
      const to = states?.moves[call.key]?.to;
      if (!states || !to) return () => undefined;
      const filter = {
        predicate: (query: { queryKey: readonly unknown[] }) => query.queryKey[1] === 'call' && shown.includes(String(query.queryKey[0])),
      };
      const before = client.getQueriesData(filter);
      const moved = (one: JsonValue): JsonValue =>
        isObject(one) && one.id === row.id && states.field in one ? { ...one, [states.field]: to, actions: [] } : one;
      client.setQueriesData(filter, data => patchRows(data, moved));
      return () => {
        for (const [key, data] of before) client.setQueryData(key, data);
      };
    },
    [client, latest],
  );
  return { current, send, foresee, settled: useCallback(() => chain.current, []) };
}
