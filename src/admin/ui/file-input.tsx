// The browser's own chooser of files, out of sight: a button opens it (`ref.current?.click()`), and the same file can be chosen again.
import type { ReactElement, Ref } from 'react';

interface FileInputProps {
  ref: Ref<HTMLInputElement>;
  /** Kinds of files as the attribute `accept` takes them. */
  accept: string | undefined;
  onFile: (file: File | undefined) => void;
}
export const FileInput = ({ ref, accept, onFile }: FileInputProps): ReactElement => (
  <input
    ref={ref}
    type="file"
    accept={accept}
    className="p-sr"
    tabIndex={-1}
    aria-hidden="true"
    onChange={event => {
      onFile(event.target.files?.[0]);
      event.target.value = '';
    }}
  />
);
