// The dialog of an action, while it asks: the form of its call, what it would do, and the call that goes first where there is one.
import { type ReactNode, useMemo, useState } from 'react';
import type { Action, Call, JsonObject, PanelSection } from '../../../contract/types.ts';
import { ActionDialog, openParameters } from './action-dialog.tsx';
import { useFormServices } from '../fields/use-services.ts';
import { drawPanel } from '../page/panels.tsx';
import { useSession, useFacts } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import type { Ran } from '../../platform/transport/calls.ts';
import type { SendOptions } from '../../platform/transport/transport.ts';
import { useValidation } from '../../platform/validators.ts';
import { usePendingDialog } from '../../ui/overlays/pending-dialog.ts';
import { usePrerequisite, useSendPrerequisite } from './prerequisite-call.ts';
import { type ActionForm, keyOf, type RecordScope } from './sending.ts';

interface AskedProps {
  action: Action;
  call: Call;
  scope: Pick<RecordScope, 'resource' | 'record' | 'formOf'>;
  row?: JsonObject | undefined;
  /** What the action's `with` gives. */
  input: JsonObject;
  /** A text of the action with the fields of what it is done to. */
  say: (text: string) => string;
  run: (input: JsonObject, options: SendOptions) => Promise<Ran>;
  onDone: (answer: Ran, input: JsonObject) => void;
  onClose: () => void;
  /** Stands below what is asked. */
  note?: ReactNode;
}

const NOTHING: ActionForm = { schema: { type: 'object', properties: {} } };
const TEXTS = ['title', 'confirmTitle', 'confirm', 'submit', 'dismiss'] as const;

export function Asked({ action, call, scope, row, input, say, run, onDone, onClose, note }: AskedProps): ReactNode {
  usePendingDialog();
  const session = useSession();
  const facts = useFacts();
  const services = useFormServices();
  const { record, resource, formOf } = scope;
  // What is asked begins with what the action gives for it, else with what the row or the record has now.
  const [{ known, initial }] = useState(() => {
    const isAsked = ([name]: [string, unknown]): boolean => action.prompt?.includes(name) ?? false;
    const given = Object.entries(input);
    const begun = Object.entries({ ...(row ?? record), ...Object.fromEntries(given.filter(isAsked)) });
    return {
      known: Object.fromEntries(given.filter(one => !isAsked(one))) as JsonObject,
      initial: Object.fromEntries(begun.filter(([, value]) => value !== null)) as JsonObject,
    };
  });
  const own = formOf?.(action);
  const hasInput = !own && (action.prerequisite !== undefined || call.body !== undefined || call.in.some(({ name }) => !(name in known)));
  const validation = usePrerequisite(action, useValidation(hasInput ? `calls/${call.name}` : undefined));
  const sendFirst = useSendPrerequisite(action, validation?.schema);
  const spoken = useMemo<Action>(
    () => ({
      ...action,
      ...(action.prerequisite ? { prompt: [...(action.prerequisite.prompt ?? []), ...(action.prompt ?? [])] } : {}),
      ...Object.fromEntries(TEXTS.flatMap(name => (action[name] === undefined ? [] : [[name, say(action[name])]]))),
    }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the texts of the moment it was opened
    [action],
  );
  const shows = action.preview ? resource.record?.preview : undefined;
  const preview = useMemo(() => {
    if (!shows) return undefined;
    const key = keyOf(resource.of);
    const section: PanelSection = { panel: shows.panel, call: shows.call, with: { [key]: record[key] ?? null, action: call.name } };
    return (value: JsonObject) => drawPanel(section, value, {}, () => undefined);
  }, [shows]); // eslint-disable-line react-hooks/exhaustive-deps -- of the record that it was opened on
  if (hasInput && !validation) return null;
  const { schema, validator } = own ?? validation ?? NOTHING;
  return (
    <ActionDialog
      action={openParameters(schema, known, spoken.prompt).length ? spoken : { ...spoken, prompt: [] }}
      schema={schema}
      validator={validator}
      given={known}
      record={record}
      initial={initial}
      facts={facts}
      services={services}
      currency={typeof record.currencyCode === 'string' ? record.currencyCode : session.store.currency_code}
      timezone={session.store.timezone}
      now={storeNow}
      run={sendFirst ? async (value, options) => run(await sendFirst(value, options), options) : run}
      onDone={(answer, sent) => onDone(answer as Ran, action.prerequisite ? {} : sent)}
      onClose={onClose}
      {...(preview ? { preview } : {})}
      note={note}
    />
  );
}
