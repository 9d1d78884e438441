/** How many days before delivery an order is charged, by the country and province it goes to. */

export type ChargeOffsetRow = { countryCode: string; provinceCodes: readonly string[] | 'ALL'; offsetDays: number };
export type ChargeOffsetSettings = { chargeOffset: number; countryBasedChargeOffset: readonly ChargeOffsetRow[] };

/** Days from charge to delivery: the row of the province wins over the row of the country, that over the default. */
export function chargeOffsetDays(
  settings: ChargeOffsetSettings,
  address: { countryCode?: string | null; provinceCode?: string | null },
): number {
  const inCountry = settings.countryBasedChargeOffset.filter(row => row.countryCode === address.countryCode);
  const byProvince = inCountry.find(row => row.provinceCodes !== 'ALL' && row.provinceCodes.includes(address.provinceCode ?? ''));
  const byCountry = inCountry.find(row => row.provinceCodes === 'ALL');
  return (byProvince ?? byCountry)?.offsetDays ?? settings.chargeOffset;
}
