// A screen made ready before it is opened: its file, code, schema, validator and panels while the browser is idle, its
// record from the moment a row is pressed.
import { callFor } from '../../../contract/find.ts';
import type { Section } from '../../../contract/types.ts';
import { type Loadable, warm } from '../chunk.ts';
import { dataProvider } from '../transport/data-provider.ts';
import { definitions, formsChunk, loadResource, resourceChunk, schemaChunk, screenOf } from '../definitions.ts';
import { validatorChunk } from '../validators.ts';
import { codeFor, panelChunks } from './page-code.ts';
import { queryClient } from '../transport/query-client.ts';

/** Several chunks as one: they are asked for together. */
const together = (chunks: (Loadable | undefined)[]): Loadable => {
  const all = chunks.filter(one => one !== undefined);
  return { get: () => all.every(one => one.get() !== undefined) || undefined, load: () => Promise.allSettled(all.map(one => one.load())) };
};

/** What a path's screen is drawn with, in the order in which it is found out: first what its head names, then what its file names. */
export function partsOf(path: string): Loadable[] {
  const head = screenOf(path)?.resource;
  if (!head) return [];
  const isForm = head.has.includes('form');
  const first = together([
    resourceChunk(head.route),
    codeFor(path),
    ...(head.of ? [schemaChunk(`entities/${head.of}`), isForm ? validatorChunk(`entities/${head.of}`) : undefined] : []),
    isForm ? formsChunk(head.calls) : undefined,
  ]);
  const rest = async (): Promise<unknown> => {
    const screen = await loadResource(head.route);
    const own = screen?.form?.call && `calls/${screen.form.call}`;
    const sections: Section[] = [
      ...(screen?.record?.main ?? []),
      ...(screen?.record?.side ?? []),
      ...(screen?.form?.sections ?? []),
      ...(screen?.form?.side ?? []),
    ];
    return together([
      ...(own ? [schemaChunk(own), validatorChunk(own)] : []),
      ...sections.map(section => ('panel' in section ? panelChunks[section.panel] : undefined)),
    ]).load();
  };
  return [first, { get: () => undefined, load: rest }];
}

/** Loads what the screen of a path is drawn with, as soon as the browser has nothing better to do. */
export const prefetchScreen = (path: string): void => warm(...partsOf(path));

/** react-admin's query of one record: what its controllers ask with, so that asking ahead and asking are the same. */
export function oneQuery(
  entity: string,
  id: string | number,
  call: string | undefined,
): { queryKey: readonly unknown[]; meta: { call: string } | undefined } {
  const meta = call === undefined ? undefined : { call };
  return { queryKey: [entity, 'getOne', { id: String(id), meta }], meta };
}

/** The key of a record as its address has it: "1003" is a number. */
export const idOf = (params: Record<string, string>): string | number => {
  const raw = Object.values(params).at(-1) ?? '';
  return /^\d+$/.test(raw) ? Number(raw) : raw;
};

/** Asks for the record of a path at once; its screen finds the answer, or the question on its way. */
export function prefetchRecord(path: string): void {
  const found = screenOf(path);
  const entity = found?.resource.of;
  const read = found && callFor(definitions, found.resource, 'read');
  if (!found || !entity || !read) return;
  const id = idOf(found.params);
  const { queryKey, meta } = oneQuery(entity, id, read.name);
  void queryClient.prefetchQuery({
    queryKey,
    queryFn: ({ signal }) => dataProvider.getOne(entity, { id, meta, signal }).then(({ data }) => data),
  });
}
