// Files that were replaced, which pages that were loaded before may still ask for.
import type { Retention } from '../../platform/records/retention.ts';
import { ANSWERED_HOURS } from './publish.ts';

export const retention: Retention[] = [{ table: 'storefront_files', over: `r.replaced_at < now() - interval '${ANSWERED_HOURS} hours'` }];
