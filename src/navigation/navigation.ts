// What a session sees in the navigation and which places it may open: one answer for the entry, for the address and for the palette.
import type { Core } from '../browser-definitions/core.ts';
import type { JsonValue, NavEntry, Session } from '../contract/types.ts';
import { accessOf, type AccessOf, type Allowed, allowsCall, mayNotSee, notInPlan } from '../contract/access.ts';
import { holds } from '../contract/validation/condition.ts';
import { listed } from '../contract/validation/sentences.ts';
import { callFor, placeOf, resourceFor } from '../contract/find.ts';
import { humanise } from '../contract/paths.ts';
import { t, translated } from '../domain/text/t.ts';

/** What of the definitions decides about places. */
export type Places = Pick<Core, 'navigation' | 'resources' | 'settings' | 'calls' | 'plans'>;
export type Facts = Record<string, JsonValue>;

/** Entries shown before the rest is folded away (S063, S312). */
export const FIRST_ENTRIES = 12;

/**
 * A refusal in the words that calls use (access.ts), with what would be needed: the permission by
 * its label, or the lowest plan by its name.
 */
export type Verdict =
  | { ok: true }
  | { ok: false; code: 'FORBIDDEN' | 'FEATURE_NOT_IN_PLAN'; message: string; right?: string; plan?: string };
const YES: Verdict = { ok: true };

interface Gate {
  module?: string;
  feature?: string;
  permission?: string;
  plan?: string;
  title: string;
}

const lacksRight = (right: string): Verdict => ({
  ok: false,
  code: 'FORBIDDEN',
  message: mayNotSee(right),
  right,
});
function lacksPlan(places: Places, session: Session, feature: string): Verdict {
  const rank = session.plan.minimumPlans[feature];
  const lowest = [...places.plans].sort((a, b) => a.rank - b.rank).find(plan => rank !== undefined && plan.rank >= rank)?.name;
  return {
    ok: false,
    code: 'FEATURE_NOT_IN_PLAN',
    message: notInPlan(session, feature),
    ...(lowest ? { plan: lowest } : {}),
  };
}

/** The labels of the areas by which a session could get what it lacks: "Upsells, Customer portal upsells or Storefront upsells". */
function labels(session: Session, belongs: (one: Session['user']['permissions'][number]) => boolean): string {
  const names = [...new Set(session.user.permissions.filter(belongs).map(one => translated(one.label ?? humanise(one.permissionKey))))];
  return listed(names);
}

/** One gate: module and feature by the access map, the permission by READ, the plan by its features (S226 to S230, S233 to S243). */
function through(gate: Gate, places: Places, session: Session, access: AccessOf): Verdict {
  if (gate.plan && !access.planHas(gate.plan)) return lacksPlan(places, session, gate.plan);
  if (gate.module && !access.module(gate.module)) return lacksRight(translated(gate.title));
  if (gate.feature && !access.feature(gate.feature))
    return lacksRight(labels(session, one => one.loopFeatureKey === gate.feature) || translated(gate.title));
  if (gate.permission && !access.can(gate.permission, 'READ'))
    return lacksRight(labels(session, one => one.permissionKey === gate.permission) || translated(humanise(gate.permission)));
  return YES;
}
const first = (...verdicts: (() => Verdict)[]): Verdict => {
  for (const verdict of verdicts) {
    const found = verdict();
    if (!found.ok) return found;
  }
  return YES;
};
const both = (call: Allowed, places: Places, session: Session, feature: string | undefined, permission: string | undefined): Verdict => {
  if (call.ok) return YES;
  if (call.code === 'FEATURE_NOT_IN_PLAN' && feature) return lacksPlan(places, session, feature);
  return {
    ...call,
    ...(permission ? { right: labels(session, one => one.permissionKey === permission) || translated(humanise(permission)) } : {}),
  };
};

/** Whether something is there at all for a session: what is not, is neither shown nor opened (S075, S077). `hidden` is only not shown. */
export function isThere(places: Places, path: string, facts: Facts): boolean {
  const { section, item } = placeOf(places.navigation, path);
  const head = resourceFor(places, path)?.resource;
  const entries = item?.openWhen ? [item.openWhen] : [section?.when, item?.when];
  return [...entries, head?.when].every(when => holds(when, { facts }));
}

