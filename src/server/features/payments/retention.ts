// Cards that were entered on a provider's page.
import type { Retention } from '../../platform/records/retention.ts';

export const retention: Retention[] = [{ table: 'card_setups', over: "r.status <> 'OPEN' and r.created_at < now() - interval '400 days'" }];
