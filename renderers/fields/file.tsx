// A text file, chosen or dropped and read in the browser: its name and its content go with the form. The longest content is the schema's.
import { FileInput } from '../../src/admin/ui/file-input.tsx';
import { readTextFile } from '../../src/admin/ui/read-text-file.ts';
import { useRef, useState } from 'react';
import type { DragEvent } from 'react';
import { FileText, Trash2, Upload } from 'lucide-react';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

function sizeOf(bytes: number): string {
  const size = bytes < 1_000_000 ? String(Math.max(1, Math.round(bytes / 1000))) : (bytes / 1_000_000).toFixed(1);
  return bytes < 1_000_000 ? t`${size} KB` : t`${size} MB`;
}
const nameOf = (value: JsonValue | undefined): string => {
  const name = value !== null && typeof value === 'object' && !Array.isArray(value) ? value.name : undefined;
  return typeof name === 'string' ? name : '';
};

export default function TextFile(props: WidgetProps<JsonObject>) {
  const { id, label, labelId, value, schema, options, form, pointer, change, leave, describedBy, invalid } = props;
  const [size, setSize] = useState(0);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const accept = textOption(options, 'accept');
  const kinds = textOption(options, 'kinds') ?? t`text`;
  const content = schema.properties?.content;
  const longest = content?.maxLength;
  const endings = accept?.split(',').filter(one => one.startsWith('.')) ?? [];
  const allowed = endings.join(t` or `);
  const name = nameOf(value);

  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const object = (message: string): void => form.store.object(pointer, message);
    if (endings.length && !endings.some(ending => file.name.toLowerCase().endsWith(ending)))
      return object(t`“${file.name}” is no ${kinds} file. Choose one that ends in ${allowed}.`);
    if (file.size === 0) return object(t`“${file.name}” is empty.`);
    if (longest !== undefined && file.size > longest)
      return object(content?.['x-errors']?.maxLength ?? t`“${file.name}” is larger than ${sizeOf(longest)}.`);
    let read: string;
    try {
      read = await readTextFile(file);
    } catch (error) {
      return object(error instanceof Error ? error.message : String(error));
    }
    form.store.object(pointer, undefined);
    setSize(file.size);
    change({ name: file.name, content: read });
    leave();
  };
  const remove = (): void => {
    form.store.object(pointer, undefined);
    change(undefined);
    leave();
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      className="f-image"
      data-over={isOver || undefined}
      data-invalid={invalid || undefined}
      onDrop={onDrop}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
    >
      <span className="f-image-none" aria-hidden="true">
        <FileText size={20} />
      </span>
      <div className="f-image-text">
        <div className="p-row p-wrap">
          <button type="button" id={id} className="p-btn p-btn-s" aria-describedby={describedBy} onClick={() => input.current?.click()}>
            <Upload aria-hidden="true" />
            {name ? t`Choose another` : t`Choose a file`}
          </button>
          {name && (
            <button type="button" className="p-btn p-btn-s p-btn-plain" aria-label={t`Remove ${label}`} onClick={remove}>
              <Trash2 aria-hidden="true" />
              {t`Remove`}
            </button>
          )}
        </div>
        <p className="p-help" role="status">
          {name
            ? `${name} · ${sizeOf(size)}`
            : longest === undefined
              ? t`Or drop a ${kinds} file here.`
              : t`Or drop a ${kinds} file here. Up to ${sizeOf(longest)}.`}
        </p>
      </div>
      <FileInput ref={input} accept={accept} onFile={one => void take(one)} />
    </div>
  );
}

export function Show({ value }: { value: JsonValue }) {
  return <>{nameOf(value) || '–'}</>;
}
