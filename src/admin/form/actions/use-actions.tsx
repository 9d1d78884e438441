// Runs the actions of a screen for a record: at once, after a question, or after asking for what is open; with Undo where there is one.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { allowsCall } from '../../../contract/access.ts';
import { holds } from '../../../contract/validation/condition.ts';
import { callNamed, fill, template } from '../../../contract/find.ts';
import { isRead } from '../../../contract/request.ts';
import { mayMove, movesOf } from '../../../contract/states.ts';
import type { Action, Call, JsonObject, Resource, Schema } from '../../../contract/types.ts';
import { markStale, runCall } from '../../platform/transport/calls.ts';
import { warm } from '../../platform/chunk.ts';
import { definitions, formsChunk } from '../../platform/definitions.ts';
import { download } from '../../ui/download.ts';
import { useShownAnswer } from '../../ui/overlays/shown-answer.tsx';
import { usePendingDialog } from '../../ui/overlays/pending-dialog.ts';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { queryClient } from '../../platform/transport/query-client.ts';
import { withInput, words } from '../../platform/interpolate.ts';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import { newKey, type SendOptions } from '../../platform/transport/transport.ts';
import { ActionDialog, needsDialog } from './action-dialog.tsx';
import { isObject } from '../engine/path.ts';
import { useFormServices } from '../fields/use-services.ts';
import { useValidation } from '../../platform/validators.ts';
import { t } from '../../../domain/text/t.ts';

export interface OfferedAction {
  action: Action;
  /** Why it can't be used now, for the tooltip of its disabled button. */
  refusal: string | undefined;
  run: () => void;
}

export interface ActionsOptions {
  resource: Pick<Resource, 'calls' | 'of' | 'actions'>;
  record: JsonObject;
  /** The entity's schema, for its states. */
  schema?: Schema | undefined;
  params?: Record<string, string>;
  /** A row of a section the action stands on. */
  row?: JsonObject;
  onDone?: (action: Action, answer: unknown) => void;
  /** The action is over: done, refused, or its dialog was closed. */
  onEnd?: () => void;
  /** Things to settle first, such as unsaved changes; false keeps the action from running. */
  before?: () => boolean | Promise<boolean>;
}

