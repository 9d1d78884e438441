// On or off: a switch with its label beside it.
import { ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';

export const frame: Frame = 'inline';

export default function Toggle(props: WidgetProps<boolean | string>) {
  const { id, label, labelId, value, schema, options, change, leave, compact, describedBy, invalid } = props;
  // Some settings travel as "true" and "false".
  const isText = schema.type === 'string';
  const isOn = value === true || value === 'true';
  const words = isOn ? textOption(options, 'on') : textOption(options, 'off');
  return (
    <label className="p-choice f-toggle" htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        role={options.checkbox === true ? undefined : 'switch'}
        className={options.checkbox === true ? 'p-check' : 'p-switch'}
        checked={isOn}
        {...ariaProps({ invalid, describedBy, required: false })}
        onChange={event => {
          change(isText ? String(event.target.checked) : event.target.checked);
          leave();
        }}
      />
      <span className={compact ? 'f-quiet' : 'f-toggle-label'} id={labelId}>
        {label}
        {words && <span className="p-muted f-toggle-words">{words}</span>}
      </span>
    </label>
  );
}
