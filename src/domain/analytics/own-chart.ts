// A chart that people put together themselves: the component that it is, and the days it covers.
import type { AnalyticsComponent, ComponentType, JsonObject } from '../../contract/types.ts';
import { addDays, type Period } from '../calendar/plain-days.ts';

/** Types that are split by something. */
const SPLIT: readonly ComponentType[] = ['bar', 'stacked', 'pie', 'table'];

/** How many groups a chart shows by themselves (others are summed up): at most, and where the merchant did not choose. */
const [MOST, USUAL] = [250, 8];

/** The component that draws a chart (entity "custom-chart"). What the chosen type of chart has no use for is ignored. */
export function componentOfChart(chart: JsonObject): AnalyticsComponent {
  const type = chart.type as ComponentType;
  // A pie by time shows its figures beside each other, so nothing splits it.
  const by = SPLIT.includes(type) ? String(chart.by ?? 'time') : undefined;
  return {
    key: String(chart.id ?? ''),
    type,
    title: String(chart.name ?? ''),
    metrics: (chart.metrics ?? []) as string[],
    ...(by === undefined || (type === 'pie' && by === 'time') ? {} : { by }),
    ...(type === 'stacked' && typeof chart.split === 'string' ? { split: chart.split } : {}),
    ...(by === 'orderNumber' ? { inOrder: true } : {}),
    // A table by time has a row for each day, week or month: none is summed up.
    top: by === 'time' && chart.type === 'table' ? MOST : Number(chart.top ?? USUAL),
    width: 'full',
  };
}

/** The days of a choice (`days` of the entity), the last of them `today` or the end of the month before; days of the store. */
export function daysOfChart(choice: string, today: string): Period {
  const monthsBack = (count: number): string => {
    const [year = 0, month = 1] = today.split('-').map(Number);
    const months = year * 12 + month - 1 - count;
    return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`;
  };
  switch (choice) {
    case 'LAST_7_DAYS':
      return { startDate: addDays(today, -6), endDate: today };
    case 'LAST_90_DAYS':
      return { startDate: addDays(today, -89), endDate: today };
    case 'LAST_12_MONTHS':
      return { startDate: monthsBack(11), endDate: today };
    case 'THIS_MONTH':
      return { startDate: monthsBack(0), endDate: today };
    case 'LAST_MONTH':
      return { startDate: monthsBack(1), endDate: addDays(monthsBack(0), -1) };
    default:
      return { startDate: addDays(today, -29), endDate: today };
  }
}
