// The chunk behind a list's actions: the form engine's questions and dialogs around them.
import { type ReactElement, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { JsonObject, Resource, Schema } from '../../../contract/types.ts';
import { useChunk } from '../../platform/chunk.ts';
import { overlaysChunk } from '../../ui/overlays/menu.tsx';
import { menuOf } from '../../form/actions/buttons.tsx';
import { type RecordScope, useRecordActions } from '../../form/actions/use-record-actions.tsx';

export { BulkRun } from './bulk-run.tsx';

/** Runs one action as soon as it is drawn, and asks what it asks. */
export function RunNow({ scope, id }: { scope: RecordScope; id: string }): ReactNode {
  const { run, dialog } = useRecordActions(scope);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    run(id);
  }, [run, id]);
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
  const { offers, start, dialog } = useRecordActions({ resource: screen, record: row, schema: entity });
  return (
    <>
      {open && overlays && anchor && (
        <overlays.MenuOverlay anchor={anchor} align="end" label={label} onClose={onClose} items={menuOf(offers, start)} />
      )}
      {dialog}
    </>
  );
}
