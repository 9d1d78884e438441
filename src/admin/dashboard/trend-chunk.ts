// Charts, loaded when a page with figures is on screen.
import { chunk } from '../platform/chunk.ts';

export const trendChunk = chunk(() => import('./trend.tsx'));
