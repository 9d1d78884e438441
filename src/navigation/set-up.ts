// The set-up score and the stages of onboarding as arithmetic: which tasks a session sees, how far each tab
// is, what opens first, where a button leads.
import { accessOf } from '../contract/access.ts';
import { hasScreen } from '../contract/find.ts';
import { holds } from '../contract/validation/condition.ts';
import type { GoalCategory, GoalTask, JsonValue, Session, SetUp, SetUpModule, SetUpStage, SetUpTask } from '../contract/types.ts';
import { t, translated } from '../domain/text/t.ts';

/** Days for which a task is new to a store. */
export const NEW_DAYS = 30;

/** The sub-module whose button a stage shares (S115); of most stages there is none. */
export const subModuleOf = (stageKey: string): string => (stageKey === 'WIDGET' ? WIDGET : stageKey);

/**
 * What of the set-up can be done: tasks and stages whose button leads to a screen that is there, for the store's version of the storefront
 * widget. A stage no longer waits for one that is left out.
 */
export function feasible(setUp: SetUp, definitions: Parameters<typeof hasScreen>[0], widgetVersion: number): SetUp {
  const leads = (subModuleKey: string, buttonRedirectURL: string): boolean =>
    hasScreen(definitions, linkOf({ subModuleKey, buttonRedirectURL }, widgetVersion));
  const stages = setUp.stages.filter(stage => leads(subModuleOf(stage.key), stage.to));
  const known = new Set(stages.map(stage => stage.key));
  return {
    ...setUp,
    tabs: setUp.tabs.map(tab => ({
      ...tab,
      modules: tab.modules.map(module => ({ ...module, tasks: module.tasks.filter(task => leads(task.key, task.to)) })),
    })),
    stages: stages.map(stage => ({ ...stage, needs: stage.needs.filter(key => known.has(key)) })),
  };
}

export interface PlacedTask {
  tab: string;
  module: Pick<SetUpModule, 'key' | 'title'>;
  task: SetUpTask;
}

/** The tasks that a store has: its plan has their feature and their condition holds. */
export function tasksOfStore(setUp: SetUp, session: Session, facts: Record<string, JsonValue>): PlacedTask[] {
  const access = accessOf(session);
  return setUp.tabs.flatMap(tab =>
    tab.modules.flatMap(module =>
      module.tasks
        .filter(task => (!task.feature || access.planHas(task.feature)) && holds(task.when, { facts }))
        .map(task => ({ tab: tab.name, module, task })),
    ),
  );
}

/** Those that this person may at least read. */
export const tasksOfUser = (tasks: readonly PlacedTask[], session: Session): PlacedTask[] =>
  tasks.filter(({ task }) => !task.permission || accessOf(session).can(task.permission, 'READ'));

/** Completed over all, in whole percent; 0 where there is nothing to do. */
export const percentOf = (completed: number, total: number): number => (total === 0 ? 0 : Math.round((100 * completed) / total));

/** The answer of storeInsights: every tab, with the tasks that are visible. A task that is completed is no longer news. */
export function categoriesOf(
  setUp: SetUp,
  visible: readonly PlacedTask[],
  completed: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
): GoalCategory[] {
  return setUp.tabs.map(({ name }) => {
    const own = visible.filter(one => one.tab === name);
    const subEntities = own.map(({ module, task }): GoalTask => ({
      moduleKey: module.key,
      module: translated(module.title),
      subModuleKey: task.key,
      name: translated(task.name),
      description: translated(task.description),
      isCompleted: completed.has(task.key),
      isNew: fresh.has(task.key) && !completed.has(task.key),
      buttonCtaText: translated(task.button),
      buttonRedirectURL: task.to,
    }));
    const done = subEntities.filter(task => task.isCompleted).length;
    return {
      name: translated(name),
      uniqueModules: [...new Set(own.map(one => translated(one.module.title)))],
      subEntities,
      completionCount: done,
      completionPercentage: percentOf(done, subEntities.length),
    };
  });
}

