// Actions on subscriptions: what they name is there, and what a button of the record asks for is in the form.
import { FOLDER, isForMany, portalPages } from '../contract/actions.ts';
import type { ActionKind, Definitions, JsonObject, PortalOffer } from '../contract/types.ts';
import { atPointer, optionsOf } from '../contract/paths.ts';
import { movesOf } from '../contract/states.ts';
import type { Finding } from './source.ts';
import { isObject, known, type CheckContext } from './context.ts';

export function checkActions(context: CheckContext): void {
  for (const action of Object.values(context.definitions.actions)) {
    const file = `${FOLDER}${action.key}.json`;
    const raw = context.documents[file];
    if (context.sound(file) && isObject(raw)) checkOne(context, file, action, raw);
  }
}

function checkOne(context: CheckContext, file: string, action: ActionKind, raw: JsonObject): void {
  const { definitions, options } = context;
  const say = (at: string, message: string): void => context.report({ file, pointer: at, message });
  if (!/^[A-Z][A-Z0-9_]*$/.test(action.key))
    say('', `The name of an action is written in capitals, digits and _: PAUSE_SUBSCRIPTION.json.`);
  if (options.icons) known(context, file, '/icon', action.icon, options.icons, name => `There is no icon "${name}".`);
  if (raw.permission !== undefined)
    known(context, file, '/permission', raw.permission, Object.keys(definitions.permissions), name => `There is no area "${name}".`);
  if (raw.call === undefined) {
    for (const name of [...(action.in.record ? [] : ['action']), 'permission', 'params'])
      if (raw[name] === undefined) say('', `An action without a call needs "${name}".`);
  } else if (action.call !== undefined) {
    known(context, file, '/call', action.call, Object.keys(definitions.calls), name => `There is no call "${name}".`);
    const call = definitions.calls[action.call];
    if (call && !call.permission && raw.permission === undefined)
      say('', `The call needs no permission of its own. Say which one in "permission".`);
    if (call && action.form && raw.params === undefined && !call.in.some(param => param.name === 'id') && !call.body?.properties?.id)
      say('/call', `${call.name} takes no "id" of a subscription, so its parameters are no form. Write them in "params".`);
  }
  checkCode(context, file, action);
  const states = optionsOf(definitions.entities.subscription?.properties?.status ?? {}).map(option => String(option.value));
  const { link = {} } = action.in;
  const kinds = Object.entries(link).map(([kind, one]) => [`in/link/${kind}`, one] as const);
  const pages = portalPages(action.in).map(([id, one]) => [`in/portal/${id}`, one] as const);
  for (const [at, page] of pages) checkPage(context, file, at, page);
  for (const [name, { labelKey }] of Object.entries(action.fields ?? {})) {
    const asked = action.form?.properties?.[name];
    known(context, file, `/fields/${name}`, name, Object.keys(action.form?.properties ?? {}), () => `"params" has no "${name}".`);
    if (asked && [asked.type].flat().some(type => type === undefined || ['boolean', 'array', 'object'].includes(type)) && !asked.oneOf)
      say(`/fields/${name}`, 'Customers can fill in a day, a number, a text or one of some options.');
    checkText(context, file, `/fields/${name}/labelKey`, labelKey);
  }
  for (const [at, { fields = [] }] of [...kinds, ...pages])
    fields.forEach((name, i) =>
      known(context, file, `/${at}/fields/${i}`, name, Object.keys(action.fields ?? {}), () => `"fields" has no "${name}".`),
    );
  for (const [at, { choices }] of [...kinds, ...pages])
    choices.forEach(({ textKey }, i) => checkText(context, file, `/${at}/choices/${i}/textKey`, textKey));
  const ofPlaces = [...kinds, ...pages].map(([at, one]) => [`${at}/states`, one.states] as const);
  for (const [at, named] of [['states', action.states] as const, ['forMany/states', action.forMany?.states] as const, ...ofPlaces])
    named?.forEach((state, i) => known(context, file, `/${at}/${i}`, state, states, name => `Subscriptions have no state "${name}".`));
  const isMove = action.action !== null && movesOf(definitions.entities.subscription)[action.action] !== undefined;
  if (isMove && raw.states !== undefined)
    say('/states', 'The states of a move stand in x-states of schemas/entities/subscription.json. "forMany" may name fewer.');
  if (!isMove && action.calls.length && action.action !== null && raw.states === undefined)
    say('', 'Say in "states" in which states of subscriptions it runs.');
  if (isForMany(action))
    for (const name of ['title', 'description', 'icon', 'group', 'order'])
      if (raw[name] === undefined) say('/in', `What is offered to many needs "${name}".`);
}

