// The rights that an action needs, and whether a person holds them.
import { accessOf } from '../../../contract/access.ts';
import type { Session } from '../../../contract/types.ts';

/** What a piece of work needs: a right in one area of the catalogue, a feature of the plan, or to be the owner of the store. */
export type Need = { permission: string; mode: 'READ' | 'WRITE' } | { feature: string } | { owner: true };

/** The first need that a person does not meet; undefined: they may do it. Requests and jobs ask this alike. */
export function unmet({ session, user }: { session: Session; user: { type: string } }, needs: readonly Need[]): Need | undefined {
  const access = accessOf(session);
  return needs.find(need =>
    'owner' in need ? user.type !== 'OWNER' : 'feature' in need ? !access.planHas(need.feature) : !access.can(need.permission, need.mode),
  );
}
