// The code of pages: renderers by name, the record and the form engine; all of it arrives when it is first needed, or before, when idle.
import type { ComponentType } from 'react';
import type { Resource } from '../../../contract/types.ts';
import { type Chunk, chunk } from '../chunk.ts';
import type { DateRange } from '../date-range.ts';
import { screenOf } from '../definitions.ts';

/** What every page gets: its resource file, what the brackets of its route hold, and the days it is about (S028). */
export interface PageProps {
  resource: Resource;
  params: Record<string, string>;
  dateRange: DateRange;
}
export type Page = ComponentType<PageProps>;

const named = (found: Record<string, () => Promise<unknown>>): Record<string, Chunk<{ default: Page }>> =>
  Object.fromEntries(
    Object.entries(found).map(([file, load]) => [file.replace(/^.*\/|\.tsx$/g, ''), chunk(load as () => Promise<{ default: Page }>)]),
  );
/** Whole screens by name: renderers/pages/<name>.tsx. */
export const pages = named(import.meta.glob('/renderers/pages/*.tsx'));
/** The engines behind `record` and `form`: record/record-page.tsx and form/form-page.tsx. */
export const engines = named(import.meta.glob(['../../record/record-page.tsx', '../../form/page/form-page.tsx']));

/** Panels by name: renderers/panels/<name>.tsx; what they get differs between a record's page and a form. */
export const panelChunks: Record<string, Chunk<unknown>> = named(import.meta.glob('/renderers/panels/*.tsx'));

/** The code behind a path, to be loaded before it is needed. */
export function codeFor(path: string): Chunk<unknown> | undefined {
  const head = screenOf(path)?.resource;
  if (!head) return undefined;
  if (head.page) return pages[head.page];
  return head.has.includes('record') ? engines['record-page'] : head.has.includes('form') ? engines['form-page'] : undefined;
}
