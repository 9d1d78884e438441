// Stands in for the library by which rjsf merges `allOf`. The grammar of our schemas has no `allOf`; one
// that slipped through is left as it stands.

const unneeded = (): (() => undefined) => () => undefined;
export const createComparator = (): Record<string, () => undefined> => ({
  compareSchemaDefinitions: unneeded(),
  compareSchemaValues: unneeded(),
});
export const createMerger = (): Record<string, () => undefined> => ({ mergeArrayOfSchemaDefinitions: unneeded() });
export const createShallowAllOfMerge =
  () =>
  <Schema>(schema: Schema): Schema =>
    schema;
export const createIntersector = unneeded;
export const createDeduplicator = unneeded;
