// Text with headings, lists and links, kept as clean HTML.
import { chunk, useChunk } from '../../src/admin/platform/chunk.ts';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import type { Variable } from '../../src/admin/form/fields/rich-text-editor.tsx';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { emptyText } from '../../src/admin/form/fields/widgets.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';

export const frame: Frame = 'group';
const editor = chunk(() => import('../../src/admin/form/fields/rich-text-editor.tsx'));
const cleaner = chunk(() => import('../../src/admin/form/fields/clean-html.ts'));

const variablesOf = (options: JsonObject): Variable[] =>
  Array.isArray(options.variables)
    ? options.variables.map(one => (typeof one === 'string' ? { key: one, label: one } : (one as Variable)))
    : [];

export default function RichText(props: WidgetProps<string>) {
  const { id, label, value, schema, options, nullable, required, form, pointer, change, leave, describedBy, invalid } = props;
  const module = useChunk(editor);
  if (!module)
    return (
      <div className="f-rich f-rich-wait" aria-busy="true">
        <div className="f-rich-bar" />
      </div>
    );
  return (
    <module.default
      id={id}
      label={label}
      value={value ?? ''}
      describedBy={describedBy}
      invalid={invalid}
      placeholder={textOption(options, 'placeholder')}
      variables={variablesOf(options)}
      onLeave={leave}
      onChange={read =>
        form.store.hold(pointer, () => {
          const html = read();
          change((html === '' ? emptyText(schema, nullable, required) : html) as string | undefined);
        })
      }
    />
  );
}

export function Show({ value }: { value: JsonValue }) {
  const module = useChunk(cleaner);
  // Cleaned again right before it is shown, wherever it came from.
  return module ? <div className="f-rich-shown" dangerouslySetInnerHTML={{ __html: module.cleanHtml(String(value)) }} /> : null;
}
