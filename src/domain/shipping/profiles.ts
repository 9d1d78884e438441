// Shipping profiles: which of them a subscription uses, and which of its rates a parcel may be sent at (settings, shipping profiles).
import { t } from '../text/t.ts';

export interface ShippingRate {
  id: string;
  name: string;
  type: 'FLAT' | 'WEIGHT' | 'PRICE' | 'CARRIER';
  /** Decimal string in the store's currency; of a CARRIER rate what is added to the carrier's price. */
  price: string;
  description?: string;
  /** Kilograms; null or absent: no bound. The lower bound belongs to the range, the upper one does not. */
  minWeight?: number | null;
  maxWeight?: number | null;
  /** Decimal strings in the store's currency. */
  minPrice?: string | null;
  maxPrice?: string | null;
  /** Per cent on top of the carrier's price. */
  markup?: number;
}
export interface ShippingZone {
  name: string;
  /** No provinces: the whole country, but for those that another zone names. */
  countries: { code: string; provinces?: string[] }[];
  rates: ShippingRate[];
}
export type ShippingProfile = {
  id: number;
  name: string;
  isDefault?: boolean;
  sellingPlanGroupIds?: number[];
  zones: ShippingZone[];
};
export interface Destination {
  countryCode?: string | null;
  provinceCode?: string | null;
}

/**
 * The profile of a subscription: that of one of its selling plan groups (the oldest where its products belong to several), else the general
 * one. Undefined: the store's own rates count.
 */
export function profileFor(profiles: readonly ShippingProfile[], groupIds: readonly number[]): ShippingProfile | undefined {
  return (
    [...profiles]
      .sort((x, y) => x.id - y.id)
      .find(({ isDefault, sellingPlanGroupIds: ids = [] }) => !isDefault && ids.some(id => groupIds.includes(id))) ??
    profiles.find(({ isDefault }) => isDefault)
  );
}

const same = (x: string, y: string | null | undefined): boolean => x.toUpperCase() === (y ?? '').toUpperCase();

/** The zone of an address: one that names its province goes before one with the whole country. */
export function zoneFor({ zones }: Pick<ShippingProfile, 'zones'>, { countryCode, provinceCode }: Destination): ShippingZone | undefined {
  const country = (zone: ShippingZone) => zone.countries.filter(({ code }) => same(code, countryCode));
  return (
    zones.find(zone => country(zone).some(({ provinces = [] }) => provinces.some(province => same(province, provinceCode)))) ??
    zones.find(zone => country(zone).some(({ provinces = [] }) => provinces.length === 0))
  );
}

/** The bounds of a rate that has some, in kilograms or units of the store's currency; the upper one is Infinity where there is none. */
export function rangeOf(rate: ShippingRate): { from: number; to: number } | null {
  if (rate.type === 'WEIGHT') return { from: rate.minWeight ?? 0, to: rate.maxWeight ?? Infinity };
  if (rate.type === 'PRICE') return { from: Number(rate.minPrice ?? 0), to: Number(rate.maxPrice ?? Infinity) };
  return null;
}

/** Whether a parcel may be sent at a rate. `weight` in kilograms, `value` in units of the store's currency. */
export function isOffered(rate: ShippingRate, { weight, value }: { weight: number; value: number }): boolean {
  const range = rangeOf(rate);
  if (!range) return true;
  const measured = rate.type === 'WEIGHT' ? weight : value;
  return measured >= range.from && measured < range.to;
}

export interface Problem {
  /** JSON pointer into the profile. */
  pointer: string;
  rule: string;
  message: string;
}

/** What is wrong with zones: a country or province in two of them, ranges of one rate that overlap or end before they begin. */
export function zoneProblems(zones: readonly ShippingZone[]): Problem[] {
  const places = new Set<string>();
  return zones.flatMap((zone, z) => [
    ...zone.countries.flatMap(({ code, provinces = [] }, c): Problem[] => {
      const named = provinces.length ? provinces.map(province => `${code}-${province.toUpperCase()}`) : [code];
      const taken = named.find(place => places.has(place));
      for (const place of named) places.add(place);
      if (taken === undefined) return [];
      const pointer = `/zones/${z}/countries/${c}/${provinces.length ? 'provinces' : 'code'}`;
      const message = provinces.length
        ? t`The province ${taken.slice(3)} is already in another zone`
        : t`This country is already in another zone`;
      return [{ pointer, rule: 'unique', message }];
    }),
    ...zone.rates.flatMap((rate, r) => rateProblems(rate, zone.rates.slice(0, r), `/zones/${z}/rates/${r}`)),
  ]);
}

function rateProblems(rate: ShippingRate, others: readonly ShippingRate[], pointer: string): Problem[] {
  const range = rangeOf(rate);
  const field = rate.type === 'WEIGHT' ? 'maxWeight' : 'maxPrice';
  if (range && range.to <= range.from)
    return [{ pointer: `${pointer}/${field}`, rule: 'range', message: t`Enter more than where the range begins.` }];
  const clash = others.find(other => {
    if (!same(other.name, rate.name)) return false;
    const theirs = rangeOf(other);
    if (other.type !== rate.type || !range || !theirs) return true;
    return range.from < theirs.to && theirs.from < range.to;
  });
  if (!clash) return [];
  return range && clash.type === rate.type
    ? [
        {
          pointer: `${pointer}/${field}`,
          rule: 'overlap',
          message: t`The ranges of “${rate.name}” overlap. Each order must fit one of them.`,
        },
      ]
    : [{ pointer: `${pointer}/name`, rule: 'unique', message: t`This zone already has a rate “${clash.name}”.` }];
}
