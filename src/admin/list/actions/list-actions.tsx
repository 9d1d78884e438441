// The actions of a list: in the head of the page, after a row, and on the rows chosen. What asks for more opens
// with the form's dialogs, which arrive then.
import { Ellipsis } from 'lucide-react';
import type { RaRecord } from 'react-admin';
import { type ReactElement, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { type Allowed, allowsCall } from '../../../contract/access.ts';
import { holds, ways } from '../../../contract/validation/condition.ts';
import { callNamed } from '../../../contract/find.ts';
import type { Action, JsonObject, JsonValue, Resource, Schema, Session } from '../../../contract/types.ts';
import { chunk, useChunk } from '../../platform/chunk.ts';
import { definitions, withCatalogue } from '../../platform/definitions.ts';
import { Icon } from '../../ui/icons.tsx';
import { usePageActions } from '../../platform/routing/page-actions.ts';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { t } from '../../../domain/text/t.ts';

const NO_RECORD: JsonObject = {};
/** Runs actions with their questions and forms. */
export const runner = chunk(() => withCatalogue(() => import('./action-runner.tsx')));

export function verdictOf(action: Action, resource: Resource, session: Session): Allowed {
  const call = callNamed(definitions, action.call, resource);
  return call ? allowsCall(call, session) : { ok: true };
}
/** The conditions of an action that concern the session and not a row. */
export const suitsSession = (action: Action, facts: Record<string, JsonValue>): boolean =>
  holds(action.when && ways(action.when).map(lines => Object.fromEntries(Object.entries(lines).filter(([key]) => key.startsWith('@')))), {
    facts,
  });

/** The actions of the page's head: all that are not for rows alone. */
export function headActions(resource: Resource): Action[] {
  const forRows = new Set([...(resource.list?.rowActions ?? []), ...(resource.list?.bulk ?? [])].map(action => action.id));
  return (resource.actions ?? []).filter(action => action.place === 'header' || (action.place === undefined && !forRows.has(action.id)));
}

export function HeadAction({
  action,
  resource,
  primary = action.primary,
}: {
  action: Action;
  resource: Resource;
  primary?: boolean | undefined;
}): ReactElement | null {
  const session = useSession();
  const facts = useFacts();
  const [asked, setAsked] = useState(false);
  const run = useChunk(asked ? runner : undefined);
  const verdict = verdictOf(action, resource, session);
  const suits = suitsSession(action, facts);
  // An address with a value of the answer is where the action ends, not what it is.
  const address = action.to?.includes('{') ? undefined : action.to;
  usePageActions(
    suits
      ? [
          {
            id: action.id,
            title: action.title,
            ...(action.icon ? { icon: action.icon } : {}),
            ...(verdict.ok ? {} : { refusal: verdict.message }),
            ...(address ? { to: address } : { run: () => setAsked(true) }),
          },
        ]
      : [],
  );
  if (!suits) return null;
  const className = `p-btn${primary ? ' p-btn-primary' : ''}`;
  const face = (
    <>
      {action.icon && <Icon name={action.icon} />}
      <span>{action.title}</span>
    </>
  );
  if (address && verdict.ok)
    return (
      <Link className={className} to={address}>
        {face}
      </Link>
    );
  return (
    <>
      <button
        type="button"
        className={className}
        aria-disabled={!verdict.ok}
        {...(verdict.ok ? {} : { 'data-tip': verdict.message })}
        onClick={() => {
          if (verdict.ok) setAsked(true);
        }}
      >
        {face}
      </button>
      {run && (
        <run.RunNow
          id={action.id}
          scope={{ resource: { ...resource, actions: [action] }, record: NO_RECORD, onEnd: () => setAsked(false) }}
        />
      )}
    </>
  );
}

/** The menu after a row. Its actions are those that this row allows now. */
export function RowMenu({
  row,
  resource,
  entity,
  name,
}: {
  row: RaRecord;
  resource: Resource;
  entity: Schema | undefined;
  name: string;
}): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const [mounted, setMounted] = useState(false);
  const [open, setOpen] = useState(false);
  const run = useChunk(mounted ? runner : undefined);
  return (
    <>
      <button
        type="button"
        ref={button}
        className="p-icon-btn p-icon-btn-s"
        tabIndex={-1}
        aria-label={t`Actions for ${name}`}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => {
          setMounted(true);
          setOpen(true);
        }}
        onPointerEnter={() => void runner.load().catch(() => undefined)}
      >
        <Ellipsis aria-hidden="true" />
      </button>
      {run && (
        <run.RowActions
          row={row as JsonObject}
          resource={resource}
          entity={entity}
          label={t`Actions for ${name}`}
          anchor={button.current}
          open={open}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
