// Charts, loaded when a page with figures is on screen.
import { chunk } from '../chunk.ts';

export const trendChunk = chunk(() => import('./trend.tsx'));
