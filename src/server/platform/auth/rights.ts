// A short name for what a session may see and do: it changes when a right, the role or the plan does.
import { createHash } from 'node:crypto';
import type { Session } from '../../../contract/types.ts';

const known = new WeakMap<Session, string>();

/** 16 letters; the same rights have the same name on every process. */
export function rightsOf(session: Session): string {
  let name = known.get(session);
  if (name === undefined) {
    const { user, plan, rolePreview } = session;
    const parts = [
      user.loopUserType,
      user.permissions.map(one => one.access[0]).join(''),
      plan.rank,
      plan.features.join(),
      rolePreview?.id,
    ];
    known.set(session, (name = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)));
  }
  return name;
}
