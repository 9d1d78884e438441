import { describe, expect, it } from 'vitest';
import {
  assessStages,
  categoriesOf,
  countText,
  firstOpen,
  linkOf,
  nextStage,
  percentOf,
  scoreOf,
  sectionsOf,
  tasksOfStore,
  tasksOfUser,
} from '../../src/navigation/set-up.ts';
import { factsOf } from '../../src/navigation/facts.ts';
import type { GoalTask, JsonValue, Session } from '../../src/contract/types.ts';
import { check } from '../../src/check/index.ts';
import { readDefinitionFiles } from '../../src/server/platform/definitions.ts';
import { productDefinitions } from '../support/definitions.ts';
import { permission, session, type Given } from './session.ts';

const definitions = productDefinitions();
const { setUp } = definitions;
const facts = (of: Session): Record<string, JsonValue> => factsOf(of, definitions.facts);
/** A store on the highest plan, with gifts. */
const whole: Given = {
  features: definitions.plans.flatMap(plan => plan.features).filter(name => name !== 'user_permission'),
  rank: 4,
  hasGiftWidget: true,
  scopes: ['write_cart_transforms', 'write_validations'],
  store: { storefrontWidgetVersion: 2 },
};
const visible = (given: Given = whole, personal = true) => {
  const own = session(given);
  const tasks = tasksOfStore(setUp, own, facts(own));
  return personal ? tasksOfUser(tasks, own) : tasks;
};
const none = new Set<string>();
const task = (moduleKey: string, subModuleKey: string, more: Partial<GoalTask> = {}): GoalTask => ({
  moduleKey,
  module: moduleKey.toUpperCase(),
  subModuleKey,
  name: subModuleKey,
  description: 'd',
  isCompleted: false,
  isNew: false,
  buttonCtaText: 'Go',
  buttonRedirectURL: `/${subModuleKey}`,
  ...more,
});
const sections = (...tasks: GoalTask[]) => sectionsOf({ subEntities: tasks });

describe('the tasks of a store', () => {
  it('S101 S317 stand under Acquire, Retain, Grow and Manage', () => {
    expect(categoriesOf(setUp, visible(), none, none).map(one => one.name)).toEqual(['Acquire', 'Retain', 'Grow', 'Manage']);
  });

  it('S102 the figures are those of the tab: three of ten with gifts, of nine without', () => {
    const done = new Set(['sellingPlan', 'productMapping', 'widget']);
    const [acquire] = categoriesOf(setUp, visible(), done, none);
    expect(acquire).toMatchObject({ completionCount: 3, completionPercentage: 30 });
    expect(countText(scoreOf([acquire!]))).toBe('3 of 10 tasks completed');
    const [without] = categoriesOf(setUp, visible({ ...whole, hasGiftWidget: false }), done, none);
    expect(countText(scoreOf([without!]))).toBe('3 of 9 tasks completed');
    expect(without!.completionPercentage).toBe(33);
  });

  it('are hidden with the feature of the plan, with their area, and for the widget of version 1', () => {
    const keys = (given: Given) => visible(given).map(one => one.task.key);
    expect(keys({ ...whole, features: ['selling_plans'], rank: 1 })).not.toContain('streak');
    expect(keys({ ...whole, features: ['selling_plans'], rank: 1 })).toContain('sellingPlan');
    expect(keys({ ...whole, store: { storefrontWidgetVersion: 1 } })).not.toContain('widgetTexts');
    const reader: Given = {
      ...whole,
      features: [...whole.features!, 'user_permission'],
      permissions: [permission('sellingPlan', 'READ'), permission('streaks', 'NO_ACCESS')],
    };
    expect(keys(reader)).toEqual(['sellingPlan', 'productMapping', 'prepaidPlan']);
    expect(visible(reader, false).length).toBeGreaterThan(30);
  });

  it('every task is in one place, and leads to a path', () => {
    const all = setUp.tabs.flatMap(tab => tab.modules.flatMap(module => module.tasks));
    expect(new Set(all.map(one => one.key)).size).toBe(all.length);
    for (const one of all) expect(one.to, one.key).toMatch(/^\/\w/);
  });

  it('a task is only shown on plans that have the page it leads to', () => {
    const { main, lower } = definitions.navigation;
    const entries = [...main, ...lower].flatMap(entry => [entry, ...(entry.items ?? []).flatMap(item => [item, ...(item.items ?? [])])]);
    const rank = (feature: string | undefined): number =>
      feature ? definitions.plans.find(plan => plan.features.includes(feature))!.rank : 0;
    for (const { key, to, feature } of setUp.tabs.flatMap(tab => tab.modules.flatMap(module => module.tasks))) {
      const found = entries.filter(entry => to === entry.to || to.startsWith(`${entry.to}/`));
      expect(found.length, `${key} leads to ${to}`).toBeGreaterThan(0);
      for (const entry of found)
        expect(rank(feature), `${key} is shown on plans without ${entry.plan}`).toBeGreaterThanOrEqual(rank(entry.plan));
    }
  });

  it('S262 a tab names its modules once and in order, and each task has everything the panel shows', () => {
    const [acquire] = categoriesOf(setUp, visible(), new Set(['widget']), new Set(['widget', 'bundle']));
    expect(acquire!.uniqueModules).toEqual(['Selling plans', 'Widget', 'Checkout', 'Bundles', 'Gifts']);
    expect(acquire!.subEntities[3]).toEqual({
      moduleKey: 'widget',
      module: 'Widget',
      subModuleKey: 'widget',
      name: 'Publish the subscription widget',
      description: 'Show purchase options on your product pages.',
      isCompleted: true,
      isNew: false,
      buttonCtaText: 'Set up widget',
      buttonRedirectURL: '/widgets/storefront/library',
    });
    expect(acquire!.subEntities.find(one => one.subModuleKey === 'bundle')!.isNew).toBe(true);
  });
});

