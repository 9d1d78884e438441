// Downloads all matching rows as CSV: read as the server streams it, with the bytes so far, stoppable.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import { callOf, requestOf } from '../../platform/transport/calls.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { count, counted } from '../../platform/format.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { CallError, sendForFile } from '../../platform/transport/transport.ts';
import { namesOf } from '../record-labels.ts';
import type { ListOf } from '../use-list.ts';
import { t } from '../../../domain/text/t.ts';

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${count(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

export function ExportRun({ list, columns, onClose }: { list: ListOf; columns: string[]; onClose: () => void }): ReactElement {
  const names = namesOf(list.call.of);
  const [bytes, setBytes] = useState(0);
  const [rows, setRows] = useState(0);
  const [error, setError] = useState<CallError | Error>();
  const [tries, setTries] = useState(0);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const stop = new AbortController();
    const download = async (): Promise<void> => {
      const call = callOf(`${list.resource.calls}.export`);
      const { pageSize: _size, page: _page, after: _after, before: _before, ...narrowed } = list.input;
      const wanted: JsonObject = { ...(narrowed as JsonObject), columns };
      const input = Object.fromEntries(Object.entries(wanted).filter(([name]) => call.in.some(param => param.name === name))) as JsonObject;
      const response = await sendForFile(requestOf(call, input), { signal: stop.signal });
      const name =
        /filename="?([^";]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `${names.many.replaceAll(' ', '-')}.csv`;
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let read = 0;
      let lines = 0;
      let shown = 0;
      const reader = response.body?.getReader();
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        parts.push(next.value);
        read += next.value.length;
        for (const byte of next.value) if (byte === 10) lines++;
        if (performance.now() - shown > 100) {
          shown = performance.now();
          setBytes(read);
          setRows(Math.max(0, lines - 1));
        }
      }
      const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      notify(t`${name} downloaded (${sizeOf(read)}).`);
      close.current();
    };
    download().catch((failure: unknown) => {
      if (!stop.signal.aborted) setError(failure instanceof Error ? failure : new Error(String(failure)));
    });
    return () => stop.abort();
  }, [tries]); // eslint-disable-line react-hooks/exhaustive-deps -- one download for what was shown when it was asked for

  return (
    <Dialog
      title={t`Export ${names.many}`}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="p-btn" onClick={onClose}>
            {error ? t`Close` : t`Stop`}
          </button>
          {error && (
            <button
              type="button"
              className="p-btn p-btn-primary"
              onClick={() => {
                setError(undefined);
                setTries(tries + 1);
              }}
            >
              {t`Try again`}
            </button>
          )}
        </>
      }
    >
      {error ? (
        <p className="p-error" role="alert">
          {error.message}
          {error instanceof CallError && error.requestId ? t` (request ${error.requestId})` : ''}
        </p>
      ) : (
        <div className="p-stack-s">
          <p role="status">{bytes === 0 ? t`Preparing the file …` : t`${counted(rows, names)}, ${sizeOf(bytes)} so far`}</p>
          <div
            className="p-progress"
            role="progressbar"
            aria-label={t`Export`}
            {...(list.total && !list.isCapped
              ? { 'aria-valuemin': 0, 'aria-valuemax': list.total, 'aria-valuenow': Math.min(rows, list.total) }
              : {})}
          >
            <span style={{ width: list.total && !list.isCapped ? `${Math.min(100, (rows / list.total) * 100)}%` : '40%' }} />
          </div>
        </div>
      )}
    </Dialog>
  );
}