/** A text that customers read is among those of schemas/texts. */
function checkText(context: CheckContext, file: string, at: string, key: string | undefined): void {
  const keys = Object.values(context.definitions.texts).flatMap(({ texts }) => Object.keys(texts));
  known(context, file, at, key, keys, name => `There is no text "${name}" in schemas/texts (of pages: portal.json).`);
}
/** A page of the portal: its texts, and the preference that leaves it on. */
function checkPage(context: CheckContext, file: string, at: string, page: PortalOffer): void {
  for (const name of ['labelKey', 'nameKey', 'titleKey', 'questionKey', 'askKey', 'doneKey'] as const)
    checkText(context, file, `/${at}/${name}`, page[name]);
  page.labelKeyWhen?.forEach(({ textKey }, i) => checkText(context, file, `/${at}/labelKeyWhen/${i}/textKey`, textKey));
  page.ways?.forEach(({ nameKey }, i) => checkText(context, file, `/${at}/ways/${i}/nameKey`, nameKey));
  const preferences = Object.keys(context.definitions.settings['portal-preferences']?.properties ?? {});
  known(context, file, `/${at}/while`, page.while, preferences, name => `The portal has no preference "${name}".`);
}

export const ACTION_CODE = 'src/server/engine/actions/code';
/** The file with the code of an action on subscriptions, from the root: "UPDATE_NOTE" -> ".../update-note.ts". */
export const actionCodeFile = (key: string): string => `${ACTION_CODE}/${key.toLowerCase().replaceAll('_', '-')}.ts`;

/** The server does it, and can take it back where the file says so: else it would not start. */
function checkCode({ definitions, options, report }: CheckContext, file: string, { key, call, undo, in: places }: ActionKind): void {
  const { actionCode, handlers } = options;
  if (!actionCode) return;
  const code = Object.hasOwn(actionCode, key) ? actionCode[key] : undefined;
  const at = actionCodeFile(key);
  const isDoneBy = (one: ActionKind): boolean => one.key !== key && call !== undefined && one.calls.includes(call);
  const isDoneByCall =
    (!isForMany({ in: places }) && handlers?.includes(call ?? '') === true) ||
    Object.values(definitions.actions).some(one => isDoneBy(one) && Object.hasOwn(actionCode, one.key));
  if (!code && !isDoneByCall)
    report({ file, pointer: '', message: `Nothing does it to a subscription. Write ${at}, which exports "action".` });
  else if ((undo === true) !== (code?.undo === true))
    report({
      file,
      pointer: undo ? '/undo' : '',
      message: undo
        ? `Nothing takes it back: there is no "undoing" in ${at}. Write one, or leave "undo" out.`
        : `${at} has "undoing". Add "undo": true.`,
    });
}

/** What is found at a button that an action gave a screen is reported at the action's own file. */
export function atItsAction(finding: Finding, { resources }: Pick<Definitions, 'resources'>, documents: Record<string, unknown>): Finding {
  const route = /^resources\/(.*)\.json$/.exec(finding.file)?.[1];
  const at = /^.*?\/(?:actions|rowActions)\/\d+/.exec(finding.pointer)?.[0];
  if (route === undefined || at === undefined) return finding;
  const { from } = (atPointer(resources[route], at) ?? {}) as { from?: string };
  if (from === undefined) return finding;
  const [file = '', button = ''] = from.split('#');
  const below = finding.pointer.slice(at.length);
  const isOwn = atPointer(documents[file], `${button}/${below.split('/')[1] ?? ''}`) !== undefined;
  return { ...finding, file, pointer: (isOwn ? button : '/in/record') + below };
}
