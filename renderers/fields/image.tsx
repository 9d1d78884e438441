// A picture: chosen, dropped or pasted where a call stores files, else given by its address.
import { FileInput } from '../../src/admin/ui/file-input.tsx';
import { useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent } from 'react';
import { ImagePlus, Trash2, Upload } from 'lucide-react';
import { numberOption, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import Url from './url.tsx';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

export const frame: Frame = 'group';

const TYPES: Record<string, string> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPG',
  'image/svg+xml': 'SVG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
};
const typesOf = (options: JsonObject) => (Array.isArray(options.types) ? options.types.map(String) : Object.keys(TYPES));
function listed(names: string[]): string {
  const [first, last] = [names.slice(0, -1).join(', '), names.at(-1) ?? ''];
  return names.length > 1 ? t`${first} or ${last}` : last;
}

export default function Image(props: WidgetProps<string>) {
  const { id, label, labelId, value, options, nullable, form, pointer, change, leave, describedBy, invalid } = props;
  const call = textOption(options, 'call');
  const upload = call ? form.services.uploadBy?.(call) : form.services.upload;
  const [progress, setProgress] = useState<number>();
  const [isOver, setOver] = useState(false);
  const [isBroken, setBroken] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const types = typesOf(options);
  const maxMb = numberOption(options, 'maxMb') ?? 2;
  const formats = listed(types.map(type => TYPES[type] ?? type.replace('image/', '').toUpperCase()));

  const take = async (file: File | undefined) => {
    if (!file || !upload) return;
    if (!types.includes(file.type))
      return form.store.object(
        pointer,
        file.type
          ? t`Use a ${formats} image. “${file.name}” is a ${TYPES[file.type] ?? file.type} file.`
          : t`Use a ${formats} image. “${file.name}” is of an unknown kind.`,
      );
    if (file.size > maxMb * 1024 * 1024)
      return form.store.object(pointer, t`Use an image smaller than ${maxMb} MB. This one has ${(file.size / 1024 / 1024).toFixed(1)} MB.`);
    form.store.object(pointer, undefined);
    setProgress(0);
    try {
      const { url } = await upload(file, setProgress);
      change(url);
      leave();
    } catch (error) {
      form.store.object(pointer, error instanceof Error ? error.message : t`“${file.name}” could not be uploaded. Try again.`);
    } finally {
      setProgress(undefined);
    }
  };
  const remove = () => {
    form.store.object(pointer, undefined);
    change((nullable ? null : undefined) as undefined);
    leave();
  };
  const preview =
    value && isBroken !== value ? (
      <img className="f-image-preview" src={value} alt={t`Preview of ${label}`} onError={() => setBroken(value)} />
    ) : (
      <span className="f-image-none" aria-hidden="true">
        <ImagePlus size={20} />
      </span>
    );
  if (!upload) {
    return (
      <div role="group" aria-labelledby={labelId} className="f-image f-image-url">
        {preview}
        <div className="p-grow">
          <Url {...props} options={{ placeholder: 'https://…/picture.png' }} />
          {value && isBroken === value && <p className="p-help">{t`There is no picture at this address.`}</p>}
        </div>
      </div>
    );
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const onPaste = (event: ClipboardEvent) => {
    const file = [...event.clipboardData.files][0];
    if (file) {
      event.preventDefault();
      void take(file);
    }
  };
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      className="f-image"
      data-over={isOver || undefined}
      data-invalid={invalid || undefined}
      onPaste={onPaste}
      onDrop={onDrop}
      onDragOver={event => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
    >
      {preview}
      <div className="f-image-text">
        <div className="p-row">
          <button
            type="button"
            id={id}
            className="p-btn p-btn-s"
            aria-busy={progress !== undefined}
            {...ariaProps({ invalid: false, describedBy, required: false })}
            onClick={() => input.current?.click()}
          >
            <Upload aria-hidden="true" />
            {value ? t`Replace` : t`Upload image`}
          </button>
          {value && (
            <button type="button" className="p-btn p-btn-s p-btn-plain" aria-label={t`Remove ${label}`} onClick={remove}>
              <Trash2 aria-hidden="true" />
              {t`Remove`}
            </button>
          )}
        </div>
        {progress !== undefined ? (
          <div
            className="p-progress"
            role="progressbar"
            aria-label={t`Uploading ${label}`}
            aria-valuenow={Math.round(progress * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <span style={{ width: `${Math.round(progress * 100)}%` }} />
          </div>
        ) : (
          <p className="p-help">{tx`Or drop or paste one here. ${formats}, up to ${maxMb} MB.`}</p>
        )}
      </div>
      <FileInput ref={input} accept={types.join(',')} onFile={one => void take(one)} />
    </div>
  );
}

export function Show({ value }: { value: JsonValue }) {
  return value ? <img className="f-image-preview" src={String(value)} alt="" /> : <>–</>;
}
