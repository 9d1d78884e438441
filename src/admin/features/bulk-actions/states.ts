// The states of a bulk action, as screens tell them apart.
import type { JsonObject, JsonValue } from '../../../contract/types.ts';

/** Nothing more happens. */
export const FINAL: ReadonlySet<string> = new Set(['COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED']);
/** The server works on it, or is about to. */
export const UNDER_WAY: ReadonlySet<string> = new Set(['QUEUED', 'IN_PROGRESS', 'CANCELLING']);

export const number = (record: JsonObject, name: string): number => Number(record[name] ?? 0);
export const text = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
