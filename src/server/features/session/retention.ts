// Sign-ins at a sign-in service that were not finished in time.
import type { Retention } from '../../platform/records/retention.ts';

export const retention: Retention[] = [{ table: 'sso_flows', over: 'r.expires_at < now()' }];
