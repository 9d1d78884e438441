// Several records of another entity, found by typing.
import { numberOption, textOption } from '../../src/admin/form/fields/affix.tsx';
import { Combobox } from '../../src/admin/form/fields/combobox.tsx';
import { keyOf } from '../../src/admin/form/fields/options.ts';
import { useChosen, useLoad } from '../../src/admin/form/fields/records.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export { Show } from './reference.tsx';
export const frame: Frame = 'group';

export default function References(props: WidgetProps<JsonValue[]>) {
  const { id, label, labelId, value, schema, options, form, change, leave, describedBy, invalid } = props;
  const of = String(options.of);
  const isPerson = options.person === true;
  const held = value ?? [];
  const chosen = useChosen(form.services, of, held, isPerson);
  const load = useLoad(
    form.services,
    of,
    typeof options.filter === 'object' && options.filter ? (options.filter as JsonObject) : undefined,
    isPerson,
  );
  const { many } = form.services.looks(of);
  const limit = numberOption(options, 'max') ?? schema.maxItems ?? Infinity;
  return (
    <div role="group" aria-labelledby={labelId}>
      <Combobox
        id={id}
        label={label}
        describedBy={describedBy}
        invalid={invalid}
        multiple
        chosen={chosen}
        load={load}
        things={many}
        placeholder={textOption(options, 'placeholder') ?? t`Find ${many}`}
        onPick={choice => {
          if (held.length < limit) change([...held, choice.value]);
        }}
        onRemove={choice => change(held.filter(one => keyOf(one) !== choice.key))}
        onLeave={leave}
      />
    </div>
  );
}