export interface Score {
  completed: number;
  total: number;
  percent: number;
}
/** The score over all tabs: completed over visible tasks. */
export function scoreOf(categories: readonly GoalCategory[]): Score {
  const tasks = categories.flatMap(category => category.subEntities);
  const completed = tasks.filter(task => task.isCompleted).length;
  return { completed, total: tasks.length, percent: percentOf(completed, tasks.length) };
}

export interface SetUpSection {
  key: string;
  title: string;
  tasks: GoalTask[];
  completed: number;
  isNew: boolean;
  isCompleted: boolean;
}
/** The modules of a tab in their order (S104), with their badges: new if any task is (S107), completed if all are (S108). */
export function sectionsOf(category: Pick<GoalCategory, 'subEntities'> | undefined): SetUpSection[] {
  const sections = new Map<string, GoalTask[]>();
  for (const task of category?.subEntities ?? []) sections.set(task.moduleKey, [...(sections.get(task.moduleKey) ?? []), task]);
  return [...sections].map(([key, tasks]) => {
    const completed = tasks.filter(task => task.isCompleted).length;
    return {
      key,
      title: tasks[0]?.module ?? key,
      tasks,
      completed,
      isNew: tasks.some(task => task.isNew),
      isCompleted: completed === tasks.length,
    };
  });
}

/** The section that is open when a tab is selected: the first with an incomplete task (S106, S193); none when all is done. */
export const firstOpen = (sections: readonly SetUpSection[]): string | undefined => sections.find(section => !section.isCompleted)?.key;

/** Sub-module whose button depends on the version of the storefront widget. */
const WIDGET = 'widget';
const WIDGET_DESIGN = '/settings/widget-design?tab=0&standardWidget=0';
/**
 * Where the button of a task leads: its redirect URL (S114, S116), for the widget of version 1 its design page
 * (S115). The slash at the start may be missing.
 */
export function linkOf(
  { subModuleKey, buttonRedirectURL }: Pick<GoalTask, 'subModuleKey' | 'buttonRedirectURL'>,
  widgetVersion: number,
): string {
  if (subModuleKey === WIDGET && widgetVersion === 1) return WIDGET_DESIGN;
  return /^https?:/.test(buttonRedirectURL) ? buttonRedirectURL : `/${buttonRedirectURL.replace(/^\/+/, '')}`;
}

/** '{completed} of {total} tasks completed' (S102). */
export const countText = ({ completed, total }: Pick<Score, 'completed' | 'total'>): string => t`${completed} of ${total} tasks completed`;

export type StageStatus = 'NOT_STARTED' | 'ELIGIBLE' | 'COMPLETED' | 'SKIPPED';
export interface AssessedStage {
  stage: SetUpStage;
  status: StageStatus;
}
/**
 * The stages with what each is: completed when its check is true, even if it was skipped before;
 * open to work on when what it needs is done.
 */
export function assessStages(setUp: SetUp, completed: ReadonlySet<string>, skipped: ReadonlySet<string>): AssessedStage[] {
  const isDone = (stage: SetUpStage): boolean => completed.has(stage.key) || (stage.canSkip && skipped.has(stage.key));
  const byKey = new Map(setUp.stages.map(stage => [stage.key, stage]));
  return setUp.stages.map(stage => {
    const isReady = stage.needs.every(key => {
      const needed = byKey.get(key);
      return needed !== undefined && isDone(needed);
    });
    return { stage, status: completed.has(stage.key) ? 'COMPLETED' : isDone(stage) ? 'SKIPPED' : isReady ? 'ELIGIBLE' : 'NOT_STARTED' };
  });
}
/** The first stage that is neither completed nor skipped and can be worked on. */
export const nextStage = (stages: readonly AssessedStage[]): SetUpStage | undefined => stages.find(one => one.status === 'ELIGIBLE')?.stage;