/** The actions that a record offers now, and the dialog that one of them may have open: put it somewhere in the page. */
export function useActions({ resource, record, schema, params, row, onDone, onEnd, before }: ActionsOptions): {
  actions: OfferedAction[];
  dialog: ReactNode;
} {
  const session = useSession();
  const facts = useFacts();
  const navigate = useNavigate();
  const [open, setOpen] = useState<{ action: Action; call: Call; given: JsonObject }>();
  const { show, shown } = useShownAnswer();

  // What an action made stale is fetched behind its answer; the next one waits for that, so that it carries the version that is new.
  const latest = useRef(record);
  const refreshed = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    latest.current = record;
  }, [record]);
  const send = useCallback(async (call: Call, input: JsonObject, options: SendOptions) => {
    if (typeof latest.current.version === 'number') await refreshed.current;
    const { version } = latest.current;
    const answer = await runCall(call.name, input, {
      ...options,
      settle: false,
      stale: false,
      ...(typeof version === 'number' ? { version } : {}),
    });
    if (!isRead(call)) refreshed.current = markStale(call).catch(() => undefined);
    return answer;
  }, []);

  useEffect(() => warm(...(resource.actions ?? []).map(action => formsChunk(action.call))), [resource]);

  const inputOf = useCallback(
    (action: Action, call: Call, values = action.with): JsonObject => {
      const given = fill(values, { record, root: record, facts, ...(row ? { row } : {}), ...(params ? { params } : {}) });
      const key = definitions.entities[resource.of ?? '']?.record?.key ?? 'id';
      for (const { name, required } of call.in)
        if (required && !(name in given) && (name === key || name === 'version') && record[name] !== undefined) given[name] = record[name];
      return given;
    },
    [record, row, params, facts, resource.of],
  );

  const finish = useCallback(
    (action: Action, answer: unknown, input: JsonObject) => {
      const data = (answer as { data?: unknown } | undefined)?.data;
      const after: JsonObject = {
        ...record,
        ...(isObject(data) ? data : {}),
      };
      const back = action.undo ? callNamed(definitions, action.undo, resource) : undefined;
      const about = withInput({ record: after, schema }, callNamed(definitions, action.call, resource), input);
      const text = words(action.done ?? `${action.title}: done.`, { ...about, currency: session.store.currency_code });
      if (action.shows) show(words(action.confirmTitle ?? action.title, { record: after, schema }), text, action.shows, data, onEnd);
      else
        notify(
          text,
          back
            ? {
                undo: () => {
                  runCall(back.name, inputOf(action, back, action.undoWith), { key: newKey() }).then(
                    () => notify(t`Undone.`),
                    (error: unknown) => notifyError(error, t`This could not be undone.`),
                  );
                },
              }
            : {},
        );
      // What goes on behind the answer is drawn where the page shows its progress.
      if (callNamed(definitions, action.call, resource)?.poll) void queryClient.invalidateQueries({ queryKey: ['progress'] });
      onDone?.(action, answer);
      // What was made by it is named by the answer: "/flows/{answer.id}".
      if (action.to) void navigate(template(action.to, isObject(data) ? { ...after, answer: data } : after));
    },
    [record, schema, session, resource, inputOf, onDone, onEnd, navigate, show],
  );

  const start = useCallback(
    async (action: Action) => {
      if (before && !(await before())) return;
      const call = callNamed(definitions, action.call, resource);
      if (!call) throw new Error(`There is no call "${action.call}".`);
      // Making something new has a page of its own, unless the answer says where it is.
      if (action.to && (action.linkOnly || call.does === 'create') && !isOfAnswer(action.to)) {
        void navigate(template(action.to, record));
        return;
      }
      const given = inputOf(action, call);
      if (action.download) {
        await download(call.name, given, words(action.download, { record, schema }));
        onEnd?.();
        return;
      }
      if (needsDialog(action, call, undefined, given)) {
        setOpen({ action, call, given });
        return;
      }
      try {
        finish(action, await send(call, given, { key: newKey() }), given);
      } catch (error) {
        notifyError(error);
        onEnd?.();
        return;
      }
      // What is shown to be read ends when it is closed.
      if (!action.shows) onEnd?.();
    },
    [before, record, schema, resource, inputOf, finish, navigate, send, onEnd],
  );

  const actions = useMemo(
    () =>
      (resource.actions ?? [])
        .filter(action => holds(action.when, { siblings: record, root: record, facts }))
        .map(action => {
          const call = callNamed(definitions, action.call, resource);
          const verdict = call ? allowsCall(call, session) : { ok: true as const };
          const isMove = call?.does === 'move' || (call?.does === 'act' && movesOf(schema)[call.key] !== undefined);
          const move = call && schema && isMove ? mayMove(schema, call.key, record) : { ok: true as const };
          return { action, refusal: verdict.ok ? (move.ok ? undefined : move.message) : verdict.message, run: () => void start(action) };
        }),
    [resource, record, facts, session, schema, start],
  );

  const close = useCallback(() => {
    setOpen(undefined);
    onEnd?.();
  }, [onEnd]);
  const dialog = open ? (
    <Asked
      key={open.action.id}
      {...open}
      action={spoken(open.action, text => words(text, { record, schema, row, currency: session.store.currency_code }))}
      record={record}
      facts={facts}
      run={(input, options) => send(open.call, input, options)}
      onClose={close}
      onDone={(answer, input) => {
        setOpen(undefined);
        finish(open.action, answer, input);
        if (!open.action.shows) onEnd?.();
      }}
    />
  ) : (
    shown
  );
  return { actions, dialog };
}

/** Whether an address needs the answer of its action. */
const isOfAnswer = (address: string): boolean => address.includes('{answer.');

const TEXTS = ['confirmTitle', 'confirm', 'submit', 'dismiss'] as const;
/** An action with the texts of its dialog as people read them: amounts with their currency, dates, options by their titles. */
const spoken = (action: Action, say: (text: string) => string): Action => ({
  ...action,
  ...Object.fromEntries(
    TEXTS.flatMap(name => {
      const text = action[name];
      return text === undefined ? [] : [[name, say(text)]];
    }),
  ),
});

function Asked({
  action,
  call,
  given,
  record,
  facts,
  run,
  onDone,
  onClose,
}: {
  action: Action;
  call: Call;
  given: JsonObject;
  record: JsonObject;
  facts: JsonObject;
  run: (input: JsonObject, options: SendOptions) => Promise<unknown>;
  onDone: (answer: unknown, input: JsonObject) => void;
  onClose: () => void;
}) {
  usePendingDialog();
  const session = useSession();
  const services = useFormServices();
  const hasInput = call.in.some(param => !(param.name in given)) || call.body !== undefined;
  const validation = useValidation(`calls/${call.name}`);
  const emptySchema = useMemo<Schema>(() => ({ type: 'object', properties: {} }), []);
  if (hasInput && !validation) return null;
  return (
    <ActionDialog
      action={action}
      schema={validation?.schema ?? emptySchema}
      validator={validation?.validator}
      given={given}
      record={record}
      initial={record}
      facts={facts}
      services={services}
      currency={session.store.currency_code}
      timezone={session.store.timezone}
      now={storeNow}
      run={run}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
