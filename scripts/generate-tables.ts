// Writes src/generated/tables.ts: Kysely's table types, read from the migrated schema itself, so that SQL stays the only source.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

const TYPES: Record<string, string> = {
  integer: 'number',
  smallint: 'number',
  bigint: 'number',
  numeric: 'string',
  text: 'string',
  boolean: 'boolean',
  bytea: 'Uint8Array',
  jsonb: 'Json',
  'timestamp with time zone': 'Date',
  date: 'string',
  xid8: 'string',
  'text[]': 'string[]',
  'bigint[]': 'number[]',
  'integer[]': 'number[]',
};

/** The text of src/generated/tables.ts for the migrations in `folder`. */
export async function tableTypes(folder: URL): Promise<string> {
  const db = new PGlite({ extensions: { pg_trgm, btree_gin } });
  try {
    await db.exec('create role perennial_app nologin');
    for (const file of readdirSync(folder)
      .filter(name => name.endsWith('.sql'))
      .sort())
      await db.exec(readFileSync(new URL(file, folder), 'utf8'));
    const { rows } = await db.query<{ t: string; c: string; type: string; required: boolean; generated: boolean }>(`
      select c.relname as t, a.attname as c, format_type(a.atttypid, null) as type, a.attnotnull as required,
             (a.atthasdef or a.attidentity <> '') as generated
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`);
    const tables = new Map<string, string[]>();
    for (const row of rows) {
      const base = TYPES[row.type];
      if (!base) throw new Error(`${row.t}.${row.c} has the type ${row.type}, which scripts/generate-tables.ts does not map yet.`);
      const type = row.required ? base : `${base} | null`;
      const lines = tables.get(row.t) ?? [];
      tables.set(row.t, [...lines, `  ${row.c}: ${row.generated && base !== 'Json' ? `Generated<${type}>` : type};`]);
    }
    const name = (table: string) => table.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    const parts = [...tables].map(([table, lines]) => `export interface ${name(table)}Table {\n${lines.join('\n')}\n}`);
    const index = [...tables.keys()].map(table => `  ${table}: ${name(table)}Table;`);
    return (
      `// Generated from src/server/platform/db/migrations by scripts/generate.ts. Do not edit.\nimport type { ColumnType } from 'kysely';\n\n` +
      `/** Any JSON value; the schemas say which. */\nexport type Json = ColumnType<any, unknown, unknown>; // any: jsonb is narrowed where it is read\n` +
      `export type Generated<T> = [T] extends [ColumnType<infer S, infer I, infer U>] ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;\n\n` +
      `${parts.join('\n\n')}\n\nexport interface Tables {\n${index.join('\n')}\n}\n`
    );
  } finally {
    await db.close();
  }
}
if (process.argv[1]?.endsWith('generate-tables.ts')) {
  writeFileSync(
    new URL('../src/generated/tables.ts', import.meta.url),
    await tableTypes(new URL('../src/server/platform/db/migrations/', import.meta.url)),
  );
}
