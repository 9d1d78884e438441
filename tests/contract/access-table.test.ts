// The decision table of permissions, whole: every stored access, mode, visibility, plan, role and question; the expectation is written from the rules, not from the code.
import { describe, expect, it } from 'vitest';
import { accessOf, allowsCall } from '../../src/contract/access.ts';
import type { Access, Permission, Session } from '../../src/contract/types.ts';
import { permission, session } from './session.ts';

const ACCESS: Access[] = ['NO_ACCESS', 'READ', 'WRITE'];
const MODES: Permission['availableAccessMode'][] = [['READ'], ['WRITE'], ['READ', 'WRITE']];
const ROLES: Session['user']['loopUserType'][] = ['OWNER', 'ADMIN', 'MEMBER', 'LOOP_USER'];
const AREAS = ['subscriptionDetails', 'updateUserPermission'];
/** How a plan comes to have user_permission: by its list, by being the feature's minimum plan, by being above it; or not at all. */
const PLANS = {
  listed: { features: ['user_permission'] },
  'at the minimum plan': { features: [], minimumPlans: { user_permission: 3 }, rank: 3 },
  'above the minimum plan': { features: [], minimumPlans: { user_permission: 3 }, rank: 4 },
  'below the minimum plan': { features: [], minimumPlans: { user_permission: 3 }, rank: 2 },
  'unknown to the plan': { features: [] },
} as const;
type PlanName = keyof typeof PLANS;
const single = (plan: PlanName): boolean => plan === 'listed' || plan === 'at the minimum plan' || plan === 'above the minimum plan';

interface Row {
  plan: PlanName;
  access: Access;
  modes: Permission['availableAccessMode'];
  isHidden: boolean;
  held: boolean;
  role: Session['user']['loopUserType'];
  area: string;
}
const rows: Row[] = [];
for (const plan of Object.keys(PLANS) as PlanName[])
  for (const access of ACCESS)
    for (const modes of MODES)
      for (const isHidden of [false, true])
        for (const held of [false, true])
          for (const role of ROLES) for (const area of AREAS) rows.push({ plan, access, modes, isHidden, held, role, area });

const sessionOf = ({ plan, access, modes, isHidden, held, role, area }: Row): Session =>
  session({
    ...PLANS[plan],
    features: [...PLANS[plan].features],
    user: { loopUserType: role },
    permissions: held
      ? [permission(area, access, { availableAccessMode: modes, isHidden, loopModuleKey: 'retain', loopFeatureKey: 'streaks' })]
      : [],
  });
/** The access map's entry for the area. */
const mapped = (row: Row): Access | undefined => {
  if (!row.held) return undefined;
  if (single(row.plan)) return row.access; // S214
  if (row.isHidden) return undefined; // S215
  return row.modes.includes('WRITE') ? 'WRITE' : 'READ'; // S216, S217
};
const mayRead = (row: Row): boolean => !single(row.plan) || mapped(row) === 'READ' || mapped(row) === 'WRITE'; // S218, S220 to S223
const mayWrite = (row: Row): boolean => {
  if (single(row.plan)) return mapped(row) === 'WRITE'; // S224, S225
  return row.area !== 'updateUserPermission' || row.role === 'OWNER' || row.role === 'ADMIN'; // S218, S219
};
const wrong = (of: (row: Row) => [got: unknown, expected: unknown], among: (row: Row) => boolean = () => true): string[] => {
  const asked = rows.filter(among);
  expect(asked.length).toBeGreaterThan(0);
  return asked.flatMap(row => {
    const [got, expected] = of(row);
    return got === expected ? [] : [`${JSON.stringify(row)}: ${String(got)} instead of ${String(expected)}`];
  });
};
const access = (row: Row) => accessOf(sessionOf(row));

