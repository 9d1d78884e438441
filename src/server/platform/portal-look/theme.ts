// The theme of the customer portal: which sections its pages show and in which order, how they look, and whose words they say.
import { sql } from 'kysely';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Styles } from '../../../domain/widgets/style-attributes.ts';
import type { PortalTheme } from '../../../generated/entities.ts';
import type { Reading } from '../texts/reading.ts';

export const ENTITY = 'portal-theme';
/** What links to a preview are called where they are signed. */
export const PREVIEW = 'portalTheme';
/** Where the CSS of a theme is: by its version, so that a change has an address of its own. */
export const STYLE_PATH = '/a/loop_subscriptions/theme/:theme/:file';
export type ThemeSection = NonNullable<PortalTheme['sections']>[number];

export interface Theme {
  id: number;
  nanoId: string;
  version: number;
  name: string;
  sections: readonly ThemeSection[];
  styles: Styles;
  followsDarkMode: boolean;
  customCss: string;
}

/** A theme as it is kept, or typed, with the standard for what it leaves open. */
export function themeFrom({ entities }: Pick<Definitions, 'entities'>, id: number, version: number, data: JsonObject): Theme {
  const { nanoId, name, sections, styles, followsDarkMode, customCss } = withDefaults<JsonObject>(entities[ENTITY] ?? {}, data);
  return {
    id,
    version,
    nanoId: String(nanoId ?? ''),
    name: String(name ?? ''),
    sections: (sections ?? []) as ThemeSection[],
    styles: (styles ?? {}) as Styles,
    followsDarkMode: followsDarkMode !== false,
    customCss: String(customCss ?? ''),
  };
}

type Which = { id: number } | { nanoId: string } | 'LIVE';

/** A theme of the store, by its number or identifier, or the one that subscribers see; undefined where it is not there. */
export async function findTheme(scope: Reading, which: Which): Promise<Theme | undefined> {
  const is =
    which === 'LIVE'
      ? sql`data ->> 'status' = 'LIVE'`
      : 'id' in which
        ? sql`id = ${which.id}::bigint`
        : sql`data ->> 'nanoId' = ${which.nanoId}::text`;
  const { rows } = await sql<{ id: number; version: number; data: JsonObject }>`select id::float8 as id, version, data from records
    where store_id = ${scope.storeId}::integer and entity = ${ENTITY} and deleted_at is null and ${is} limit 1`.execute(scope.trx);
  const row = rows[0];
  return row && themeFrom(scope.definitions, row.id, row.version, row.data);
}

/** The theme that subscribers see. Every store has one; without it the standard holds. */
export const liveTheme = async (scope: Reading): Promise<Theme> =>
  (await findTheme(scope, 'LIVE')) ?? themeFrom(scope.definitions, 0, 0, {});

/** The address of the CSS of a theme. */
export const styleSheetOf = ({ nanoId, version }: Pick<Theme, 'nanoId' | 'version'>): string =>
  nanoId && `/a/loop_subscriptions/theme/${nanoId}/${version}.css`;
