// The navigation: every entry leads to a screen, or says in a sentence what is planned there.
import type { JsonObject, NavEntry, SearchSource } from '../contract/types.ts';
import { hasScreen, placeholders, resourceFor } from '../contract/find.ts';
import { checkWhen } from './conditions.ts';
import { isObject, known, schemaOf, type CheckContext } from './context.ts';

const FILE = 'resources/navigation.json';

export function checkNavigation(context: CheckContext): void {
  if (!isObject(context.documents[FILE]) || !context.sound(FILE)) return;
  const ids = new Map<string, string>();
  const { navigation } = context.definitions;
  const planned = new Set(
    [...navigation.main, ...navigation.lower]
      .flatMap(entry => [entry, ...(entry.items ?? [])])
      .filter(entry => entry.planned)
      .map(entry => entry.to),
  );
  for (const list of ['main', 'lower'] as const) navigation[list].forEach((entry, i) => one(context, `/${list}/${i}`, entry, ids, planned));
  navigation.search?.forEach((source, i) => searched(context, `/search/${i}`, source));
}

/** A source of records: a list that is searched by text, and templates that name fields of its records. */
function searched(context: CheckContext, at: string, source: SearchSource): void {
  const { definitions, options } = context;
  const call = definitions.calls[source.call];
  known(context, FILE, `${at}/call`, source.call, Object.keys(definitions.calls), name => `There is no call "${name}".`);
  if (options.icons) known(context, FILE, `${at}/icon`, source.icon, options.icons, name => `There is no icon "${name}".`);
  if (!call) return;
  if (call.does !== 'list' || !call.in.some(param => param.name === 'q'))
    context.report({ file: FILE, pointer: `${at}/call`, message: `"${source.call}" is no list that can be searched by text (q).` });
  const fields = Object.keys(schemaOf(definitions, call.of)?.properties ?? {});
  for (const member of ['label', 'detail', 'to'] as const) {
    for (const name of placeholders(source[member] ?? ''))
      known(context, FILE, `${at}/${member}`, name, fields, field => `A ${call.of} has no field "${field}".`);
  }
  if (!hasScreen(context.definitions, source.to.replace(/\{[^{}]*\}/g, '1')))
    context.report({ file: FILE, pointer: `${at}/to`, message: `No screen answers to ${source.to}.` });
}

function one(context: CheckContext, at: string, entry: NavEntry, ids: Map<string, string>, planned: Set<string>): void {
  const report = (below: string, message: string, more: object = {}): void =>
    context.report({ file: FILE, pointer: at + below, message, ...more });
  const before = ids.get(entry.id);
  if (before) report('/id', `The id "${entry.id}" stands here twice.`);
  else ids.set(entry.id, at);
  if (!entry.external && !entry.to.startsWith('https://')) {
    const there = hasScreen(context.definitions, entry.to);
    const routes = [
      ...Object.keys(context.definitions.resources).filter(route => !route.includes('[')),
      ...Object.keys(context.definitions.settings).map(name => `settings/${name}`),
    ];
    if (entry.redirectTo !== undefined) {
      if (entry.planned) report('/planned', `${entry.to} redirects to ${entry.redirectTo}; say there what is planned.`, { on: 'key' });
      if (!hasScreen(context.definitions, entry.redirectTo) && !planned.has(entry.redirectTo))
        report('/redirectTo', `No screen answers to ${entry.redirectTo}, and no entry says what is planned there.`, {
          wanted: entry.redirectTo,
          among: [...routes.map(route => `/${route}`), ...planned],
        });
    } else if (there && entry.planned) report('/planned', `${entry.to} has a screen now; take "planned" out.`, { on: 'key' });
    else if (!there && !entry.planned && !planned.has(entry.to))
      report(
        '/to',
        `No screen answers to ${entry.to}: there is no resources${entry.to}.json. Until there is, say in "planned" what it will hold.`,
        { wanted: entry.to, among: routes.map(route => `/${route}`) },
      );
  }
  if (!entry.title) report('/title', `${entry.to} has no page whose title the entry could have; give it one of its own.`);
  if (entry.today && !hasScreen(context.definitions, entry.today.to)) report('/today/to', `No screen answers to ${entry.today.to}.`);
  if (entry.today && ![entry, ...(entry.items ?? [])].some(one => one.planned))
    report('/today', 'Nothing here is planned; take "today" out.', { on: 'key' });
  const { definitions, options } = context;
  known(
    context,
    FILE,
    `${at}/module`,
    entry.module,
    context.modules,
    name => `There is no module "${name}" in schemas/common/permissions.json.`,
  );
  known(
    context,
    FILE,
    `${at}/feature`,
    entry.feature,
    context.features,
    name => `No permission area belongs to a feature "${name}" (loopFeatureKey in schemas/common/permissions.json).`,
  );
  known(
    context,
    FILE,
    `${at}/permission`,
    entry.permission,
    Object.keys(definitions.permissions),
    name => `There is no permission area "${name}" in schemas/common/permissions.json.`,
  );
  known(context, FILE, `${at}/track`, entry.track, Object.keys(definitions.calls), name => `There is no call "${name}".`);
  known(
    context,
    FILE,
    `${at}/plan`,
    entry.plan,
    context.planFeatures,
    name => `There is no plan feature "${name}" in schemas/common/plans.json.`,
  );
  if (options.icons) known(context, FILE, `${at}/icon`, entry.icon, options.icons, name => `There is no icon "${name}".`);
  known(
    context,
    FILE,
    `${at}/badge`,
    entry.badge,
    Object.keys(definitions.facts),
    name => `There is no fact "${name}" in schemas/common/session.json.`,
  );
  if (entry.when) checkWhen(context, FILE, `${at}/when`, entry.when, undefined);
  if (entry.openWhen) checkWhen(context, FILE, `${at}/openWhen`, entry.openWhen, undefined);
  entry.items?.forEach((item, i) => one(context, `${at}/items/${i}`, item, ids, planned));
}