describe('sections of a tab', () => {
  it('S104 tasks are grouped by their module, in order', () => {
    expect(
      sections(task('a', '1'), task('b', '2'), task('a', '3')).map(one => [one.key, one.title, one.tasks.map(inner => inner.subModuleKey)]),
    ).toEqual([
      ['a', 'A', ['1', '3']],
      ['b', 'B', ['2']],
    ]);
    expect(sectionsOf(undefined)).toEqual([]);
  });

  it('S106 S193 the first section with an incomplete task opens; none when all is done', () => {
    expect(
      firstOpen(sections(task('a', '1', { isCompleted: true }), task('b', '2', { isCompleted: true }), task('b', '3'), task('c', '4'))),
    ).toBe('b');
    expect(firstOpen(sections(task('a', '1', { isCompleted: true })))).toBeUndefined();
    expect(firstOpen([])).toBeUndefined();
  });

  it('S107 a section is new if one of its tasks is', () => {
    expect(sections(task('a', '1'), task('a', '2', { isNew: true }), task('b', '3')).map(one => one.isNew)).toEqual([true, false]);
  });

  it('S108 a section is completed if all of its tasks are', () => {
    expect(
      sections(task('a', '1', { isCompleted: true }), task('a', '2'), task('b', '3', { isCompleted: true })).map(one => one.isCompleted),
    ).toEqual([false, true]);
  });
});

describe('the button of a task', () => {
  const widget = { subModuleKey: 'widget', buttonRedirectURL: '/widgets/storefront/library' };
  it('S114 leads to the redirect URL, with or without a slash at its start', () => {
    expect(linkOf({ subModuleKey: 'streak', buttonRedirectURL: 'streaks?a=1' }, 1)).toBe('/streaks?a=1');
    expect(linkOf({ subModuleKey: 'streak', buttonRedirectURL: '/streaks' }, 1)).toBe('/streaks');
  });
  it('S115 of the task "widget" leads to the widget design of version 1', () => {
    expect(linkOf(widget, 1)).toBe('/settings/widget-design?tab=0&standardWidget=0');
  });
  it('S116 of the task "widget" leads to its redirect URL in any other version', () => {
    expect(linkOf(widget, 2)).toBe('/widgets/storefront/library');
    expect(linkOf(widget, 3)).toBe('/widgets/storefront/library');
  });
});

describe('percentages', () => {
  it.each([
    [0, 0, 0],
    [0, 9, 0],
    [3, 9, 33],
    [2, 3, 67],
    [10, 10, 100],
  ])('S102 %i of %i is %i percent', (completed, total, percent) => expect(percentOf(completed, total)).toBe(percent));
  it('the score counts the tasks of all tabs', () => {
    expect(
      scoreOf([{ subEntities: [task('a', '1', { isCompleted: true })] }, { subEntities: [task('b', '2'), task('b', '3')] }] as never),
    ).toEqual({ completed: 1, total: 3, percent: 33 });
  });
});

