// A set of conditions on subscriptions: rows of a condition, how it is compared, and a value that fits; how many match, told live.
import { Plus, Trash2 } from 'lucide-react';
import '../../src/admin/form/conditions.css';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { ConditionCount } from '../../src/admin/form/fields/condition-count.tsx';
import { emptyValue, inputOf, plainName, wordsOf } from '../../src/admin/form/fields/condition-values.ts';
import { useRecords } from '../../src/admin/form/fields/records.ts';
import type { Frame, FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { useSessionIfAny } from '../../src/admin/platform/session/session.tsx';
import { accessOf } from '../../src/contract/access.ts';
import { setErrors, type ConditionKind, type ConditionRow, type ConditionSet } from '../../src/contract/conditions.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { inSentence, t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

const MOST = 10;

export default function Conditions(props: WidgetProps<JsonObject>) {
  const { id, labelId, label, value, schema, options, form, pointer, change, leave } = props;
  const session = useSessionIfAny();
  const catalogue = schema['x-catalogue'] ?? {};
  const offered = Object.values(catalogue).filter(({ permission }) => !permission || !session || accessOf(session).can(permission, 'READ'));
  const set = (value ?? { match: 'ALL', rows: [] }) as ConditionSet;
  const put = (next: ConditionSet): void => change(next as JsonObject);
  const putRow = (index: number, row: ConditionRow): void => put({ ...set, rows: set.rows.map((one, i) => (i === index ? row : one)) });
  const [first] = offered;
  const isSound = setErrors(catalogue, set as JsonValue).length === 0;
  return (
    <div role="group" aria-labelledby={labelId} className="f-conditions" onBlur={leave}>
      {set.rows.length > 1 && (
        <label className="f-conditions-match">
          <span>{t`Match`}</span>
          <select
            className="p-input p-select"
            value={set.match}
            onChange={event => put({ ...set, match: event.target.value as ConditionSet['match'] })}
          >
            <option value="ALL">{t`all of these`}</option>
            <option value="ANY">{t`any of these`}</option>
          </select>
        </label>
      )}
      {set.rows.length === 0 && <p className="p-hint">{textOption(options, 'empty') ?? t`Every subscription.`}</p>}
      {set.rows.map((row, index) => (
        <Row
          key={index}
          {...props}
          row={row}
          index={index}
          catalogue={catalogue}
          offered={offered}
          error={form.store.errorAt(`${pointer}/rows/${index}/conditionKey`) ?? form.store.errorAt(`${pointer}/rows/${index}/operator`)}
          onRow={next => putRow(index, next)}
          onRemove={() => put({ ...set, rows: set.rows.filter((_, i) => i !== index) })}
        />
      ))}
      <div className="f-conditions-foot">
        <button
          type="button"
          id={id}
          className="p-btn p-btn-s"
          aria-label={t`Add condition to ${inSentence(label)}`}
          disabled={set.rows.length >= MOST || first === undefined}
          onClick={() => first && put({ ...set, rows: [...set.rows, rowOf(first)] })}
        >
          <Plus aria-hidden="true" />
          {t`Add condition`}
        </button>
        {options.count !== false && set.rows.length > 0 && (
          <ConditionCount services={form.services} set={isSound ? (set as JsonValue) : null} />
        )}
      </div>
    </div>
  );
}

const rowOf = (kind: ConditionKind): ConditionRow => {
  const [operator] = kind.operators;
  return { conditionKey: kind.key, operator: operator?.name ?? '', value: emptyValue(operator?.takes ?? 'one') };
};

interface RowProps extends Omit<WidgetProps<JsonObject>, 'error'> {
  row: ConditionRow;
  index: number;
  catalogue: Record<string, ConditionKind>;
  /** Those that the person may ask for. */
  offered: readonly ConditionKind[];
  error: string | undefined;
  onRow(row: ConditionRow): void;
  onRemove(): void;
}

function Row({ row, index, catalogue, offered, error, nested, onRow, onRemove }: RowProps) {
  const kind = catalogue[row.conditionKey];
  const operator = kind?.operators.find(one => one.name === row.operator);
  const groups = [...new Set(offered.map(one => one.group))];
  const name = kind?.title ?? row.conditionKey;
  const at = (step?: number): (string | number)[] => ['rows', index, 'value', ...(step === undefined ? [] : [step])];
  return (
    <div className="f-condition" role="group" aria-label={t`Condition ${index + 1}`}>
      <select
        className="p-input p-select"
        aria-label={t`Condition ${index + 1}`}
        value={row.conditionKey}
        onChange={event => {
          const next = catalogue[event.target.value];
          if (next) onRow(rowOf(next));
        }}
      >
        {(!kind || !offered.includes(kind)) && <option value={row.conditionKey}>{name}</option>}
        {groups.map(group => (
          <optgroup key={group} label={group}>
            {offered
              .filter(one => one.group === group)
              .map(one => (
                <option key={one.key} value={one.key}>
                  {one.title}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <select
        className="p-input p-select"
        aria-label={t`How ${inSentence(name)} is compared`}
        value={row.operator}
        onChange={event => {
          const next = kind?.operators.find(one => one.name === event.target.value);
          if (next) onRow({ ...row, operator: next.name, value: next.takes === operator?.takes ? row.value : emptyValue(next.takes) });
        }}
      >
        {kind?.operators.map(one => (
          <option key={one.name} value={one.name}>
            {one.title}
          </option>
        ))}
      </select>
      <div className="f-condition-value" key={`${row.conditionKey} ${operator?.takes}`}>
        {kind && operator?.takes === 'two' && (
          <>
            {nested(at(0), inputOf(kind, 'one'), { compact: true, hideLabel: true, label: t`${name}, from` })}
            <span className="p-muted">{t`and`}</span>
            {nested(at(1), inputOf(kind, 'one'), { compact: true, hideLabel: true, label: t`${name}, to` })}
          </>
        )}
        {kind &&
          operator &&
          operator.takes !== 'two' &&
          nested(at(), inputOf(kind, operator.takes), { compact: true, hideLabel: true, label: t`${name}, value` })}
      </div>
      <button type="button" className="p-icon-btn f-remove" aria-label={t`Remove condition ${index + 1}`} onClick={onRemove}>
        <Trash2 aria-hidden="true" />
      </button>
      {error && <p className="p-error f-condition-error">{error}</p>}
    </div>
  );
}

export function Show({ value, schema, form }: { value: JsonValue; schema: Schema; options: JsonObject; form: FormHandle }) {
  const catalogue = schema['x-catalogue'] ?? {};
  const set = value as ConditionSet | undefined;
  const rows = set?.rows ?? [];
  if (rows.length === 0) return <>{t`Every subscription`}</>;
  return (
    <>
      {rows.length > 1 && <span className="p-muted">{set?.match === 'ANY' ? t`Any of these` : t`All of these`}</span>}
      <ul className="f-conditions-words">
        {rows.map((row, i) => (
          <li key={i}>
            <Words row={row} catalogue={catalogue} form={form} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** One row in words, with the names of the records that it means. */
function Words({ row, catalogue, form }: { row: ConditionRow; catalogue: Record<string, ConditionKind>; form: FormHandle }) {
  const of = catalogue[row.conditionKey]?.value['x-ui']?.of;
  const ids = of && Array.isArray(row.value) ? row.value : [];
  const records = useRecords(form.services, of ?? '', ids);
  const name = (kind: ConditionKind, one: JsonValue): string => {
    const record = of ? records[ids.indexOf(one)] : undefined;
    return record ? form.services.looks(of ?? '').label(record) : plainName(kind, one);
  };
  return <>{wordsOf(catalogue, { match: 'ALL', rows: [row] }, name)}</>;
}
