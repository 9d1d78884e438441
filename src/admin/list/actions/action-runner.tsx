// The chunk behind a list's actions: the form engine's questions and dialogs around them.
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { fill } from '../../../contract/find.ts';
import type { Action, Call, JsonObject, Resource, Schema } from '../../../contract/types.ts';
import { callOf } from '../../platform/transport/calls.ts';
import { useChunk } from '../../platform/chunk.ts';
import { overlaysChunk } from '../../ui/overlays/menu.tsx';
import { ActionDialog, openParameters } from '../../form/actions/action-dialog.tsx';
import { useActions } from '../../form/actions/use-actions.tsx';
import { useFormServices } from '../../form/fields/use-services.ts';
import { useValidation } from '../../platform/validators.ts';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import { saidOfMany } from './list-actions.tsx';

const noRecord: JsonObject = {};

/** Runs one action of the page's head as soon as it is drawn. */
export function RunNow({ resource, action, onEnd }: { resource: Resource; action: Action; onEnd: () => void }): ReactNode {
  const { actions, dialog } = useActions({ resource: { ...resource, actions: [action] }, record: noRecord, onEnd });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    actions[0]?.run();
  }, [actions]);
  return dialog;
}

/** The menu of a row, and the dialog that one of its actions may have open. */
export function RowActions({
  row,
  resource,
  entity,
  label,
  anchor,
  open,
  onClose,
}: {
  row: JsonObject;
  resource: Resource;
  entity: Schema | undefined;
  label: string;
  anchor: HTMLElement | null;
  open: boolean;
  onClose: () => void;
}): ReactElement {
  const overlays = useChunk(overlaysChunk);
  const screen = useMemo(() => ({ ...resource, actions: resource.list?.rowActions ?? [] }), [resource]);
  const { actions, dialog } = useActions({ resource: screen, record: row, schema: entity });
  const usual = actions.filter(({ action }) => action.tone !== 'critical');
  const dangerous = actions.filter(({ action }) => action.tone === 'critical');
  const item = ({ action, refusal, run }: (typeof actions)[number]) => ({
    title: action.title,
    onSelect: run,
    ...(action.icon ? { icon: action.icon } : {}),
    ...(refusal ? { disabled: refusal } : {}),
    ...(action.tone === 'critical' ? { tone: 'critical' as const } : {}),
  });
  return (
    <>
      {open && overlays && anchor && (
        <overlays.MenuOverlay
          anchor={anchor}
          align="end"
          label={label}
          onClose={onClose}
          items={[
            ...usual.map(item),
            ...(usual.length && dangerous.length ? [{ kind: 'separator' as const }] : []),
            ...dangerous.map(item),
          ]}
        />
      )}
      {dialog}
    </>
  );
}

/** Asks once for what an action on many rows leaves open; `onAsked` gets what was filled in. */
export function BulkAsk({
  action,
  what,
  onAsked,
  onClose,
}: {
  action: Action;
  what: string;
  onAsked: (input: JsonObject) => void;
  onClose: () => void;
}): ReactElement | null {
  const session = useSession();
  const facts = useFacts();
  const services = useFormServices();
  const call: Call = callOf(action.call);
  const validation = useValidation(`calls/${call.name}`);
  // Each row gives its own key later; a stand-in keeps the form from asking for it.
  const given = useMemo(
    () => ({ ...Object.fromEntries(call.in.slice(0, 1).map(param => [param.name, 1])), ...fill(action.with, { facts }) }) as JsonObject,
    [call, action.with, facts],
  );
  const prompted = useMemo<Action>(
    () => ({
      ...action,
      confirm: saidOfMany(action) ?? '',
      confirmTitle: `${action.title}: ${what}`,
      submit: `${action.title} ${what}`,
      prompt: action.prompt ?? (validation ? openParameters(validation.schema, given) : []),
    }),
    [action, what, validation, given],
  );
  if (!validation) return null;
  return (
    <ActionDialog
      action={prompted}
      schema={validation.schema}
      validator={validation.validator}
      given={given}
      record={noRecord}
      facts={facts}
      services={services}
      currency={session.store.currency_code}
      timezone={session.store.timezone}
      now={storeNow}
      run={input => Promise.resolve(input)}
      onDone={(_answer, input) =>
        onAsked(Object.fromEntries(Object.entries(input).filter(([name]) => prompted.prompt?.includes(name))) as JsonObject)
      }
      onClose={onClose}
    />
  );
}
