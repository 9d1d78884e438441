// Answers that come in pages: what the next page is asked with, and how rows that are there already are changed.
import type { JsonObject, JsonValue, Pager, PageInfo } from '../../../contract/types.ts';

/** One answer, as far as paging looks at it. */
export interface Part {
  data: JsonValue;
  pageInfo?: PageInfo | undefined;
}

/**
 * The input of the next page, from where the last one ended: by cursor where there is one, else by the rows so far or the page's number.
 */
export function nextInput(pager: Pager | undefined, pages: readonly Part[]): JsonObject | undefined {
  const last = pages.at(-1);
  if (!pager || !last?.pageInfo?.hasNextPage) return undefined;
  if (pager.after && last.pageInfo.nextCursor) return { [pager.after]: last.pageInfo.nextCursor };
  if (pager.offset) return { [pager.offset]: pages.reduce((sum, page) => sum + (Array.isArray(page.data) ? page.data.length : 0), 0) };
  return pager.page ? { [pager.page]: pages.length + 1 } : undefined;
}

/** A cached answer with each row changed by `patch`: single answers and pages alike; anything else stays as it is. */
export function patchRows(data: unknown, patch: (row: JsonValue) => JsonValue): unknown {
  const one = <T extends Part>(part: T): T => (Array.isArray(part.data) ? { ...part, data: part.data.map(patch) } : part);
  if (data === null || typeof data !== 'object') return data;
  if ('pages' in data && Array.isArray(data.pages)) return { ...data, pages: (data.pages as Part[]).map(one) };
  return 'data' in data ? one(data as Part) : data;
}