describe('the decision table of permissions', () => {
  it('covers every combination', () => expect(rows).toHaveLength(5 * 3 * 3 * 2 * 2 * 4 * 2));
  it('S213 S214 with user_permission in the plan the access map holds what is stored', () =>
    expect(
      wrong(
        row => [access(row).permissions[row.area], row.held ? row.access : undefined],
        row => single(row.plan),
      ),
    ).toEqual([]));
  it('S215 without user_permission what is hidden is not in the access map', () =>
    expect(
      wrong(
        row => [access(row).permissions[row.area], undefined],
        row => !single(row.plan) && row.isHidden,
      ),
    ).toEqual([]));
  it('S216 without user_permission what can be written is written', () =>
    expect(
      wrong(
        row => [access(row).permissions[row.area], 'WRITE'],
        row => !single(row.plan) && row.held && !row.isHidden && row.modes.includes('WRITE'),
      ),
    ).toEqual([]));
  it('S217 without user_permission what can only be read is read', () =>
    expect(
      wrong(
        row => [access(row).permissions[row.area], 'READ'],
        row => !single(row.plan) && row.held && !row.isHidden && !row.modes.includes('WRITE'),
      ),
    ).toEqual([]));
  it('S218 S219 without user_permission every check passes, save that only owner and admins change permissions', () => {
    expect(
      wrong(
        row => [access(row).can(row.area, 'READ'), true],
        row => !single(row.plan),
      ),
    ).toEqual([]);
    expect(
      wrong(
        row => [access(row).can(row.area, 'WRITE'), true],
        row => !single(row.plan) && row.area !== 'updateUserPermission',
      ),
    ).toEqual([]);
    expect(
      wrong(
        row => [access(row).can(row.area, 'WRITE'), row.role === 'OWNER' || row.role === 'ADMIN'],
        row => !single(row.plan) && row.area === 'updateUserPermission',
      ),
    ).toEqual([]);
  });
  it('S220 S221 with user_permission nothing passes for what is not held, or held as NO_ACCESS', () => {
    for (const mode of ['READ', 'WRITE'] as const)
      expect(
        wrong(
          row => [access(row).can(row.area, mode), false],
          row => single(row.plan) && (!row.held || row.access === 'NO_ACCESS'),
        ),
      ).toEqual([]);
  });
  it('S222 S223 READ is satisfied by READ and by WRITE', () =>
    expect(
      wrong(
        row => [access(row).can(row.area, 'READ'), true],
        row => row.held && row.access !== 'NO_ACCESS',
      ),
    ).toEqual([]));
  it('S224 S225 with user_permission WRITE is satisfied by WRITE and by nothing else', () =>
    expect(
      wrong(
        row => [access(row).can(row.area, 'WRITE'), row.held && row.access === 'WRITE'],
        row => single(row.plan),
      ),
    ).toEqual([]));
  it('S226 S228 modules and features follow the access map, whatever the plan', () => {
    expect(wrong(row => [access(row).module('retain'), mapped(row) === 'READ' || mapped(row) === 'WRITE'])).toEqual([]);
    expect(wrong(row => [access(row).feature('streaks'), mapped(row) === 'READ' || mapped(row) === 'WRITE'])).toEqual([]);
    expect(wrong(row => [access(row).module('grow') || access(row).feature('growUpsell'), false])).toEqual([]);
  });
  it('S227 exporting reports never opens analytics, whatever the plan', () => {
    const reports = (row: Row, area: string) =>
      accessOf(
        session({
          ...PLANS[row.plan],
          features: [...PLANS[row.plan].features],
          permissions: [
            permission(area, row.access, {
              availableAccessMode: row.modes,
              isHidden: row.isHidden,
              loopModuleKey: 'analytics',
              loopFeatureKey: 'reports',
            }),
          ],
        }),
      );
    expect(wrong(row => [reports(row, 'exportReports').module('analytics'), false])).toEqual([]);
    expect(
      wrong(row => [
        reports(row, 'viewReports').module('analytics'),
        mapped({ ...row, held: true }) !== undefined && mapped({ ...row, held: true }) !== 'NO_ACCESS',
      ]),
    ).toEqual([]);
  });
  it('S229 S230 the plan has what its list names and what has its minimum plan at or below it', () =>
    expect(wrong(row => [access(row).planHas('user_permission'), single(row.plan)])).toEqual([]));
  it('S220 S225 calls are let in by the same table: READ for those that look, WRITE for those that change', () => {
    for (const does of ['list', 'read', 'get', 'query'] as const)
      expect(wrong(row => [allowsCall({ does, permission: row.area }, sessionOf(row)).ok, mayRead(row)])).toEqual([]);
    for (const does of ['create', 'update', 'delete', 'set', 'move', 'order', 'command'] as const)
      expect(wrong(row => [allowsCall({ does, permission: row.area }, sessionOf(row)).ok, mayWrite(row)])).toEqual([]);
  });
});