/**
 * Whether a session may open an address (a path, with or without its query), and if not, why: the entry of the navigation that it belongs
 * to, the screen, the settings page and the call that fills it. The same refusal disables the entry, stands in place of the screen, and is
 * the server's answer to the call.
 */
export function mayOpen(places: Places, address: string, session: Session): Verdict {
  const access = accessOf(session);
  const path = address.replace(/[?#].*/, '');
  const { section, item } = placeOf(places.navigation, path);
  const found = resourceFor(places, path);
  const head = found?.resource;
  const setting = found?.params.setting === undefined ? undefined : places.settings[found.params.setting];
  const call = head && callFor(places, head, head.has[0] === 'list' ? 'list' : 'read');
  return first(
    () => (section ? through(section, places, session, access) : YES),
    () => (item ? through(item, places, session, access) : YES),
    () =>
      head
        ? through(
            {
              title: head.title,
              ...(head.module ? { module: head.module } : {}),
              ...(head.feature ? { feature: head.feature } : {}),
              ...(head.permission ? { permission: head.permission } : {}),
            },
            places,
            session,
            access,
          )
        : YES,
    () =>
      setting
        ? through(
            { title: setting.title, permission: setting.permission, ...(setting.feature ? { plan: setting.feature } : {}) },
            places,
            session,
            access,
          )
        : YES,
    () => (call ? both(allowsCall(call, session), places, session, call.feature, call.permission) : YES),
  );
}

/** An entry as it is drawn. */
export interface NavItem {
  id: string;
  title: string;
  to: string;
  icon?: string;
  external: boolean;
  isNew: boolean;
  /** Nothing of it works yet: it is drawn muted, after what does. */
  isSoon: boolean;
  badge: number;
  /** Why it can't be used, as a sentence: it is shown, disabled, with this as its tooltip (S031). */
  refusal?: string;
  /** The path is in it (S067, S068); `isPage`: it is the innermost entry that the path is in. */
  isCurrent: boolean;
  isPage: boolean;
  /** A call that notes that it was chosen. */
  track?: string;
  items: NavItem[];
}
export interface View {
  path: string;
  session: Session;
  facts: Facts;
  showHidden?: boolean;
}

/** Entries that are there: a failed condition leaves out, `hidden` too unless hidden items are shown (S169). */
const shown = (entries: readonly NavEntry[] | undefined, { facts, showHidden }: View): NavEntry[] =>
  (entries ?? []).filter(entry => (showHidden || !entry.hidden) && holds(entry.when, { facts }));
/** Whether there is no screen yet at the address that an entry leads to. */
const isPlanned = ({ navigation }: Pick<Places, 'navigation'>, { to, redirectTo }: NavEntry): boolean =>
  [...navigation.main, ...navigation.lower]
    .flatMap(entry => [entry, ...(entry.items ?? [])])
    .some(entry => entry.to === (redirectTo ?? to) && entry.planned !== undefined);
/** Whether an entry itself may be used, whatever its own page says. */
const usable = (places: Places, entry: NavEntry, session: Session): Verdict => mayOpen(places, entry.redirectTo ?? entry.to, session);

/** An address outside of the admin may name facts: "/shop/{store.id}". */
const filledIn = (to: string, facts: Facts): string =>
  to.replaceAll(/\{([\w.]+)\}/g, (_, name: string) => encodeURIComponent(String(facts[name] ?? '')));

function itemOf(places: Places, entry: NavEntry, parent: NavEntry | undefined, view: View, place: ReturnType<typeof placeOf>): NavItem {
  const { session, facts } = view;
  const access = accessOf(session);
  const items = parent ? [] : itemsOf(places, entry, view, place, false);
  const own = first(
    () => (parent ? through(parent, places, session, access) : YES),
    () => (entry.external ? through(entry, places, session, access) : usable(places, entry, session)),
  );
  // A section whose first page is closed or comes later leads to the first of its pages that is open; it is closed where all of them are.
  const isLater = isPlanned(places, entry);
  const open = items.filter(one => one.refusal === undefined);
  const instead = own.ok && !isLater ? undefined : (open.find(one => !one.isSoon) ?? (own.ok ? undefined : open[0]));
  const isSoon = isLater && items.every(one => one.isSoon);
  // Pages below an address that leads on belong to the entry that it leads to: a widget to the list of widgets.
  const isCurrent = parent ? place.item?.id === entry.id || place.item?.redirectTo === entry.to : place.section?.id === entry.id;
  return {
    id: entry.id,
    title: entry.title,
    to: instead?.to ?? (entry.external ? filledIn(entry.to, facts) : entry.to),
    ...(entry.icon ? { icon: entry.icon } : {}),
    external: entry.external ?? false,
    isNew: (entry.isNew ?? false) && !isSoon,
    isSoon,
    badge: entry.badge ? Number(facts[entry.badge] ?? 0) : 0,
    ...(own.ok || instead ? {} : { refusal: own.message }),
    ...(entry.track ? { track: entry.track } : {}),
    isCurrent,
    isPage: isCurrent && !items.some(one => one.isCurrent),
    items,
  };
}

/**
 * The sub-entries of an entry: those that the list at the left draws under it, or those that it leaves to its page and the palette. An
 * address that only leads on to another one is none of these.
 */
const itemsOf = (places: Places, entry: NavEntry, view: View, place: ReturnType<typeof placeOf>, unlisted: boolean): NavItem[] =>
  shown(entry.items, view)
    .filter(one => (unlisted ? one.unlisted && !one.redirectTo : !one.unlisted))
    .map(one => itemOf(places, one, entry, view, place));

/** The two lists at the left. */
export function navigationFor(places: Places, view: View): { main: NavItem[]; lower: NavItem[] } {
  const place = placeOf(places.navigation, view.path);
  const list = (entries: readonly NavEntry[]): NavItem[] =>
    shown(entries, view).map(entry => itemOf(places, entry, undefined, view, place));
  return { main: list(places.navigation.main), lower: list(places.navigation.lower) };
}

/** What stands above the toggle, and how many entries it holds back (S063, S064). */
export const fold = (entries: readonly NavItem[], isOpen: boolean): { entries: readonly NavItem[]; rest: number } => ({
  entries: isOpen ? entries : entries.slice(0, FIRST_ENTRIES),
  rest: Math.max(0, entries.length - FIRST_ENTRIES),
});

/** The page that an address leads on to; undefined for an address of its own. */
export function redirectOf(places: Pick<Places, 'navigation'>, path: string): string | undefined {
  const here = path.replace(/(.)\/$/, '$1');
  return [...places.navigation.main, ...places.navigation.lower]
    .flatMap(entry => [entry, ...(entry.items ?? [])])
    .find(entry => entry.to === here)?.redirectTo;
}

/** A page under Settings: for its index and for the palette. */
export interface SettingsPage {
  id: string;
  title: string;
  to: string;
  description: string;
  group?: string;
  icon?: string;
  keywords: string[];
  isPlanned: boolean;
  verdict: Verdict;
}
/**
 * All pages of Settings: those of the navigation's section in its order, then settings files and screens that it
 * does not name, and those with a card there.
 */
export function settingsPages(places: Places, view: Pick<View, 'session' | 'facts'>): SettingsPage[] {
  const section = places.navigation.lower.find(entry => entry.to === '/settings');
  const entries = shown(section?.items, { ...view, path: '' });
  const page = (to: string, title: string, entry?: NavEntry): SettingsPage => {
    const match = resourceFor(places, to);
    const file = places.settings[match?.params.setting ?? ''];
    const card = match?.resource.card;
    const group = file?.group ?? card?.group;
    const icon = file?.icon ?? entry?.icon ?? match?.resource.icon;
    return {
      id: to.slice(1),
      title,
      to,
      description: file?.description ?? card?.description ?? entry?.planned ?? '',
      ...(group ? { group } : {}),
      ...(icon ? { icon } : {}),
      keywords: file?.keywords ?? card?.keywords ?? [],
      isPlanned: entry?.planned !== undefined,
      verdict: mayOpen(places, to, view.session),
    };
  };
  const named = new Set(entries.map(entry => entry.to));
  const ownScreen = new Set(Object.values(places.resources).map(({ of }) => of));
  const files = Object.values(places.settings)
    .filter(head => !named.has(`/settings/${head.name}`) && !ownScreen.has(`settings/${head.name}`))
    .map(head => page(`/settings/${head.name}`, head.title));
  for (const { to } of files) named.add(to);
  const screens = Object.values(places.resources)
    .filter(
      ({ route, of, when, card }) =>
        (card !== undefined || of?.startsWith('settings/')) &&
        !route.includes('[') &&
        !named.has(`/${route}`) &&
        holds(when, { facts: view.facts }),
    )
    .map(head => page(`/${head.route}`, head.title));
  return [...entries.map(entry => page(entry.to, entry.title, entry)), ...files, ...screens];
}

/** A place in the command palette. */
export interface PaletteEntry {
  id: string;
  title: string;
  section?: string;
  to: string;
  icon?: string;
  refusal?: string;
  /** Its screen comes later. */
  isSoon?: true;
}
/**
 * The places of the palette: every main entry that is shown and can be used with its sub-entries that are shown (S073 to S077), those that
 * the list at the left leaves out among them, then Settings with its pages, and the Alert center (S078, S079). A sub-entry or page that
 * can't be used is listed with the reason.
 */
export function paletteFor(
  places: Places,
  view: Omit<View, 'path'>,
): { navigation: PaletteEntry[]; making: PaletteEntry[]; settings: PaletteEntry[] } {
  const { main, lower } = navigationFor(places, { ...view, path: '' });
  const nowhere = placeOf(places.navigation, '');
  const unlisted = new Map(places.navigation.main.map(entry => [entry.id, itemsOf(places, entry, { ...view, path: '' }, nowhere, true)]));
  const iconOf = ({ icon }: { icon?: string }, parent?: { icon?: string }): { icon?: string } => {
    const found = icon ?? parent?.icon;
    return found ? { icon: found } : {};
  };
  const soon = (is: boolean): { isSoon?: true } => (is ? { isSoon: true } : {});
  const navigation = main
    .filter(entry => entry.refusal === undefined)
    .flatMap(entry => [
      { id: entry.id, title: entry.title, to: entry.to, ...iconOf(entry), ...soon(entry.isSoon) },
      // The section's own page may be its first sub-entry too; it stands here once, under both names.
      ...[...entry.items, ...(unlisted.get(entry.id) ?? [])].map(item => ({
        id: item.id,
        title: item.title,
        section: entry.title,
        to: item.to,
        ...iconOf(item, entry),
        ...(item.refusal ? { refusal: item.refusal } : {}),
        ...soon(item.isSoon),
      })),
    ]);
  // Where something new is made lies below the list of what there is ("/selling-plans/create"): it is found by its own title.
  const making = [...new Map(navigation.filter(entry => !('refusal' in entry)).map(entry => [entry.to, entry])).values()].flatMap(
    ({ title, to }) => {
      const screen = places.resources[`${to.slice(1)}/create`];
      return screen && mayOpen(places, `${to}/create`, view.session).ok
        ? [{ id: `${to}/create`, title: screen.title, section: title, to: `${to}/create`, icon: 'plus' }]
        : [];
    },
  );
  const below = lower.filter(entry => entry.refusal === undefined);
  const settings = below.find(entry => entry.to === '/settings');
  const alerts = places.navigation.lower.find(entry => entry.to === '/alerts' && below.some(one => one.id === entry.id));
  const pages = settings
    ? settingsPages(places, view).filter(page => [settings.id, undefined].includes(placeOf(places.navigation, page.to).section?.id))
    : [];
  return {
    navigation,
    making,
    settings: [
      ...(settings ? [{ id: settings.id, title: settings.title, to: settings.to, ...iconOf(settings) }] : []),
      ...pages.map(page => ({
        id: page.id,
        title: page.title,
        section: t`Settings`,
        to: page.to,
        ...iconOf(page, { icon: 'settings' }),
        ...(page.verdict.ok ? {} : { refusal: page.verdict.message }),
        ...soon(page.isPlanned),
      })),
      ...(alerts ? [{ id: alerts.id, title: alerts.title, to: alerts.redirectTo ?? alerts.to, ...iconOf(alerts) }] : []),
    ],
  };
}
