// Shipping profiles: what of them no schema can say. What the engine needs of them stands in the store's details, which are loaded
// wherever a delivery is priced.
import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { regionErrors, regionOf } from '../../../domain/places/places.ts';
import { zoneProblems, type ShippingProfile } from '../../../domain/shipping/profiles.ts';
import type { Context } from '../../platform/context.ts';
import { rules } from '../../platform/records/rules.ts';
import { keepProfiles } from './keep-profiles.ts';
import { t } from '../../../domain/text/t.ts';

const profileOf = (record: JsonObject | undefined): ShippingProfile => record as unknown as ShippingProfile;

/** Every rate has an id by which subscriptions keep it when it is called otherwise. */
const withRateIds = (zones: ShippingProfile['zones']): JsonObject[] =>
  zones.map(zone => ({
    ...zone,
    rates: zone.rates.map(rate => ({ ...rate, id: rate.id ?? randomBytes(6).toString('hex') })),
  })) as JsonObject[];

async function others({ trx, storeId }: Context, id: number): Promise<ShippingProfile[]> {
  const { rows } = await sql<{ id: number; data: JsonObject }>`select r.id, r.data from records r
    where r.store_id = ${storeId}::integer and r.entity = 'shipping-profile' and r.deleted_at is null and r.id <> ${id}::bigint
    order by r.id`.execute(trx);
  return rows.map(row => profileOf({ ...row.data, id: row.id }));
}

export const shippingProfile = rules({
  columns: () => ({
    zoneNames: sql`(select string_agg(z.zone ->> 'name', ', ' order by z.n)
      from jsonb_array_elements(r.data -> 'zones') with ordinality z(zone, n))`,
    plansCount: sql`case when (r.data ->> 'isDefault')::boolean then 0
      else jsonb_array_length(coalesce(r.data -> 'sellingPlanGroupIds', '[]')) end`,
  }),
  fill: (_verb, { input, record }): JsonObject => {
    const zones = (input.zones ?? record?.zones) as unknown;
    const isDefault = (input.isDefault ?? record?.isDefault) === true;
    return {
      ...(Array.isArray(zones) && zones.every(isZone) ? { zones: withRateIds(zones.map(settledZone)) } : {}),
      ...(isDefault ? { sellingPlanGroupIds: [] } : {}),
    };
  },
  async validate(verb, { before, record }, context) {
    if (verb === 'delete' || !record) return undefined;
    const profile = profileOf(record);
    const rest = await others(context, Number(before?.id ?? record.id ?? 0));
    return [...zonePlaces(profile.zones ?? []), ...zoneProblems(profile.zones ?? []), ...(await planProblems(profile, rest, context))];
  },
  after: async (_verb, _written, context) => keepProfiles(context.trx, context.storeId),
});

type Zone = ShippingProfile['zones'][number];
const areCountries = (countries: unknown): countries is Zone['countries'] =>
  Array.isArray(countries) &&
  countries.every(
    (one: Partial<Record<string, unknown>> | null) =>
      typeof one?.code === 'string' && (one.provinces === undefined || (Array.isArray(one.provinces) && one.provinces.every(isText))),
  );
const isText = (value: unknown): value is string => typeof value === 'string';
/** A zone with its countries and provinces by their codes, however they were written. */
const settledZone = (zone: Zone): Zone =>
  areCountries(zone.countries)
    ? {
        ...zone,
        countries: zone.countries.map(one => {
          const { country, provinces } = regionOf(one.code, one.provinces ?? []);
          return { ...one, code: country, ...(one.provinces ? { provinces } : {}) };
        }),
      }
    : zone;
const zonePlaces = (zones: readonly Zone[]): FieldError[] =>
  zones.flatMap((zone, z) =>
    zone.countries.flatMap(({ code, provinces = [] }, c) => {
      const at = `/zones/${z}/countries/${c}`;
      return regionErrors(code, provinces, { country: `${at}/code`, provinces: `${at}/provinces` });
    }),
  );

const isZone = (zone: unknown): zone is Zone => Array.isArray((zone as { rates?: unknown } | null)?.rates);

/** One general profile at most; each other one with groups of its own. */
async function planProblems(profile: ShippingProfile, rest: readonly ShippingProfile[], { trx, storeId }: Context): Promise<FieldError[]> {
  if (profile.isDefault) {
    const other = rest.find(one => one.isDefault);
    return other
      ? [
          {
            pointer: '/isDefault',
            rule: 'unique',
            message: t`“${other.name}” is the general profile already. Make it a profile of selling plan groups first.`,
          },
        ]
      : [];
  }
  const ids = profile.sellingPlanGroupIds ?? [];
  if (ids.length === 0) return [{ pointer: '/sellingPlanGroupIds', rule: 'required', message: t`Select at least one selling plan group` }];
  const { rows } = await sql<{ id: number; name: string }>`select g.id, g.data ->> 'name' as name from records g
    where g.store_id = ${storeId}::integer and g.entity = 'selling-plan-group' and g.deleted_at is null
      and coalesce(g.data ->> 'status', '') <> 'DELETED' and g.id = any(${ids}::bigint[])`.execute(trx);
  const names = new Map(rows.map(row => [row.id, row.name]));
  return ids.flatMap((id, i): FieldError[] => {
    const pointer = `/sellingPlanGroupIds/${i}`;
    const name = names.get(id);
    if (name === undefined) return [{ pointer, rule: 'NOT_FOUND', message: t`This selling plan group is not there any more. Remove it.` }];
    const other = rest.find(one => !one.isDefault && one.sellingPlanGroupIds?.includes(id));
    return other ? [{ pointer, rule: 'unique', message: t`“${name}” is in the profile “${other.name}”. Remove it there first.` }] : [];
  });
}
