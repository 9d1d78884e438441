// Charts over time, loaded when a page with figures is on screen: the chart library is large.
import { chunk } from '../../platform/chunk.ts';

export const chartsChunk = chunk(() => import('./time-chart.tsx'));
