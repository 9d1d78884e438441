// A chart's picture for a letter, drawn in a process of its own, one at a time.
import { Apart } from '../apart/apart.ts';

const apart = new Apart<string, Uint8Array>(import.meta.url, 'chart-picture-process', { timeoutMs: 10_000, waitingOfOne: 8, waiting: 32 });

/** An SVG (`chartPicture`) as a PNG. Call it outside of transactions. @throws Refusal 429 when too many wait; Abandoned */
export const pngOf = (storeId: number, svg: string): Promise<Uint8Array> => apart.run(svg, storeId);
