// The CSS of a theme, at an address of its own: pages of the portal allow no other.
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import type { PublicPage } from '../../../platform/http/public-pages.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import { ENTITY, STYLE_PATH, themeFrom } from '../../../platform/portal-look/theme.ts';
import { themeCss } from '../../../platform/portal-look/theme-css.ts';

export const themeStyles: PublicPage = {
  path: STYLE_PATH,
  secret: null,
  async get({ db, definitions }, { params: { theme = '', file = '' } }) {
    const { rows } = await db.ownerQuery<{ id: number; version: number; data: JsonObject }>(
      `select id, version, data from records where store_id = any(array(select id from stores)) and entity = '${ENTITY}'
        and data ->> 'nanoId' = $1 and deleted_at is null`,
      [theme],
    );
    const row = rows[0];
    if (!row || !/^\d{1,9}\.css$/.test(file)) return nothingHere();
    return { css: themeCss(themeFrom(definitions, row.id, row.version, row.data)), isFinal: file === `${row.version}.css` };
  },
};
