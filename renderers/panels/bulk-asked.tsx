// What a bulk action was asked to do, in words: what was filled in, and which subscriptions were chosen.
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { hasSchema, useSchema } from '../../src/admin/platform/definitions.ts';
import { AskedValue, askedOf } from '../../src/admin/features/bulk-actions/action-input-summary.tsx';
import { useFilterWords } from '../../src/admin/features/bulk-actions/selection/selection-text.ts';
import { text } from '../../src/admin/features/bulk-actions/states.ts';
import { inputName, pageOf, SUBSCRIPTIONS } from '../../src/admin/features/bulk-actions/bulk-calls.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { optionsOf } from '../../src/contract/paths.ts';
import { t } from '../../src/domain/text/t.ts';

const object = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};

export default function BulkAsked({ record, schema }: PanelProps) {
  const { store } = useSession();
  const name = inputName(text(record.actionKey));
  const form = useSchema(hasSchema(name) ? name : undefined);
  const entity = useSchema(`entities/${SUBSCRIPTIONS.entity}`);
  const selection = object(record.selection);
  const filters = useFilterWords(object(selection.filter), entity, store.currency_code);
  const inputs = askedOf(form, object(record.input), store.currency_code);
  const action = optionsOf(schema?.properties?.actionKey).find(one => one.value === record.actionKey)?.title ?? text(record.label);
  const from =
    selection.mode === 'CSV'
      ? text(selection.fileName)
        ? t`The file ${text(selection.fileName)}`
        : t`The file that was uploaded`
      : selection.mode === 'IDS'
        ? t`Named by their numbers`
        : selection.mode === 'ALL' || (filters.length === 0 && !selection.q)
          ? t`All of the store`
          : undefined;
  return (
    <dl className="p-facts r-facts">
      <Pair title={t`Action`} value={action} />
      {inputs.map(one => (
        <Pair key={one.title} title={one.title} value={<AskedValue asked={one} />} />
      ))}
      {typeof record.retryOf === 'number' && (
        <>
          <dt>{t`Tries again`}</dt>
          <dd>
            <Link to={pageOf(record.retryOf)}>{t`What failed in another bulk action`}</Link>
          </dd>
        </>
      )}
      {from ? (
        <Pair title={t`Subscriptions`} value={from} />
      ) : (
        <>
          {Boolean(selection.q) && <Pair title={t`Search`} value={`“${text(selection.q)}”`} />}
          {filters.map(one => (
            <Pair key={one.title} {...one} />
          ))}
        </>
      )}
    </dl>
  );
}
const Pair = ({ title, value }: { title: string; value: ReactNode }) => (
  <>
    <dt>{title}</dt>
    <dd>{value}</dd>
  </>
);
