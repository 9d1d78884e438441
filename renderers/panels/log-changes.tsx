// What an entry of the account log changed: each field with its value before and after, and the way to the record.
import { TableScroll } from '../../src/admin/ui/table-scroll.tsx';
import { Link } from 'react-router-dom';
import { routeTo } from '../../src/contract/find.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { definitions, useSchema } from '../../src/admin/platform/definitions.ts';
import { logChanges } from '../../src/admin/record/log/log-changes.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { t } from '../../src/domain/text/t.ts';

export const flush = true;

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export default function LogChanges({ record }: PanelProps) {
  const entity = text(record.entity);
  const page = /^settings\.(\w[\w-]*)\./.exec(text(record.action))?.[1] ?? (entity === 'settings' ? text(record.entityId) : undefined);
  const known = page && definitions.settings[page] ? `settings/${page}` : definitions.entities[entity] ? `entities/${entity}` : undefined;
  const schema = useSchema(known);
  if (known && !schema)
    return (
      <p className="r-empty">
        <span className="p-skeleton p-sk-4" />
      </p>
    );
  const changes = logChanges(schema, record.before, record.after);
  const isNew = record.before === null,
    isGone = record.after === null;
  const to = placeOf(entity, text(record.entityId), page, isGone && !isNew);
  return (
    <>
      {changes.length === 0 ? (
        <p className="r-empty p-muted">{t`This entry holds no values: what it did is said in its title.`}</p>
      ) : (
        <TableScroll label={t`What changed, as a table`}>
          <table className="p-table r-table r-log" aria-label={t`What changed`}>
            <thead>
              <tr>
                <th scope="col">{t`Field`}</th>
                {!isNew && <th scope="col">{t`Before`}</th>}
                {!isGone && <th scope="col">{isNew ? t`Value` : t`After`}</th>}
              </tr>
            </thead>
            <tbody>
              {changes.map((change, i) => (
                <tr key={i}>
                  <td className="p-muted">{change.title}</td>
                  {!isNew && <td>{change.from ? <del>{change.from}</del> : <span className="p-muted">{t`Empty`}</span>}</td>}
                  {!isGone && <td>{change.to ? <ins>{change.to}</ins> : <span className="p-muted">{t`Empty`}</span>}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      {to && (
        <div className="p-card-foot">
          <Link className="p-link" to={to}>
            {page ? t`Open these settings` : t`Open the ${definitions.entities[entity]?.record?.name.one ?? t`record`}`}
          </Link>
        </div>
      )}
    </>
  );
}

/** Where the record stands in the admin, if it has a screen and was not deleted. */
function placeOf(entity: string, id: string, page: string | undefined, isGone: boolean): string | undefined {
  if (page) return definitions.settings[page] ? `/settings/${page}` : undefined;
  if (isGone || !id) return undefined;
  const route = Object.keys(definitions.resources).find(one => definitions.resources[one]?.of === entity && /^[^[]+\/\[\w+\]$/.test(one));
  return route && routeTo(route.replace(/\[\w+\]$/, '[key]'), { key: id });
}
