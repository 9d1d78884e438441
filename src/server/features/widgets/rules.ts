// What stands around widgets and the themes that they stand in.
import { sql } from 'kysely';
import { same } from '../../../contract/paths.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import type { FieldError, JsonObject, Schema } from '../../../contract/types.ts';
import { placeholdersOf } from '../../../domain/text/placeholders.ts';
import { invalidState } from '../../platform/context.ts';
import { rules, type Rules } from '../../platform/records/rules.ts';
import { sightings, SIGHTINGS } from '../../platform/records/sightings.ts';
import { inStoreWords } from '../../platform/texts/store-standards.ts';
import { ofProfiles } from '../offers/figures.ts';
import { mappingsOf, placesOf } from './mappings.ts';
import { SUBSCRIPTION_WIDGET } from '../themes/themes.ts';
import { t, translated } from '../../../domain/text/t.ts';

const blocks = sql`(select coalesce(array_agg(distinct b.block order by b.block), '{}') from theme_templates t, unnest(t.blocks) b(block)
  where t.store_id = r.store_id and t.theme_id = r.id)`;

export const storeTheme = rules({
  columns: () => ({
    blocks: sql`to_jsonb(${blocks})`,
    isBlockAdded: sql`${blocks} <> '{}'`,
    isInstalled: sql`r.snippets @> array[${SUBSCRIPTION_WIDGET}::text]`,
  }),
});

const PARTS = ['preferences', 'styles', 'texts'] as const;

/** Variables in a text that the product's own words do not have: they would never be filled in. */
function unknownVariables(schema: Schema | undefined, texts: JsonObject): FieldError[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([key, field]) => {
    const known = placeholdersOf(String(field.default ?? ''));
    return placeholdersOf(String(texts[key] ?? ''))
      .filter(name => !known.includes(name))
      .map(name => {
        const [label, variable] = [translated(field.title ?? key), `{{${name}}}`];
        const has = known.map(one => `{{${one}}}`).join(', ');
        const message = has
          ? t`${label}: there is no variable ${variable} here. It has ${has}.`
          : t`${label}: there is no variable ${variable} here.`;
        return { pointer: `/texts/${key}`, rule: 'variable', message };
      });
  });
}

/** A widget of one entity: they differ in what their schemas say alone. */
const widgetRules = (entity: string): Rules => ({
  derive: {
    needs: ['id'],
    members: ['mappings', 'places', ...SIGHTINGS, 'purchases'],
    async of(records, context) {
      const ids = records.map(({ id }) => Number(id));
      const [places, seen] = [await placesOf(context, ids), await sightings(context, ids)];
      return ids.map((_, i) => ({ ...places[i], ...seen[i] }));
    },
  },
  async fill(verb, { before, record, input }, context): Promise<JsonObject> {
    const schema = (await inStoreWords(context, context.definitions.entities[entity] ?? {})).properties ?? {};
    const now = record ?? input;
    const differs = PARTS.some(part => {
      const standard = withDefaults<JsonObject>(schema[part] ?? {}, {});
      return !same(withDefaults<JsonObject>(schema[part] ?? {}, now[part] ?? {}), standard);
    });
    // A program that changes some fields does not take a widget from the pages by leaving its status out.
    const status = now.status ?? (verb === 'update' ? before?.status : undefined);
    return { isCustomised: differs || Boolean(now.customCss), ...(status === undefined ? {} : { status }) };
  },
  async validate(verb, { before, record }, context) {
    const places = await mappingsOf(context, { widgetIds: before ? [Number(before.id)] : [] });
    if (verb === 'delete') {
      if (before?.status === 'ACTIVE') return invalidState(t`Unpublish it first.`);
      return places.length
        ? invalidState(t`Remove it from your themes first: ${places.map(one => one.templateName).join(', ')}.`)
        : undefined;
    }
    if (!record) return undefined;
    const isPublished = record.status === 'ACTIVE' && before?.status !== 'ACTIVE';
    // The checkout is no page of a theme.
    if (isPublished && record.type !== 'CHECKOUT' && !places.some(one => one.isBlockAdded))
      return invalidState(t`Map this widget to a theme first.`);
    if (before && before.type !== record.type && places.length)
      return [{ pointer: '/type', rule: 'const', message: t`Remove it from your themes before it stands on other pages.` }];
    const texts = context.definitions.entities[entity]?.properties?.texts;
    return unknownVariables(texts, (record.texts ?? {}) as JsonObject);
  },
});

/** Scripts that the pages of a store load at most. */
const MOST_SCRIPTS = 20;

/** C035–C037: what the store's platform keeps as script tags. */
export const scriptTag = rules({
  async validate(verb, _written, { trx, storeId }) {
    if (verb !== 'create') return undefined;
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from records where store_id = ${storeId}::integer
      and entity = 'script-tag' and deleted_at is null`.execute(trx);
    return (rows[0]?.n ?? 0) < MOST_SCRIPTS
      ? undefined
      : invalidState(t`A store loads at most ${MOST_SCRIPTS} scripts. Remove one that is not used any more.`);
  },
});

export const storefrontWidget = rules(widgetRules('storefront-widget'));
export const giftWidget = rules(widgetRules('gift-widget'));
const banner = widgetRules('storefront-banner');
export const storefrontBanner = rules({
  ...banner,
  derive: {
    needs: ['id'],
    members: ['mappings', 'places', ...SIGHTINGS, 'viewed', 'clicked', 'added', 'monthlyChange'],
    async of(records, context) {
      const ids = records.map(({ id }) => Number(id));
      const [places, brought] = [await placesOf(context, ids), await ofProfiles(context, 'BANNER', ids)];
      const seen = await sightings(context, ids);
      return ids.map((_, i) => {
        const { viewed = 0, opened = 0, accepted = 0, monthlyChange = '0' } = brought[i] ?? {};
        return { ...places[i], ...seen[i], viewed, clicked: opened, added: accepted, monthlyChange };
      });
    },
  },
});
