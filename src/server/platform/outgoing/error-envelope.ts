// An error in the form that Sentry and its kin take: an envelope with one event, and the frames of its stack.
import { randomUUID } from 'node:crypto';

export interface ErrorReport {
  message: string;
  name?: string;
  stack?: string;
  /** Domain of the store, where one is known. */
  shop?: string;
  sourceFunction?: string;
  file?: string;
  requestId?: string;
  /** "server", or "admin" for errors of the page. */
  origin: 'server' | 'admin';
}

export interface Frame {
  function?: string;
  filename: string;
  lineno?: number;
  colno?: number;
  /** Of our own code, neither of a package nor of Node. */
  in_app: boolean;
}

/** Of V8, "at async name (file:1:2)", and of Firefox and Safari, "name@file:1:2". */
const V8 = /^\s*at (?:(?:async )?(.+?) \()?(?:async )?((?:file:\/\/|https?:\/\/|node:|\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/;
const OTHERS = /^\s*(?:(.*?)@)?((?:file|https?):\/\/.*?):(\d+):(\d+)$/;

/** Files of ours from the folder that they stand in, whatever folder or host that is in. */
export const ownPath = (file: string): string => file.replace(/^file:\/\//, '').replace(/^.*\/((?:src|dist|renderers)\/)/, '$1');

/** The frames of a stack, the innermost first, as it is written; lines that are none are left out. */
export function framesOf(stack: string | undefined): Frame[] {
  return (stack ?? '').split('\n').flatMap((line): Frame[] => {
    const [, name, file, row, column] = V8.exec(line) ?? OTHERS.exec(line) ?? [];
    if (file === undefined) return [];
    return [
      {
        ...(name ? { function: name } : {}),
        filename: ownPath(file),
        lineno: Number(row),
        colno: Number(column),
        in_app: !file.startsWith('node:') && !file.includes('node_modules'),
      },
    ];
  });
}

/** Where an error of the page came from, which tells no stack. */
const toldFrame = ({ sourceFunction, file }: ErrorReport): Frame[] =>
  file === undefined ? [] : [{ ...(sourceFunction ? { function: sourceFunction } : {}), filename: file, in_app: true }];

/** The envelope of a report; `at` is now, `dsn` names the project without its secret. */
export function envelopeOf(report: ErrorReport, dsn: string, at: Date): string {
  const id = randomUUID().replaceAll('-', '');
  const found = framesOf(report.stack);
  // Callers first.
  const frames = (found.length ? found : toldFrame(report)).toReversed();
  const tags = {
    shop: report.shop,
    source_function: report.sourceFunction,
    file: report.file,
    request_id: report.requestId,
    origin: report.origin,
  };
  const event = {
    event_id: id,
    timestamp: at.getTime() / 1000,
    platform: report.origin === 'server' ? 'node' : 'javascript',
    level: 'error',
    logger: report.origin,
    transaction: report.sourceFunction,
    tags,
    exception: {
      values: [{ type: report.name ?? 'Error', value: report.message, ...(frames.length ? { stacktrace: { frames } } : {}) }],
    },
  };
  return [{ event_id: id, sent_at: at.toISOString(), dsn }, { type: 'event' }, event].map(part => `${JSON.stringify(part)}\n`).join('');
}