/** Common files whose names must agree with code or with each other: facts, permission areas, plans, ambient parameters. */
export function checkCatalogues(context: CheckContext, facts: readonly string[]): void {
  const session = 'schemas/common/session.json';
  if (context.sound(session) && isObject(context.documents[session])) {
    const described = Object.keys(context.definitions.facts);
    for (const name of described)
      known(context, session, `/facts/${name}`, name, facts, one => `src/navigation/facts.ts doesn't compute "${one}".`);
    for (const name of facts)
      if (!described.includes(name))
        context.report({
          file: session,
          pointer: '/facts',
          on: 'key',
          message: `src/navigation/facts.ts computes "${name}", which is not described here.`,
          wanted: name,
          among: described,
        });
  }
  const areas = 'schemas/common/permissions.json';
  if (context.sound(areas)) {
    for (const [name, area] of Object.entries(context.definitions.permissions)) {
      known(
        context,
        areas,
        `/areas/${name}/loopModuleKey`,
        area.loopModuleKey,
        context.modules,
        one => `There is no module "${one}" above.`,
      );
      area.dependsOn?.forEach((other, i) =>
        known(
          context,
          areas,
          `/areas/${name}/dependsOn/${i}`,
          other,
          Object.keys(context.definitions.permissions),
          one => `There is no permission area "${one}".`,
        ),
      );
    }
  }
  const plans = 'schemas/common/plans.json';
  if (context.sound(plans)) {
    context.definitions.plans.forEach((plan, i) => {
      if (context.definitions.plans.findIndex(other => other.id === plan.id) !== i)
        context.report({ file: plans, pointer: `/plans/${i}/id`, message: `The plan ${plan.id} stands here twice.` });
      plan.features.forEach((feature, j) => {
        if (context.definitions.plans.some((other, k) => k < i && other.features.includes(feature)))
          context.report({
            file: plans,
            pointer: `/plans/${i}/features/${j}`,
            message: `"${feature}" belongs to a plan above already; higher plans have it by their rank.`,
          });
      });
    });
  }
  // Where a button leads: a screen, or an entry of the navigation whose screen comes later.
  const entries = [...context.definitions.navigation.main, ...context.definitions.navigation.lower]
    .flatMap(entry => [entry, ...(entry.items ?? [])])
    .map(entry => entry.to);
  const leads = (file: string, pointer: string, to: string): void => {
    if (!to.startsWith('/') || entries.includes(to) || resourceFor(context.definitions, to.replace(/\{\{\w+\}\}/g, '1'))) return;
    context.report({ file, pointer, message: `There is no screen at "${to}".`, wanted: to, among: entries });
  };
  for (const { file, pages = [], route } of Object.values(context.definitions.resources).map(one => ({
    ...one,
    file: `resources/${one.route}.json`,
  }))) {
    pages.forEach(({ to }, i) => leads(file, `/pages/${i}/to`, to));
    if (pages.length && !pages.some(({ to }) => to === `/${route}`))
      context.report({ file, pointer: '/pages', message: `This page itself, /${route}, is none of its tabs.` });
  }
  const popups = 'schemas/common/popups.json';
  if (context.sound(popups)) {
    context.definitions.popups.forEach((popup, i) => {
      if (context.definitions.popups.findIndex(other => other.id === popup.id) !== i)
        context.report({ file: popups, pointer: `/popups/${i}/id`, message: `The popup ${popup.id} stands here twice.` });
    });
    context.definitions.popups.forEach((popup, i) => leads(popups, `/popups/${i}/primary_cta_link`, popup.primary_cta_link));
  }
  const news = 'schemas/common/whats-new.json';
  if (context.sound(news)) {
    context.definitions.news.forEach((one, i, all) => {
      if (all.findIndex(other => other.id === one.id) !== i)
        context.report({ file: news, pointer: `/news/${i}/id`, message: `"${one.id}" stands here twice.` });
      if (i > 0 && one.date > (all[i - 1] as typeof one).date)
        context.report({ file: news, pointer: `/news/${i}/date`, message: 'The newest piece of news stands first.' });
      if (one.to) leads(news, `/news/${i}/to`, one.to);
    });
  }
  const hosts = 'schemas/calls/_hosts.json';
  if (context.sound(hosts) && isObject(context.documents[hosts])) {
    const params = Object.keys(context.definitions.params);
    context.definitions.ambient.forEach((name, i) =>
      known(context, hosts, `/ambient/${i}`, name, params, one => `There is no parameter "${one}" in common/params.json.`),
    );
    const pagers = (at: string, list: unknown): void => {
      for (const [pager, roles] of Object.entries(isObject(list) ? list : {})) {
        for (const [role, name] of Object.entries(isObject(roles) ? roles : {}))
          if (['size', 'page', 'offset', 'after', 'before'].includes(role))
            known(context, hosts, `${at}/${pager}/${role}`, name, params, one => `There is no parameter "${one}" in common/params.json.`);
      }
    };
    const document = context.documents[hosts] as JsonObject;
    pagers('/pagers', document.pagers);
    for (const [name, host] of Object.entries(isObject(document.hosts) ? document.hosts : {}))
      if (isObject(host)) pagers(`/hosts/${name}/pagers`, host.pagers);
  }
}
