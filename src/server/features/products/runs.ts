// The import of products is started by a call of its own, with a file; how far it is, is asked like that of any run.
import { IMPORT_KIND } from './import/product-import.ts';

export const runs = { [IMPORT_KIND]: 'STARTED_ELSEWHERE' as const };
