// A record of another entity, found by typing.
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { Combobox, ChoiceImage } from '../../src/admin/form/fields/combobox.tsx';
import { useChosen, useLoad } from '../../src/admin/form/fields/records.ts';
import { withArticle } from '../../src/admin/form/fields/services.ts';
import type { FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { isEmpty } from '../../src/admin/form/fields/widgets.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

const filterOf = (options: JsonObject) =>
  typeof options.filter === 'object' && options.filter !== null ? (options.filter as JsonObject) : undefined;

export default function Reference(props: WidgetProps<JsonValue>) {
  const { id, label, value, options, form, nullable, required, change, leave, describedBy, invalid } = props;
  const of = String(options.of ?? 'record');
  const isPerson = options.person === true;
  const chosen = useChosen(form.services, of, isEmpty(value) ? [] : [value!], isPerson);
  const load = useLoad(form.services, of, filterOf(options), isPerson);
  const { many, one } = form.services.looks(of);
  return (
    <Combobox
      id={id}
      label={label}
      describedBy={describedBy}
      invalid={invalid}
      required={required}
      chosen={chosen}
      load={load}
      things={many}
      placeholder={textOption(options, 'placeholder') ?? t`Find ${withArticle(one)}`}
      onPick={choice => change(choice.value)}
      onLeave={leave}
      {...(required && !nullable ? {} : { onClear: () => change(nullable ? null : undefined) })}
    />
  );
}

export function Show({ value, options, form }: { value: JsonValue; options: JsonObject; form: FormHandle }) {
  const chosen = useChosen(
    form.services,
    String(options.of ?? 'collection'),
    Array.isArray(value) ? value : [value],
    options.person === true,
  );
  return (
    <span className="f-shown-records">
      {chosen.map(choice => (
        <span className="f-shown-record" key={choice.key}>
          <ChoiceImage choice={choice} small />
          {choice.title}
        </span>
      ))}
      {!chosen.length && '–'}
    </span>
  );
}
