// Files that calls answer, saved by the browser.
import type { JsonObject } from '../../contract/types.ts';
import { callOf, requestOf } from '../platform/transport/calls.ts';
import { notifyError } from './notices/notices.tsx';
import { sendForFile } from '../platform/transport/transport.ts';
import { t } from '../../domain/text/t.ts';

/** Downloads the file that a call answers, under the name that it gives; an error becomes a notice. */
export async function download(call: string, input: JsonObject, otherwise: string): Promise<void> {
  try {
    const response = await sendForFile(requestOf(callOf(call), input));
    saveBlob(/filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? otherwise, await response.blob());
  } catch (error) {
    notifyError(error, t`The file could not be downloaded.`);
  }
}
function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
