// One of several: the browser's own list when it is short, a searchable one when it is long.
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { Combobox } from '../../src/admin/form/fields/combobox.tsx';
import { choicesOf, keyOf } from '../../src/admin/form/fields/options.ts';
import type { Choice } from '../../src/admin/form/fields/options.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { isEmpty } from '../../src/admin/form/fields/widgets.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

/** Up to so many choices are seen at a glance. */
const SHORT = 8;

export default function Select(props: WidgetProps<JsonValue>) {
  const { id, label, schema, options, value, required, nullable, change, leave, describedBy, invalid } = props;
  const choices = choicesOf(schema, options.source);
  const emptyTitle = schema.oneOf?.find(option => option.const === null)?.title ?? textOption(options, 'empty');
  const isOptional = nullable || (!required && schema.default === undefined);
  const clear = () => change(nullable ? null : undefined);
  if ((choices.length > SHORT && options.searchable !== false) || options.searchable === true) {
    // "No limit" and its like can be chosen as any other.
    const none: Choice | undefined = nullable && emptyTitle !== undefined ? { key: '\0none', value: null, title: emptyTitle } : undefined;
    if (none) {
      const held = isEmpty(value)
        ? none
        : (choices.find(choice => choice.value === value) ?? { key: keyOf(value!), value: value!, title: String(value) });
      return (
        <Combobox
          id={id}
          label={label}
          describedBy={describedBy}
          invalid={invalid}
          required={required}
          chosen={[held]}
          choices={[none, ...choices]}
          onPick={choice => change(choice.value)}
          onLeave={leave}
        />
      );
    }
    const chosen = isEmpty(value)
      ? undefined
      : (choices.find(choice => choice.value === value) ?? { key: keyOf(value!), value: value!, title: String(value) });
    return (
      <Combobox
        id={id}
        label={label}
        describedBy={describedBy}
        invalid={invalid}
        required={required}
        chosen={chosen ? [chosen] : []}
        choices={choices}
        placeholder={textOption(options, 'placeholder') ?? emptyTitle ?? t`Choose …`}
        onPick={choice => change(choice.value)}
        onLeave={leave}
        {...(isOptional ? { onClear: clear } : {})}
      />
    );
  }
  // A value that is no longer among the choices stays until another is chosen.
  const isUnknown = !isEmpty(value) && !choices.some(choice => choice.value === value);
  const key = isEmpty(value) ? '' : keyOf(value!);
  return (
    <select
      id={id}
      className="p-input p-select"
      value={key}
      {...ariaProps({ invalid, describedBy, required })}
      onBlur={leave}
      onChange={event => {
        const choice = choices.find(one => one.key === event.target.value);
        if (choice) change(choice.value);
        else clear();
        leave();
      }}
    >
      {(isOptional || isEmpty(value)) && (
        <option value="" disabled={!isOptional}>
          {emptyTitle ?? textOption(options, 'placeholder') ?? (isOptional ? t`None` : t`Choose …`)}
        </option>
      )}
      {isUnknown && <option value={key}>{String(value)}</option>}
      {choices.map(choice => (
        <option key={choice.key} value={choice.key}>
          {choice.title}
        </option>
      ))}
    </select>
  );
}
