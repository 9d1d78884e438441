// The set-up tasks: every name they use is there. What completes a task may be named ahead only while its screen is still to come.
import type { Done } from '../contract/types.ts';
import { checkWhen } from './conditions.ts';
import { optionsOf } from '../contract/paths.ts';
import { hasScreen } from '../contract/find.ts';
import { isObject, known, own, type CheckContext } from './context.ts';

const FILE = 'schemas/common/set-up.json';

export function checkSetUp(context: CheckContext): void {
  if (!isObject(context.documents[FILE]) || !context.sound(FILE)) return;
  const { definitions } = context;
  const keys = new Map<string, string>();
  const once = (key: string, at: string): void => {
    if (keys.has(key)) context.report({ file: FILE, pointer: `${at}/key`, message: `The key "${key}" stands here twice.` });
    keys.set(key, at);
  };
  definitions.setUp.tabs.forEach((tab, t) =>
    tab.modules.forEach((module, m) =>
      module.tasks.forEach((task, i) => {
        const at = `/tabs/${t}/modules/${m}/tasks/${i}`;
        once(task.key, at);
        known(
          context,
          FILE,
          `${at}/permission`,
          task.permission,
          Object.keys(definitions.permissions),
          name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
        );
        known(
          context,
          FILE,
          `${at}/feature`,
          task.feature,
          context.planFeatures,
          name => `There is no plan feature "${name}" in schemas/common/plans.json.`,
        );
        if (task.when) checkWhen(context, FILE, `${at}/when`, task.when, undefined);
        checkDone(context, `${at}/done`, task.done, task.to);
      }),
    ),
  );
  const stages = definitions.setUp.stages.map(stage => stage.key);
  definitions.setUp.stages.forEach((stage, i) => {
    const at = `/stages/${i}`;
    once(stage.key, at);
    stage.needs.forEach((name, n) =>
      known(context, FILE, `${at}/needs/${n}`, name, stages.slice(0, i), one => `No stage "${one}" comes before this one.`),
    );
    checkDone(context, `${at}/done`, stage.done, stage.to);
    (stage.ways ?? []).forEach(({ fact, to }, n) => checkDone(context, `${at}/ways/${n}`, { fact }, to));
  });
}

/** As soon as a task leads to a screen, what completes it must exist: a misspelt name would leave it open for ever. */
function checkDone(context: CheckContext, at: string, done: Done, to: string): void {
  const ways = (['count', 'setting', 'fact'] as const).filter(way => done[way] !== undefined);
  if (ways.length !== 1) {
    context.report({ file: FILE, pointer: at, message: 'Say one thing that completes it: "count" records, a "setting", or a "fact".' });
    return;
  }
  if (!hasScreen(context.definitions, to)) return;
  const { definitions } = context;
  const entity = done.count === undefined ? undefined : own(definitions.entities, done.count);
  if (done.count !== undefined)
    known(
      context,
      FILE,
      `${at}/count`,
      done.count,
      Object.keys(definitions.entities),
      name => `There is no schemas/entities/${name}.json.`,
    );
  if (entity)
    for (const field of Object.keys(done.where ?? {}))
      known(
        context,
        FILE,
        `${at}/where/${field}`,
        field,
        Object.keys(entity.properties ?? {}),
        name => `There is no field "${name}" in schemas/entities/${done.count}.json.`,
      );
  for (const [field, value] of Object.entries(entity ? (done.where ?? {}) : {})) {
    const options = optionsOf(entity?.properties?.[field]).map(option => String(option.value));
    if (options.length)
      [value]
        .flat()
        .forEach((one, i) =>
          known(
            context,
            FILE,
            `${at}/where/${field}${Array.isArray(value) ? `/${i}` : ''}`,
            one,
            options,
            wrong => `"${field}" of ${done.count} is never "${wrong}".`,
          ),
        );
  }
  const setting = done.setting === undefined ? undefined : own(definitions.settings, done.setting);
  if (done.setting !== undefined)
    known(
      context,
      FILE,
      `${at}/setting`,
      done.setting,
      Object.keys(definitions.settings),
      name => `There is no schemas/settings/${name}.json.`,
    );
  if (setting && done.when) checkWhen(context, FILE, `${at}/when`, done.when, setting, setting);
}
