// Permissions as a matrix: every area by module, with no access, view, or view and change; searched, given by module, compared with a role.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  accessIn,
  give,
  type Grants,
  grantsOf,
  listOf,
  type Module,
  modulesOf,
  most,
} from '../../src/admin/form/fields/permission-grants.ts';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import type { Access, JsonObject, JsonValue, Permission } from '../../src/contract/types.ts';
import '../../src/admin/form/permission-matrix.css';
import { inSentence, t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

export const frame: Frame = 'group';

const LEVELS: { access: Access; title: string; short: string }[] = [
  { access: 'NO_ACCESS', title: t`No access`, short: t.as('access')`None` },
  { access: 'READ', title: t`View`, short: t`View` },
  { access: 'WRITE', title: t`View and change`, short: t`Change` },
];
const titleOf = (access: Access): string => LEVELS.find(level => level.access === access)?.title ?? access;
const labelOf = (area: Permission): string => area.label ?? area.permissionKey;

export default function PermissionMatrix({ id, labelId, value, options, change, form, describedBy }: WidgetProps<JsonValue>) {
  const all = useSession().user.permissions;
  const [words, setWords] = useState('');
  const [compared, setCompared] = useState<string>('');
  const [isDifferentOnly, setDifferentOnly] = useState(false);
  const [note, setNote] = useState('');
  const grants = grantsOf(value);
  const other = useCompared(form, textOption(options, 'compare'), compared);
  const isLocked = form.readOnly !== false;

  const differs = (area: Permission): boolean =>
    other.grants !== undefined && accessIn(other.grants, area.permissionKey) !== accessIn(grants, area.permissionKey);
  const modules = modulesOf(all, words)
    .map(module => ({ ...module, areas: module.areas.filter(area => !isDifferentOnly || !other.grants || differs(area)) }))
    .filter(module => module.areas.length);
  const put = (areas: Permission[], access: Access): void => {
    const { grants: next, also } = give(all, grants, areas, access);
    change(listOf(all, next) as JsonValue);
    setNote(
      also.length
        ? t`With it: ${also.map(area => `${labelOf(area)} (${inSentence(titleOf(accessIn(next, area.permissionKey)))})`).join(', ')}.`
        : '',
    );
  };
  const count = (access: Access): number => all.filter(area => !area.isHidden && accessIn(grants, area.permissionKey) === access).length;
  const [changed, viewed, none] = [count('WRITE'), count('READ'), count('NO_ACCESS')];

  return (
    <div className="f-matrix" role="group" aria-labelledby={labelId} aria-describedby={describedBy}>
      <div className="f-matrix-tools">
        <input
          id={id}
          type="search"
          className="p-input"
          placeholder={t`Search permissions`}
          aria-label={t`Search permissions`}
          value={words}
          onChange={event => setWords(event.currentTarget.value)}
        />
        {other.roles.length > 0 && (
          <select
            className="p-input"
            aria-label={t`Compare with a role`}
            value={compared}
            onChange={event => setCompared(event.currentTarget.value)}
          >
            <option value="">{t`Compare with …`}</option>
            {other.roles.map(role => (
              <option key={String(role.id)} value={String(role.id)}>
                {String(role.name)}
              </option>
            ))}
          </select>
        )}
        {other.grants && (
          <label className="f-matrix-only">
            <input type="checkbox" checked={isDifferentOnly} onChange={event => setDifferentOnly(event.currentTarget.checked)} />{' '}
            {t`Differences only`}
          </label>
        )}
      </div>
      <p className="p-muted f-matrix-sum">{t`${changed} to change, ${viewed} to view, ${none} without access.`}</p>
      <p role="status" className="f-matrix-note">
        {note}
      </p>
      {modules.length === 0 && <p className="p-muted">{isDifferentOnly ? t`Both give the same.` : t`No permissions match.`}</p>}
      {modules.map(module => (
        <ModuleRows
          key={module.key}
          module={module}
          grants={grants}
          other={other.grants}
          name={id}
          isLocked={isLocked}
          put={put}
          differs={differs}
        />
      ))}
    </div>
  );
}

interface RowsProps {
  module: Module;
  grants: Grants;
  other: Grants | undefined;
  name: string;
  isLocked: boolean;
  put: (areas: Permission[], access: Access) => void;
  differs: (area: Permission) => boolean;
}

function ModuleRows({ module, grants, other, name, isLocked, put, differs }: RowsProps) {
  const every = (access: Access): boolean => module.areas.every(area => accessIn(grants, area.permissionKey) === most(area, access));
  return (
    <fieldset className="f-matrix-module">
      <legend>{module.title}</legend>
      {module.areas.length > 1 && (
        <div className="f-matrix-row f-matrix-all">
          <span className="p-muted">{tx`All of ${module.title}`}</span>
          <span className="f-matrix-levels">
            {LEVELS.map(({ access, short, title }) => (
              <button
                type="button"
                key={access}
                className="p-btn p-btn-s"
                disabled={isLocked}
                aria-pressed={every(access)}
                aria-label={t`All of ${module.title}: ${title}`}
                onClick={() => put(module.areas, access)}
              >
                {short}
              </button>
            ))}
          </span>
        </div>
      )}
      {module.areas.map(area => {
        const now = accessIn(grants, area.permissionKey);
        return (
          <div
            className="f-matrix-row"
            key={area.permissionKey}
            role="radiogroup"
            aria-label={labelOf(area)}
            data-differs={differs(area) || undefined}
          >
            <span className="f-matrix-label">
              {labelOf(area)}
              {other && differs(area) && (
                <span className="p-muted"> {tx`there: ${inSentence(titleOf(accessIn(other, area.permissionKey)))}`}</span>
              )}
            </span>
            <span className="f-matrix-levels">
              {LEVELS.map(({ access, title, short }) => (
                <label key={access} data-checked={now === access || undefined} title={title}>
                  <input
                    type="radio"
                    name={`${name}-${area.permissionKey}`}
                    checked={now === access}
                    disabled={isLocked || (access !== 'NO_ACCESS' && !area.availableAccessMode.includes(access))}
                    aria-label={title}
                    onChange={() => put([area], access)}
                  />
                  <span aria-hidden="true">{short}</span>
                </label>
              ))}
            </span>
          </div>
        );
      })}
    </fieldset>
  );
}

/** The roles to compare with, and what the chosen one gives. */
function useCompared(form: WidgetProps['form'], call: string | undefined, id: string): { roles: JsonObject[]; grants: Grants | undefined } {
  const { data: roles } = useQuery({
    queryKey: ['compare', call],
    enabled: call !== undefined,
    queryFn: ({ signal }) => form.services.ask(call ?? '', {}, signal),
  });
  const { data: role } = useQuery({
    queryKey: ['compare', call, id],
    enabled: id !== '',
    queryFn: ({ signal }) => form.services.ask(`${(call ?? '').split('.')[0]}.read`, { id: Number(id) }, signal),
  });
  return {
    roles: Array.isArray(roles) ? (roles as JsonObject[]) : [],
    grants: id && role ? grantsOf((role as JsonObject).permissions) : undefined,
  };
}

/** Who can't change it reads it: what can be changed and what can be viewed, by module. */
export function Show({ value }: { value: JsonValue }) {
  const grants = grantsOf(value);
  const named = (areas: Permission[], access: Access): string =>
    areas
      .filter(area => accessIn(grants, area.permissionKey) === access)
      .map(labelOf)
      .join(', ');
  return (
    <dl className="f-matrix-shown">
      {modulesOf(useSession().user.permissions, '').map(({ key, title, areas }) => {
        const lines = LEVELS.slice(1).flatMap(level => {
          const text = named(areas, level.access);
          return text ? [`${level.title}: ${text}`] : [];
        });
        return (
          <div key={key}>
            <dt>{title}</dt>
            {(lines.length ? lines : [t`No access`]).map(line => (
              <dd key={line}>{line}</dd>
            ))}
          </div>
        );
      })}
    </dl>
  );
}
