// What waits to be written into connected shops, and what their shops told that was not read yet.
import type { Backlog } from '../../platform/metrics/backlog.ts';

const toWrite = (table: string, isWaiting: string): string =>
  `select count(*) filter (where ${isWaiting} and try_at <= now()) as waiting, min(try_at) filter (where ${isWaiting} and try_at <= now())
      as since, count(*) filter (where state = 'STUCK') as stuck from ${table} where ${isWaiting} or state = 'STUCK'`;

export const backlogs: Backlog[] = [
  { of: 'shop orders', sql: toWrite('platform_orders', "state = 'WAITING'") },
  { of: 'shop refunds', sql: toWrite('platform_refunds', "state = 'WAITING'") },
  { of: 'shop differences', sql: toWrite('platform_differences', "state = 'THERE'") },
  {
    of: 'shop changes',
    sql: 'select count(*) as waiting, min(told_at) as since, 0 as stuck from platform_changes',
  },
  {
    // One that is not connected (a refused key, another currency) waits for its merchant, who sees why on its page; one that is not
    // reachable is tried again by itself.
    of: 'shop connections',
    sql: 'select count(*) as waiting, min(due_at) as since, 0 as stuck from store_connections where due_at <= now()',
  },
];
