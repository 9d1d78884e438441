// The dialog of an action of a record, while it asks.
import { type ReactNode, useState, useMemo } from 'react';
import type { Resource, JsonObject, Schema, Action, PanelSection } from '../../../contract/types.ts';
import { ActionDialog, openParameters } from '../../form/actions/action-dialog.tsx';
import { useFormServices } from '../../form/fields/use-services.ts';
import { drawPanel } from '../../form/page/panels.tsx';
import { definitions } from '../../platform/definitions.ts';
import { useSession, useFacts } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import type { Ran } from '../../platform/transport/calls.ts';
import type { SendOptions } from '../../platform/transport/transport.ts';
import { useValidation } from '../../platform/validators.ts';
import { usePendingDialog } from '../../ui/overlays/pending-dialog.ts';
import { usePrerequisite, useSendPrerequisite } from './prerequisite-call.ts';
import type { AvailableAction } from './available-actions.ts';

interface AskedProps extends Omit<Asking, 'rowSchema' | 'turn' | 'before'> {
  screen: Resource;
  record: JsonObject;
  input: JsonObject;
  say: (text: string) => string;
  run: (input: JsonObject, options: SendOptions) => Promise<Ran>;
  onDone: (answer: Ran, input: JsonObject) => void;
  onClose: () => void;
}

const NOTHING: Schema = { type: 'object', properties: {} };

export function Asked({ offer: { action, call }, row, screen, record, input, say, run, onDone, onClose }: AskedProps): ReactNode {
  usePendingDialog();
  const session = useSession();
  const facts = useFacts();
  const services = useFormServices();
  const validation = usePrerequisite(action, useValidation(call.in.length > 0 || call.body ? `calls/${call.name}` : undefined));
  const sendFirst = useSendPrerequisite(action, validation?.schema);
  // What is asked begins with what the action gives for it, else with what the row or the record has now.
  const [{ known, initial }] = useState(() => {
    const asked = new Set(action.prompt ?? []);
    return {
      known: Object.fromEntries(Object.entries(input).filter(([name]) => !asked.has(name))) as JsonObject,
      initial: Object.fromEntries(
        Object.entries({
          ...(action.prompt ? (row ?? record) : {}),
          ...Object.fromEntries(Object.entries(input).filter(([name]) => asked.has(name))),
        }).filter(([, value]) => value !== null),
      ) as JsonObject,
    };
  });
  const spoken = useMemo<Action>(
    () => ({
      ...action,
      ...(action.prerequisite ? { prompt: [...(action.prerequisite.prompt ?? []), ...(action.prompt ?? [])] } : {}),
      title: say(action.title),
      ...(action.confirm ? { confirm: say(action.confirm) } : {}),
      ...(action.confirmTitle ? { confirmTitle: say(action.confirmTitle) } : {}),
      ...(action.submit ? { submit: say(action.submit) } : {}),
      ...(action.dismiss ? { dismiss: say(action.dismiss) } : {}),
    }),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the texts of the moment it was opened
    [action],
  );
  const shows = action.preview ? screen.record?.preview : undefined;
  const preview = useMemo(() => {
    if (!shows) return undefined;
    const key = definitions.entities[screen.of ?? '']?.record?.key ?? 'id';
    const section: PanelSection = { panel: shows.panel, call: shows.call, with: { [key]: record[key] ?? null, action: call.name } };
    return (value: JsonObject) => drawPanel(section, value, {}, () => undefined);
  }, [shows]); // eslint-disable-line react-hooks/exhaustive-deps -- of the record that it was opened on
  if ((call.in.length > 0 || call.body) && !validation) return null;
  const schema = validation?.schema ?? NOTHING;
  return (
    <ActionDialog
      action={openParameters(schema, known, spoken.prompt).length ? spoken : { ...spoken, prompt: [] }}
      schema={schema}
      validator={validation?.validator}
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
    />
  );
}
export interface Asking {
  offer: AvailableAction;
  row: JsonObject | undefined;
  rowSchema: Schema | undefined;
  /** What takes it back, of the record as it was. */ before: JsonObject | undefined;
  /** One for each opening: a dialog never goes on with what another was asked. */ turn: number;
}
