// Makes a seeded database many times as large by SQL alone: each subscription is copied with its customer, lines, orders, payments, events and
// movements, under numbers of its own. All stores grow alike, so the largest keeps its share.
import type { Services } from '../../src/server/platform/services.ts';

/** What is copied, in the order in which it is written. */
const TABLES = [
  'customers',
  'payment_methods',
  'contracts',
  'contract_spans',
  'contract_lines',
  'orders',
  'billing_attempts',
  'events',
  'cancellation_attempts',
  'offer_events',
  'movements',
];
/** Numbers of what is copied: the copies have them, each so much further on. */
const NUMBERS = /^(?:id|(?:contract|customer|order|line|attempt|payment_method|backup_payment_method)_id)$/;
const STRIDE = 100_000_000;

interface Column {
  name: string;
  type: string;
  /** Of a column that must be unique with others: by them alone copies would be the same. */
  isUnique: boolean;
}

/** Each of the copied tables holds `times` as many rows afterwards. `said` hears which table is under way. */
export async function manyTimes({ db }: Pick<Services, 'db'>, times: number, said: (text: string) => void): Promise<void> {
  if (times < 2) return;
  for (const table of TABLES) {
    const from = performance.now();
    const { rows: columns } = await db.ownerQuery<Column>(
      `select a.attname as name, format_type(a.atttypid, null) as type, exists (select from pg_index i where i.indrelid = a.attrelid
          and i.indisunique and a.attnum = any(i.indkey) and not exists (select from pg_attribute o where o.attrelid = i.indrelid
            and o.attnum = any(i.indkey) and o.attname ~ $2)) as "isUnique"
        from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum`,
      [table, NUMBERS.source.replaceAll('?:', '')],
    );
    const { rows: indexes } = await db.ownerQuery<{ name: string; text: string }>(
      `select c.relname as name, pg_get_indexdef(i.indexrelid) as text from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = $1::regclass and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
      [table],
    );
    const copied = columns.map(({ name, type, isUnique }) => {
      const isNumber = type === 'bigint' || type === 'integer';
      if (name === 'store_id' || (!NUMBERS.test(name) && !isUnique)) return `t."${name}"`;
      return isNumber ? `t."${name}" + g * ${STRIDE}::bigint` : type === 'text' ? `t."${name}" || '-' || g` : `t."${name}"`;
    });
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    await db.exec(
      [
        'begin',
        // Counters and sums by day follow below, once.
        'set local session_replication_role = replica',
        ...indexes.map(({ name }) => `drop index "${name}"`),
        `insert into ${table} (${names}) overriding system value
          select ${copied.join(', ')} from ${table} t cross join generate_series(1, ${times - 1}) g`,
        ...indexes.map(({ text }) => text),
        'commit',
      ].join('; '),
    );
    said(`${table}, ${Math.round((performance.now() - from) / 1000)} s`);
  }
  await db.exec(`update movement_days set movements = movements * ${times}, running = running * ${times}, active = active * ${times},
      mrr = mrr * ${times}; update counters set n = n * ${times} where name = 'contracts'`);
}
