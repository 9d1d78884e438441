// Runs a record's actions: at once, after a question, or after asking for what is open. One after another, each with the version the page
// shows; what can be undone shows its effect at once and offers Undo; a change that came too late is shown beside what is new.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { fill, fullName } from '../../../contract/find.ts';
import { isRead } from '../../../contract/request.ts';
import type { Action, Call, JsonObject, JsonValue, Resource, Schema } from '../../../contract/types.ts';
import { markStale, type Ran, runCall } from '../../platform/transport/calls.ts';
import { warm } from '../../platform/chunk.ts';
import { definitions, formsChunk, loadSchema } from '../../platform/definitions.ts';
import { download } from '../../ui/download.ts';
import { useShownAnswer } from '../../ui/overlays/shown-answer.tsx';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { CallError, newKey, type SendOptions } from '../../platform/transport/transport.ts';
import { conflictWords } from './changes.ts';
import { type AvailableAction, availabilityOf, availableActionsOf, isReadOnly, placed } from './available-actions.ts';
import { patchRows } from '../row-pages.ts';
import { withInput, words } from '../../platform/interpolate.ts';
import { Asked, type Asking } from './asked.tsx';
import { t } from '../../../domain/text/t.ts';

export interface RecordScope {
  resource: Resource;
  record: JsonObject;
  schema: Schema | undefined;
  params: Record<string, string>;
  /** The query that holds the record. */
  queryKey: readonly unknown[];
  /** Entities that the page shows: all are fetched again after a change. */
  shown: readonly string[];
}
export interface RecordActions {
  offer: (id: string, row?: JsonObject) => AvailableAction | undefined;
  headActions: AvailableAction[];
  sectionActions: (id: string | undefined) => AvailableAction[];
  /** The actions of a section's rows that one row offers. */
  actionsOfRow: (row: JsonObject, actions: Action[] | undefined) => AvailableAction[];
  /** Runs an offer; `rowSchema` is what the row is, for texts that name its fields. */
  start: (offer: AvailableAction, row?: JsonObject, rowSchema?: Schema) => void;
  run: (id: string, row?: JsonObject) => void;
  /** Sends an action with input that was asked for elsewhere (editing in place). Throws CallError. */
  submit: (action: Action, input: JsonObject, options: SendOptions) => Promise<void>;
  /** What an action's `with` gives, without what is asked for. */
  given: (action: Action, row?: JsonObject) => JsonObject;
  /** Nothing on the page may be changed by this person. */
  isReadOnly: boolean;
  dialog: ReactNode;
}
const isObject = (value: unknown): value is JsonObject => value !== null && typeof value === 'object' && !Array.isArray(value);

