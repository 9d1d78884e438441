// A colour: its hexadecimal code, and a field to pick it from.
import { useRef, useState } from 'react';
import { AffixInput, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { Popover } from '../../src/admin/form/fields/popover.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import { useChannel } from '../../src/admin/form/engine/hooks.ts';
import { pathOf } from '../../src/admin/form/engine/path.ts';
import { emptyText } from '../../src/admin/form/fields/widgets.ts';
import type { FormHandle, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { chunk, useChunk } from '../../src/admin/platform/chunk.ts';
import { nonce } from '../../src/admin/platform/transport/config.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { contrast, READABLE } from '../../src/domain/widgets/contrast.ts';
import { inFigures, t } from '../../src/domain/text/t.ts';

// It writes its own style tag, which the page's policy only accepts with the nonce.
const picker = chunk(() =>
  import('react-colorful').then(module => {
    module.setNonce(nonce());
    return module;
  }),
);
const complete = (typed: string) => (/^[\da-f]{3}([\da-f]{3}([\da-f]{2})?)?$/i.test(typed) ? `#${typed}` : typed).toLowerCase();
const isColor = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && /^#([\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.test(value);

export default function Color(props: WidgetProps<string>) {
  const { id, label, value, schema, options, nullable, required, change, leave } = props;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const text = useText<string>({
    ...props,
    read: typed => (typed.trim() === '' ? emptyText(schema, nullable, required) : complete(typed.trim())) as string | undefined,
  });
  const close = () => {
    setOpen(false);
    leave();
  };
  const swatch = (
    <button
      ref={button}
      type="button"
      className="f-swatch-btn"
      aria-label={t`Pick ${label}`}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onPointerEnter={() => void picker.load()}
      onClick={() => (isOpen ? close() : setOpen(true))}
    >
      <span className="f-swatch" style={isColor(value) ? { backgroundColor: value } : undefined} data-none={!isColor(value) || undefined} />
    </button>
  );
  return (
    <>
      <AffixInput
        id={id}
        type="text"
        className="p-input p-mono"
        autoComplete="off"
        spellCheck={false}
        maxLength={9}
        placeholder={textOption(options, 'placeholder') ?? '#1f6feb'}
        before={swatch}
        {...ariaProps(props)}
        {...text}
      />
      {textOption(options, 'on') && <Contrast color={value} on={textOption(options, 'on') as string} form={props.form} />}
      {isOpen && (
        <Popover anchor={button} onClose={close} role="dialog" label={t`Pick ${label}`} className="f-color" takesFocus>
          <Picker value={isColor(value) ? value : '#888888'} onChange={change} />
          <Presets options={options} value={value} onPick={change} />
        </Popover>
      )}
    </>
  );
}

/** How well the colour can be read on the one behind it. Its line is there whatever it says, so that nothing moves. */
function Contrast({ color, on, form }: { color: JsonValue | undefined; on: string; form: FormHandle }) {
  useChannel(form.store, on);
  const behind = form.store.get(pathOf(on));
  const ratio = isColor(color) && isColor(behind) ? contrast(color, behind) : undefined;
  return (
    <p className="p-help f-contrast" data-tone={ratio !== undefined && ratio < READABLE ? 'critical' : undefined}>
      {ratio === undefined ? '–' : ratio < READABLE ? t`Contrast ${inFigures(ratio)}: hard to read` : t`Contrast ${inFigures(ratio)}`}
    </p>
  );
}

function Picker({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const module = useChunk(picker);
  return module ? <module.HexColorPicker color={value} onChange={onChange} /> : <div className="f-color-wait" />;
}

function Presets({
  options,
  value,
  onPick,
}: {
  options: Record<string, JsonValue>;
  value: string | undefined;
  onPick: (value: string) => void;
}) {
  const presets = Array.isArray(options.presets) ? options.presets.map(String) : [];
  if (!presets.length) return null;
  return (
    <div className="f-presets">
      {presets.map(one => (
        <button key={one} type="button" className="f-swatch-btn" aria-label={one} aria-pressed={one === value} onClick={() => onPick(one)}>
          <span className="f-swatch" style={{ backgroundColor: one }} />
        </button>
      ))}
    </div>
  );
}

export function Show({ value }: { value: JsonValue }) {
  return (
    <span className="f-shown-record">
      <span className="f-swatch" style={isColor(value) ? { backgroundColor: value } : undefined} />
      <span className="p-mono">{String(value)}</span>
    </span>
  );
}
