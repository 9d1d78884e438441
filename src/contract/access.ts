// What a session may see and do: one set of rules for the server, the page and the button.
import type { Access, Call, Session } from './types.ts';
import { isRead } from './calls.ts';
import { humanise } from './paths.ts';
import { inSentence, t, translated } from '../domain/text/t.ts';

export interface AccessOf {
  /** The access that counts for each area held; an area that is absent is not held. */
  permissions: Record<string, Access>;
  can(area: string, mode: 'READ' | 'WRITE'): boolean;
  module(key: string): boolean;
  feature(key: string): boolean;
  planHas(feature: string): boolean;
  scopes(required: readonly string[]): boolean;
  switchedOn(name: string): boolean;
}

/** The plan feature under which permissions are given one by one. */
export const USER_PERMISSION = 'user_permission';
const UPDATE_PERMISSIONS = 'updateUserPermission';
const EXPORT_REPORTS = 'exportReports';

const known = new WeakMap<Session, AccessOf>();

/** The rights of a session, remembered with it. Sources: S213 to S232, S244. */
export function accessOf(session: Session): AccessOf {
  const before = known.get(session);
  if (before) return before;
  const { plan, user } = session;
  // S229 the plan's list; S230 a plan at or above a feature's minimum plan has the feature.
  const planHas = (feature: string): boolean =>
    plan.features.includes(feature) || (plan.minimumPlans[feature] !== undefined && plan.rank >= plan.minimumPlans[feature]);
  const single = planHas(USER_PERMISSION);
  const permissions: Record<string, Access> = {};
  const modules = new Set<string>();
  const features = new Set<string>();
  for (const one of user.permissions) {
    if (!single && one.isHidden) continue; // S215
    const access: Access = single ? one.access : one.availableAccessMode.includes('WRITE') ? 'WRITE' : 'READ'; // S214, S216, S217
    permissions[one.permissionKey] = access;
    if (access === 'NO_ACCESS') continue;
    if (!(one.loopModuleKey === 'analytics' && one.permissionKey === EXPORT_REPORTS)) modules.add(one.loopModuleKey); // S226, S227
    if (one.loopFeatureKey) features.add(one.loopFeatureKey); // S228
  }
  const can = (area: string, mode: 'READ' | 'WRITE'): boolean => {
    // S218. The specification leaves the outcome for the update-user-permission key open (S219): ours is that changing what others may
    // do stays with the owner and the admins, whatever the plan.
    if (!single) return area !== UPDATE_PERMISSIONS || mode === 'READ' || user.loopUserType === 'OWNER' || user.loopUserType === 'ADMIN';
    const held = permissions[area];
    return held === 'WRITE' || (mode === 'READ' && held === 'READ'); // S220 to S225
  };
  const access: AccessOf = {
    permissions,
    can,
    planHas,
    module: key => modules.has(key),
    feature: key => features.has(key),
    scopes: required => required.every(scope => session.scopes.includes(scope)), // S232
    switchedOn: name => session.featureSwitches.includes(name), // S244
  };
  known.set(session, access);
  return access;
}

export type Allowed = { ok: true } | { ok: false; code: 'FORBIDDEN' | 'FEATURE_NOT_IN_PLAN'; message: string };

/** Why a feature is closed on the plan of a session. */
export const notInPlan = ({ plan }: Session, feature: string): string =>
  t`Your plan ${plan.name} doesn't include ${inSentence(translated(humanise(feature)))}. Upgrade the plan to use it.`;
export const mayNotSee = (label: string): string => t`You don't have permission to see this (${label}). Ask an admin of your store for it.`;

/** Whether a session may use a call: READ for calls that look, WRITE for calls that change, READ of further areas, and the plan feature. */
export function allowsCall(call: Pick<Call, 'does' | 'permission' | 'also' | 'feature' | 'public'>, session: Session): Allowed {
  if (call.public) return { ok: true };
  const access = accessOf(session);
  if (call.feature && !access.planHas(call.feature)) {
    return {
      ok: false,
      code: 'FEATURE_NOT_IN_PLAN',
      message: notInPlan(session, call.feature),
    };
  }
  const own = isRead(call) ? 'READ' : 'WRITE';
  const needed = [
    ...(call.permission ? [{ area: call.permission, mode: own }] : []),
    ...(call.also ?? []).map(area => ({ area, mode: 'READ' })),
  ];
  const missing = needed.find(({ area, mode }) => !access.can(area, mode as 'READ' | 'WRITE'));
  if (!missing) return { ok: true };
  const { mode } = missing;
  const area = session.user.permissions.find(one => one.permissionKey === missing.area);
  const label = translated(area?.label ?? humanise(missing.area));
  if (!access.planHas(USER_PERMISSION))
    return { ok: false, code: 'FORBIDDEN', message: t`Only the owner and admins can change the permissions of users.` };
  return {
    ok: false,
    code: 'FORBIDDEN',
    message:
      mode === 'READ' ? mayNotSee(label) : t`You don't have permission to change this (${label}). Ask an admin of your store for it.`,
  };
}