export function useRecordActions(scope: RecordScope): RecordActions {
  const client = useQueryClient();
  const session = useSession();
  const facts = useFacts();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Asking>();
  const { show, shown } = useShownAnswer();
  const chain = useRef<Promise<unknown>>(Promise.resolve());
  const underWay = useRef(new Set<string>());
  const turn = useRef(0);
  const latest = useRef(scope);
  latest.current = scope;
  const { resource, record, schema } = scope;
  const actions = useMemo(() => resource.actions ?? [], [resource]);
  /** Those of the screen and those that stand on rows of its sections. */
  const all = useMemo(
    () => [
      ...actions,
      ...[...(resource.record?.main ?? []), ...(resource.record?.side ?? [])].flatMap(section =>
        'rowActions' in section ? (section.rowActions ?? []) : [],
      ),
    ],
    [actions, resource],
  );

  useEffect(() => warm(...all.map(action => formsChunk(action.call))), [all]);

  const offering = useMemo(
    () => ({
      ...{ calls: definitions.calls, table: resource.calls, of: resource.of, schema, record, session, facts },
      isReadOnly: isReadOnly(all, { calls: definitions.calls, table: resource.calls, session }),
    }),
    [resource, schema, record, session, facts, all],
  );
  const say = useCallback(
    (text: string, row?: JsonObject, rowSchema?: Schema, now: JsonObject = latest.current.record) =>
      words(text, { record: now, schema: latest.current.schema, row, rowSchema, currency: session.store.currency_code }),
    [session],
  );

  const filled = useCallback(
    (values: Action['with'], row?: JsonObject): JsonObject => {
      const { record: now, params } = latest.current;
      return fill(values, { record: now, root: now, facts, params, ...(row ? { row } : {}) });
    },
    [facts],
  );
  /** The record's key goes where the call wants it and the action does not say otherwise. */
  const inputOf = useCallback(
    (call: Call, values: Action['with'], row?: JsonObject): JsonObject => {
      const { record: now, resource: screen } = latest.current;
      const input = filled(values, row);
      const key = definitions.entities[screen.of ?? '']?.record?.key ?? 'id';
      if (call.in.some(param => param.name === key) && !(key in input) && now[key] !== undefined) input[key] = now[key] as JsonValue;
      return input;
    },
    [filled],
  );
  const given = useCallback(
    (action: Action, row?: JsonObject): JsonObject => {
      const call = definitions.calls[fullName(action.call, latest.current.resource.calls)];
      const input = call ? inputOf(call, action.with, row) : {};
      return Object.fromEntries(Object.entries(input).filter(([name]) => !action.prompt?.includes(name))) as JsonObject;
    },
    [inputOf],
  );

  /**
   * Sends one after another: each with the version that the one before left. The answer is handed on as soon as it is there, and what it
   * says of the record is shown at once; what else it made stale is fetched behind it, and the next one waits for that.
   */
  const send = useCallback(
    (call: Call, input: JsonObject, options: SendOptions = {}): Promise<Ran> => {
      const go = async (): Promise<{ answer: Ran; settled: Promise<unknown> }> => {
        const { queryKey, resource: screen, shown, schema: of } = latest.current;
        const now = client.getQueryData<JsonObject>(queryKey) ?? latest.current.record;
        const isVersioned =
          !isRead(call) && typeof now.version === 'number' && (call.of === screen.of || call.invalidates.includes(screen.of ?? ''));
        try {
          const answer = await runCall(call.name, input, {
            ...options,
            ...(isVersioned ? { version: now.version as number } : {}),
            stale: false,
          });
          if (isRead(call)) return { answer, settled: Promise.resolve() };
          const { data } = answer;
          if (call.of === screen.of && isObject(data) && data.id === now.id)
            client.setQueryData<JsonObject>(queryKey, before => ({ ...before, ...data }));
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
          throw new CallError(409, { code: error.code, requestId: error.requestId, message: conflictWords(error.conflict, of, now) });
        }
      };
      const result = chain.current.then(go, go);
      chain.current = result.then(({ settled }) => settled).catch(() => undefined);
      return result.then(({ answer }) => answer);
    },
    [client],
  );

  /** What takes an action back: of the record as it was before. */
  const beforeOf = useCallback(
    (action: Action, row?: JsonObject): JsonObject | undefined => {
      const back = action.undo && action.undoWith ? definitions.calls[fullName(action.undo, latest.current.resource.calls)] : undefined;
      return back && inputOf(back, action.undoWith, row);
    },
    [inputOf],
  );

  const finish = useCallback(
    (action: Action, answer: Ran, input: JsonObject, row?: JsonObject, rowSchema?: Schema, before?: JsonObject) => {
      const { resource: screen, queryKey } = latest.current;
      const now = client.getQueryData<JsonObject>(queryKey) ?? latest.current.record;
      const data = isObject(answer.data) ? answer.data : {};
      const after = { ...now, ...(data.id === now.id ? data : {}) };
      const back = action.undo ? definitions.calls[fullName(action.undo, screen.calls)] : undefined;
      const undo =
        back &&
        ((): void => {
          const values = action.undoWith
            ? (before ?? inputOf(back, action.undoWith, row))
            : {
                ...Object.fromEntries(Object.entries(input).filter(([name]) => back.in.some(param => param.name === name))),
                ...inputOf(back, {}, row),
              };
          send(back, values, { key: newKey() }).then(
            () => notify(t`Undone.`),
            (error: unknown) => notifyError(error, t`This could not be undone.`),
          );
        });
      const call = definitions.calls[fullName(action.call, screen.calls)];
      const about = withInput({ record: after, schema: latest.current.schema }, call, input);
      const said = action.done
        ? words(action.done, { ...about, row, rowSchema, currency: session.store.currency_code })
        : answer.message && answer.message !== 'OK'
          ? answer.message
          : `${action.title}: done.`;
      if (action.shows) show(say(action.confirmTitle ?? action.title, row, rowSchema, after), said, action.shows, data);
      else notify(said, undo ? { undo } : {});
      // What was made by it is named by the answer: "/bulk-actions/{answer.id}".
      if (action.to) void navigate(say(action.to, row, rowSchema, { ...after, answer: data }));
    },
    [client, inputOf, navigate, say, send, session, show],
  );

  /** Shows the effect before the answer: a row moves to the state of its move, fields take what was typed. Gives the way back. */
  const foresee = useCallback(
    async (call: Call, input: JsonObject, row?: JsonObject): Promise<() => void> => {
      const { queryKey, shown, resource: screen } = latest.current;
      if (!row) {
        const before = client.getQueryData<JsonObject>(queryKey);
        const key = definitions.entities[screen.of ?? '']?.record?.key ?? 'id';
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
    [client],
  );

  const submit = useCallback(
    async (action: Action, input: JsonObject, options: SendOptions) => {
      const call = definitions.calls[fullName(action.call, latest.current.resource.calls)];
      if (!call) throw new Error(`There is no call "${action.call}" in the definitions.`);
      const before = latest.current.record;
      const takeBack = await foresee(call, input);
      try {
        const answer = await send(call, input, options);
        const old = Object.fromEntries(Object.keys(input).map(name => [name, before[name] ?? null])) as JsonObject;
        const undo = (): void => {
          void send(call, { ...input, ...old }, { key: newKey() }).then(
            () => notify(t`Undone.`),
            (error: unknown) => notifyError(error, t`This could not be undone.`),
          );
        };
        notify(action.done ?? (answer.message && answer.message !== 'OK' ? answer.message : t`Saved.`), { undo });
      } catch (error) {
        takeBack();
        throw error;
      }
    },
    [foresee, send],
  );

  const start = useCallback(
    (offer: AvailableAction, row?: JsonObject, rowSchema?: Schema) => {
      const { action, call } = offer;
      if (offer.refusal !== undefined) return;
      if (action.linkOnly && action.to) {
        void navigate(say(action.to, row, rowSchema));
        return;
      }
      const input = inputOf(call, action.with, row);
      if (action.download) {
        void download(call.name, input, say(action.download, row, rowSchema));
        return;
      }
      const before = beforeOf(action, row);
      if (
        action.confirm ||
        action.prompt?.length ||
        action.prerequisite ||
        call.in.some(param => param.required && !(param.name in input))
      ) {
        setAsking({ offer, row, rowSchema, before, turn: (turn.current += 1) });
        return;
      }
      // Pressed again before the page shows what it did: meant once.
      const what = `${action.id} ${String(row?.id ?? '')}`;
      if (underWay.current.has(what)) return;
      underWay.current.add(what);
      void (async () => {
        const takeBack = action.undo ? await foresee(call, input, row) : () => undefined;
        try {
          finish(action, await send(call, input, { key: newKey() }), input, row, rowSchema, before);
        } catch (error) {
          takeBack();
          notifyError(error);
        } finally {
          void chain.current.then(() => {
            underWay.current.delete(what);
          });
        }
      })();
    },
    [beforeOf, finish, foresee, inputOf, navigate, say, send],
  );

  const offer = useCallback(
    (id: string, row?: JsonObject) => {
      for (const action of all) {
        const found = action.id === id ? availabilityOf(action, { ...offering, row }) : undefined;
        if (found) return found;
      }
      return undefined;
    },
    [all, offering],
  );
  const close = useCallback(() => setAsking(undefined), []);

  return {
    offer,
    start,
    submit,
    given,
    headActions: useMemo(() => availableActionsOf(placed(actions, 'head'), offering), [actions, offering]),
    sectionActions: useCallback(
      id => (id === undefined ? [] : availableActionsOf(placed(actions, 'section', id), offering)),
      [actions, offering],
    ),
    actionsOfRow: useCallback((row, own) => availableActionsOf(own ?? [], { ...offering, row }), [offering]),
    run: useCallback(
      (id, row) => {
        const found = offer(id, row);
        if (found) start(found, row);
      },
      [offer, start],
    ),
    isReadOnly: offering.isReadOnly,
    dialog: asking ? (
      <Asked
        key={asking.turn}
        offer={asking.offer}
        row={asking.row}
        screen={resource}
        record={record}
        say={text => say(text, asking.row, asking.rowSchema)}
        input={inputOf(asking.offer.call, asking.offer.action.with, asking.row)}
        run={(input, options) => send(asking.offer.call, input, options)}
        onDone={(answer, input) => {
          close();
          finish(asking.offer.action, answer, input, asking.row, asking.rowSchema, asking.before);
        }}
        onClose={close}
      />
    ) : (
      shown
    ),
  };
}
