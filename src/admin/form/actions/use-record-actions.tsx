// Offers and runs the actions of a record, of its rows, of a form, of a list: at once, after a question, or after asking for what is open.
// What can be undone shows its effect at once and offers Undo; a change that came too late is shown beside what is new.
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { fill, type FillScope, fullName, template } from '../../../contract/find.ts';
import type { Action, Call, JsonObject, Schema, With } from '../../../contract/types.ts';
import type { Ran } from '../../platform/transport/calls.ts';
import { warm } from '../../platform/chunk.ts';
import { definitions, formsChunk } from '../../platform/definitions.ts';
import { download } from '../../ui/download.ts';
import { useShownAnswer } from '../../ui/overlays/shown-answer.tsx';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { newKey, type SendOptions } from '../../platform/transport/transport.ts';
import { type AvailableAction, availabilityOf, availableActionsOf, isReadOnly } from './available-actions.ts';
import { withInput, words } from '../../platform/interpolate.ts';
import { isObject } from '../engine/path.ts';
import { Asked } from './asked.tsx';
import { keyOf, type RecordScope, useSending } from './sending.ts';
import { t } from '../../../domain/text/t.ts';

export type { RecordScope } from './sending.ts';
export interface RecordActions {
  /** The screen's own actions, as far as they are offered now. */
  offers: AvailableAction[];
  /** An action of the screen or of rows of its sections, by its id. */
  offer: (id: string, row?: JsonObject) => AvailableAction | undefined;
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

/** An action that is done to a row, or to the record itself. */
interface Doing {
  action: Action;
  call: Call;
  row: JsonObject | undefined;
  rowSchema: Schema | undefined;
  /** What takes it back, of the record as it was. */ before: JsonObject | undefined;
}
/** One for each opening: a dialog never goes on with what another was asked. */
type Asking = Doing & { turn: number };

/** What a call is given: an action's values, and the record's key where the call wants it and the action does not say otherwise. */
export function inputOf(
  call: Call,
  values: With | undefined,
  of: string | undefined,
  scope: FillScope & { record: JsonObject },
): JsonObject {
  const input = fill(values, { root: scope.record, ...scope });
  const key = keyOf(of);
  const own = scope.record[key];
  if (call.in.some(param => param.name === key) && !(key in input) && own !== undefined) input[key] = own;
  return input;
}
/** Whether an address needs the answer of its action. */
const isOfAnswer = (address: string): boolean => address.includes('{answer.');
/** The server's own words, where it has any. */
const sayingOf = ({ message }: Ran): string | undefined => (message && message !== 'OK' ? message : undefined);

export function useRecordActions(scope: RecordScope): RecordActions {
  const session = useSession();
  const facts = useFacts();
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Asking>();
  const { show, shown } = useShownAnswer();
  const underWay = useRef(new Set<string>());
  const turn = useRef(0);
  const latest = useRef(scope);
  latest.current = scope;
  const { current, send, foresee, settled } = useSending(latest);
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

  const offering = useMemo(() => {
    const { calls } = definitions;
    const table = resource.calls;
    const isRecord = resource.record !== undefined;
    // A record's page says itself that nothing of it may be changed; elsewhere each button says why.
    const isClosed = isRecord && isReadOnly(all, { calls, table, session });
    return { calls, table, of: resource.of, schema, record, session, facts, isRecord, isReadOnly: isClosed };
  }, [resource, schema, record, session, facts, all]);
  const say = useCallback(
    (text: string, { row, rowSchema }: Pick<Doing, 'row' | 'rowSchema'>, now: JsonObject = latest.current.record) =>
      words(text, { record: now, schema: latest.current.schema, row, rowSchema, currency: session.store.currency_code }),
    [session],
  );
  const callOf = useCallback((name: string) => definitions.calls[fullName(name, latest.current.resource.calls)], []);
  const fillIn = useCallback(
    (call: Call, values: With | undefined, row?: JsonObject): JsonObject => {
      const { record: now, params, resource: screen } = latest.current;
      return inputOf(call, values, screen.of, { record: now, facts, ...(params ? { params } : {}), ...(row ? { row } : {}) });
    },
    [facts],
  );
  const given = useCallback(
    (action: Action, row?: JsonObject): JsonObject => {
      const call = callOf(action.call);
      const input = call ? fillIn(call, action.with, row) : {};
      return Object.fromEntries(Object.entries(input).filter(([name]) => !action.prompt?.includes(name))) as JsonObject;
    },
    [callOf, fillIn],
  );
  const takeBack = useCallback(
    (back: Call, input: JsonObject): void =>
      void send(back, input, { key: newKey() }).then(
        () => notify(t`Undone.`),
        (error: unknown) => notifyError(error, t`This could not be undone.`),
      ),
    [send],
  );
  const end = useCallback(() => latest.current.onEnd?.(), []);

  const finish = useCallback(
    ({ action, call, row, rowSchema, before }: Doing, answer: Ran, input: JsonObject) => {
      const now = current();
      const data = isObject(answer.data) ? answer.data : {};
      // What names itself and is another (a copy, an order of the record) says nothing of the record.
      const key = keyOf(latest.current.resource.of);
      const isOther = data[key] !== undefined && now[key] !== undefined && data[key] !== now[key];
      const after = isOther ? now : { ...now, ...data };
      const back = action.undo ? callOf(action.undo) : undefined;
      const undo =
        back &&
        ((): void =>
          takeBack(
            back,
            action.undoWith
              ? (before ?? fillIn(back, action.undoWith, row))
              : {
                  ...Object.fromEntries(Object.entries(input).filter(([name]) => back.in.some(param => param.name === name))),
                  ...fillIn(back, {}, row),
                },
          ));
      const about = withInput({ record: after, schema: latest.current.schema }, call, input);
      const outcome = action.done
        ? words(action.done, { ...about, row, rowSchema, currency: session.store.currency_code })
        : (sayingOf(answer) ?? t`${action.title}: done.`);
      // What was made by it is named by the answer: "/bulk-actions/{answer.id}".
      const to = action.to && template(action.to, { ...after, row: row ?? null, answer: data });
      if (to && /^https?:/.test(to)) {
        globalThis.location.assign(to);
        return;
      }
      if (action.shows) show(say(action.confirmTitle ?? action.title, { row, rowSchema }, after), outcome, action.shows, data, end);
      else notify(outcome, undo ? { undo } : {});
      if (to) void navigate(to);
      if (!action.shows) end();
    },
    [current, fillIn, callOf, navigate, say, takeBack, session, show, end],
  );

  const submit = useCallback(
    async (action: Action, input: JsonObject, options: SendOptions) => {
      const call = callOf(action.call);
      if (!call) throw new Error(`There is no call "${action.call}" in the definitions.`);
      const before = latest.current.record;
      const restore = await foresee(call, input);
      try {
        const answer = await send(call, input, options);
        const old = Object.fromEntries(Object.keys(input).map(name => [name, before[name] ?? null])) as JsonObject;
        notify(action.done ?? sayingOf(answer) ?? t`Saved.`, { undo: () => takeBack(call, { ...input, ...old }) });
      } catch (error) {
        restore();
        throw error;
      }
    },
    [callOf, foresee, send, takeBack],
  );

  const start = useCallback(
    ({ action, call, refusal }: AvailableAction, row?: JsonObject, rowSchema?: Schema) => {
      if (refusal !== undefined) return;
      // Making something new has a page of its own, unless the answer says where it is.
      if (action.to && (action.linkOnly || call.does === 'create') && !isOfAnswer(action.to)) {
        void navigate(template(action.to, { ...latest.current.record, row: row ?? null }));
        return;
      }
      const input = fillIn(call, action.with, row);
      if (action.download) {
        void download(call.name, input, say(action.download, { row, rowSchema })).then(end);
        return;
      }
      const back = action.undo && action.undoWith ? callOf(action.undo) : undefined;
      const doing: Doing = { action, call, row, rowSchema, before: back && fillIn(back, action.undoWith, row) };
      if (
        action.confirm ||
        action.prompt?.length ||
        action.prerequisite ||
        call.in.some(param => param.required && !(param.name in input))
      ) {
        setAsking({ ...doing, turn: (turn.current += 1) });
        return;
      }
      // Pressed again before the page shows what it did: meant once.
      const what = `${action.id} ${String(row?.id ?? '')}`;
      if (underWay.current.has(what)) return;
      underWay.current.add(what);
      void (async () => {
        const restore = action.undo ? await foresee(call, input, row) : () => undefined;
        try {
          finish(doing, await send(call, input, { key: newKey() }), input);
        } catch (error) {
          restore();
          notifyError(error);
          end();
        } finally {
          void settled().then(() => underWay.current.delete(what));
        }
      })();
    },
    [callOf, end, fillIn, finish, foresee, navigate, say, send, settled],
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

  return {
    offer,
    start,
    submit,
    given,
    offers: useMemo(() => availableActionsOf(actions, offering), [actions, offering]),
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
        action={asking.action}
        call={asking.call}
        scope={scope}
        row={asking.row}
        say={text => say(text, asking)}
        input={fillIn(asking.call, asking.action.with, asking.row)}
        run={(input, options) => send(asking.call, input, options)}
        onDone={(answer, input) => {
          setAsking(undefined);
          finish(asking, answer, input);
        }}
        onClose={() => {
          setAsking(undefined);
          end();
        }}
      />
    ) : (
      shown
    ),
  };
}
