// A page of a short list that is there as a whole.
import type { JsonObject } from '../../../../contract/types.ts';
import { Reply } from '../../context.ts';

export interface Pages {
  page?: number;
  pageSize?: number;
}

/** The page (counted from 1) that is asked for; all of the list where none is. */
export function pageOf(all: JsonObject[], { page = 1, pageSize = all.length }: Pages): Reply {
  const begin = (page - 1) * pageSize;
  const rows = all.slice(begin, begin + pageSize);
  return new Reply(rows, { pageInfo: { total: all.length, hasNextPage: begin + rows.length < all.length, hasPreviousPage: page > 1 } });
}
