// Several of a list: tick boxes when it is short, a searchable list with chips when it is long.
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { Combobox } from '../../src/admin/form/fields/combobox.tsx';
import { choicesOf, keyOf } from '../../src/admin/form/fields/options.ts';
import type { Choice } from '../../src/admin/form/fields/options.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';
const SHORT = 8;

export default function MultiSelect(props: WidgetProps<JsonValue[]>) {
  return <Several {...props} choices={choicesOf(props.schema, props.options.source)} />;
}

/** Several of these choices, in the way that their number asks for. */
export function Several({
  id,
  labelId,
  label,
  options,
  value,
  change,
  leave,
  describedBy,
  invalid,
  compact,
  choices,
}: WidgetProps<JsonValue[]> & { choices: Choice[] }) {
  const held = value ?? [];
  const chosen = held.map(one => choices.find(choice => choice.value === one) ?? { key: keyOf(one), value: one, title: String(one) });
  // The order is that of the list, whatever was chosen first, unless the order means something.
  const add = (choice: Choice) =>
    change(
      options.ordered === true
        ? [...held, choice.value]
        : [
            ...choices.filter(one => one.key === choice.key || held.includes(one.value)).map(one => one.value),
            ...held.filter(one => !choices.some(known => known.value === one)),
          ],
    );
  const remove = (choice: Choice) => change(held.filter(one => keyOf(one) !== choice.key));
  const display = textOption(options, 'display') ?? (choices.length > SHORT || compact ? 'menu' : 'list');
  if (display === 'menu') {
    return (
      <div role="group" aria-labelledby={labelId}>
        <Combobox
          id={id}
          label={label}
          describedBy={describedBy}
          invalid={invalid}
          multiple
          chosen={chosen}
          choices={choices}
          placeholder={textOption(options, 'placeholder') ?? t`Choose …`}
          onPick={add}
          onRemove={remove}
          onLeave={leave}
        />
      </div>
    );
  }
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      className={display === 'inline' ? 'f-checks f-checks-inline' : 'f-checks'}
      onBlur={leave}
    >
      {choices.map((choice, index) => (
        <label className="p-choice" key={choice.key}>
          <input
            type="checkbox"
            className="p-check"
            id={index === 0 ? id : undefined}
            aria-invalid={invalid || undefined}
            checked={held.includes(choice.value)}
            onChange={event => (event.target.checked ? add(choice) : remove(choice))}
          />
          <span className="f-choice-text">
            <span>{choice.title}</span>
            {choice.detail && <span className="p-hint">{choice.detail}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}

export function Show({ value, schema, options }: { value: JsonValue; schema: Schema; options: JsonObject }) {
  const choices = choicesOf(schema, options.source);
  const held = Array.isArray(value) ? value : [];
  return (
    <>
      {held.map(one => choices.find(choice => choice.value === one)?.title ?? String(one)).join(', ') ||
        textOption(options, 'empty') ||
        t`None`}
    </>
  );
}
