// Members of an object that all have the same few options: a row for each, and in it one choice. Access by scope, notices by kind.
import '../../src/admin/form/matrix.css';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { visibleMembers } from '../../src/admin/form/fields/object-field.tsx';
import { choicesOf } from '../../src/admin/form/fields/options.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { useChannel } from '../../src/admin/form/engine/hooks.ts';
import { humanise } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { inSentence, t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

export default function Matrix({
  id,
  labelId,
  schema,
  options,
  value,
  change,
  leave,
  describedBy,
  form,
  pointer,
}: WidgetProps<JsonObject>) {
  useChannel(form.store, `${pointer}#`);
  const properties = schema.properties ?? {};
  const rows = visibleMembers(form, schema, pointer, Object.keys(properties));
  const first = properties[rows[0] ?? ''];
  const choices = first ? choicesOf(first) : [];
  const none = textOption(options, 'none') ?? t.as('access')`None`;
  const given = isObject(value) ? value : {};
  const choose = (member: string, chosen: JsonValue | undefined): void => {
    const { [member]: _before, ...rest } = given;
    change(chosen === undefined ? rest : { ...rest, [member]: chosen });
  };
  return (
    <table id={id} className="f-matrix" aria-labelledby={labelId} aria-describedby={describedBy} onBlur={leave}>
      <thead>
        <tr>
          <td />
          {[none, ...choices.map(choice => choice.title)].map(title => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(member => {
          const row = properties[member] as Schema;
          const title = row.title ?? humanise(member);
          const one = (key: string, name: string, chosen: JsonValue | undefined) => (
            <td key={key}>
              <label className="f-matrix-one">
                <input
                  type="radio"
                  className="p-radio"
                  name={`${id}-${member}`}
                  aria-label={`${title}: ${name}`}
                  checked={given[member] === chosen}
                  onChange={() => choose(member, chosen)}
                />
                <span className="f-matrix-word" aria-hidden="true">
                  {name}
                </span>
              </label>
            </td>
          );
          return (
            <tr key={member} data-chosen={given[member] !== undefined}>
              <th scope="row">
                {title}
                {row.description && <span className="p-hint">{row.description}</span>}
              </th>
              {one('none', none, undefined)}
              {choices.map(choice => one(choice.key, choice.title, choice.value))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function Show({ value, schema }: { value: JsonValue; schema: Schema }) {
  const given = isObject(value) ? value : {};
  const words = Object.entries(schema.properties ?? {}).flatMap(([member, row]) => {
    const choice = choicesOf(row).find(one => one.value === given[member]);
    return choice ? [`${row.title ?? humanise(member)} (${inSentence(choice.title)})`] : [];
  });
  return <>{words.join(', ') || t.as('access')`None`}</>;
}