describe('the stages of onboarding', () => {
  const statuses = (done: string[], skipped: string[] = []) =>
    Object.fromEntries(assessStages(setUp, new Set(done), new Set(skipped)).map(one => [one.stage.key, one.status]));
  const next = (done: string[], skipped: string[] = []) => nextStage(assessStages(setUp, new Set(done), new Set(skipped)))?.key;
  it('only the form is open at first, then what it opens', () => {
    expect(Object.values(statuses([]))).toEqual(['ELIGIBLE', ...Array.from({ length: setUp.stages.length - 1 }, () => 'NOT_STARTED')]);
    expect(next([])).toBe('ONBOARDING_FORM');
    expect(next(['ONBOARDING_FORM'])).toBe('PAYMENT_ELIGIBILITY');
    expect(next(['ONBOARDING_FORM', 'PAYMENT_ELIGIBILITY'])).toBe('SELLING_PLAN');
  });
  it('products need a plan, and the widget needs both', () => {
    expect(statuses(['ONBOARDING_FORM', 'PAYMENT_ELIGIBILITY'])).toMatchObject({
      PRODUCT_MAPPING: 'NOT_STARTED',
      WIDGET: 'NOT_STARTED',
      PORTAL_ACCESS: 'ELIGIBLE',
    });
    expect(statuses(['ONBOARDING_FORM', 'SELLING_PLAN'])).toMatchObject({ PRODUCT_MAPPING: 'ELIGIBLE', WIDGET: 'NOT_STARTED' });
    expect(statuses(['ONBOARDING_FORM', 'SELLING_PLAN', 'PRODUCT_MAPPING'])).toMatchObject({ WIDGET: 'ELIGIBLE' });
  });
  it("a skipped stage counts as done, unless it is completed anyway or can't be skipped", () => {
    expect(statuses(['ONBOARDING_FORM'], ['PAYMENT_ELIGIBILITY', 'SELLING_PLAN'])).toMatchObject({
      PAYMENT_ELIGIBILITY: 'SKIPPED',
      SELLING_PLAN: 'ELIGIBLE',
    });
    expect(statuses(['ONBOARDING_FORM', 'PAYMENT_ELIGIBILITY'], ['PAYMENT_ELIGIBILITY']).PAYMENT_ELIGIBILITY).toBe('COMPLETED');
    expect(next(setUp.stages.map(one => one.key))).toBeUndefined();
  });
});

describe('the check of the set-up tasks', () => {
  const files = readDefinitionFiles();
  const FILE = 'schemas/common/set-up.json';
  const told = (find: string, put: string): string[] => {
    expect(files[FILE]).toContain(find);
    return check({ ...files, [FILE]: files[FILE]!.replace(find, put) }).map(problem => `${problem.pointer} ${problem.message}`);
  };
  it('finds nothing as they are', () => expect(check(files)).toEqual([]));
  it.each([
    [
      'an unknown permission area',
      '"permission": "sellingPlan"',
      '"permission": "sellingPlans"',
      '/tabs/0/modules/0/tasks/0/permission There is no permission area "sellingPlans" in schemas/common/permissions.json.',
    ],
    [
      'an unknown plan feature',
      '"feature": "selling_plans"',
      '"feature": "selling_plan"',
      '/tabs/0/modules/0/tasks/0/feature There is no plan feature "selling_plan" in schemas/common/plans.json.',
    ],
    [
      'an unknown fact',
      '"@gift.visible": true',
      '"@gift.shown": true',
      '/tabs/0/modules/4/tasks/0/when/@gift.shown There is no fact "@gift.shown" in schemas/common/session.json.',
    ],
    [
      'an entity that is not there, for a screen that is',
      '"count": "selling-plan-group"',
      '"count": "plan-group"',
      '/tabs/0/modules/0/tasks/0/done/count There is no schemas/entities/plan-group.json.',
    ],
    [
      'a field that the entity lacks',
      '"where": { "status": "ACTIVE" }',
      '"where": { "state": "ACTIVE" }',
      '/tabs/0/modules/0/tasks/0/done/where/state There is no field "state" in schemas/entities/selling-plan-group.json.',
    ],
    [
      'a field that the settings page lacks',
      '"billingHour": { "minimum": 0 }',
      '"hour": { "minimum": 0 }',
      '/tabs/3/modules/3/tasks/0/done/when/hour There is no field "hour" beside this one.',
    ],
    [
      'two things that complete it',
      '"done": { "fact": "formSaved" }',
      '"done": { "fact": "formSaved", "count": "bundle" }',
      '/stages/0/done Say one thing that completes it: "count" records, a "setting", or a "fact".',
    ],
    [
      'a stage that needs a later one',
      '"canSkip": true, "needs": ["ONBOARDING_FORM"]',
      '"canSkip": true, "needs": ["GO_LIVE"]',
      '/stages/1/needs/0 No stage "GO_LIVE" comes before this one.',
    ],
    [
      'a key twice',
      '"key": "productMapping"',
      '"key": "sellingPlan"',
      '/tabs/0/modules/0/tasks/1/key The key "sellingPlan" stands here twice.',
    ],
  ])('%s', (_, find, put, sentence) => expect(told(find, put)).toContain(sentence));
});
