// The parts of the list that open at a click: filter editors, columns, views, bulk work, export. Warmed once the rows are there.
import { chunk } from '../platform/chunk.ts';
import { withCatalogue } from '../platform/definitions.ts';

export const extras = chunk(() => withCatalogue(() => import('./extras.ts')));
