// Which entries of resources/navigation.json a session sees, and which of them it can use.
import type { AccessOf } from '../../contract/access.ts';
import { holds } from '../../contract/condition.ts';
import type { JsonValue, NavEntry } from '../../contract/types.ts';
import { definitions } from '../definitions.ts';

/** Entries shown before the rest is folded away (S063). */
export const FIRST_ENTRIES = 12;

/** Hidden entries and those whose condition fails are left out; `showHidden` (S169) brings the first kind back. */
export const visible = (entries: readonly NavEntry[], facts: Record<string, JsonValue>, showHidden: boolean): NavEntry[] =>
  entries.filter(entry => (showHidden || !entry.hidden) && holds(entry.when, { facts }));

/** Why an entry can't be used, as a sentence; undefined when it can (S031, S233 to S243). */
export function refusal(entry: NavEntry, access: AccessOf, parent?: NavEntry): string | undefined {
  const allowed = (!parent?.module || access.module(parent.module)) && (!entry.module || access.module(entry.module))
    && (!entry.feature || access.feature(entry.feature)) && (!entry.permission || access.can(entry.permission, 'READ'));
  return allowed ? undefined : `You don't have permission to see ${entry.title.toLowerCase()}. Ask an admin of your store for it.`;
}

/** Where signing in leads: the first entry with a screen that the session can use. */
export function landingPath(access: AccessOf, facts: Record<string, JsonValue>): string {
  const all = [...definitions.navigation.main, ...definitions.navigation.lower];
  return visible(all, facts, false).find(entry => !entry.planned && !refusal(entry, access))?.to ?? all[0]?.to ?? '/dashboard';
}

/** The entry whose screen comes later, for a path that has none yet. */
export function plannedEntry(path: string): { entry: NavEntry; parent?: NavEntry } | undefined {
  for (const parent of [...definitions.navigation.main, ...definitions.navigation.lower]) {
    if (parent.to === path && parent.planned) return { entry: parent };
    for (const entry of parent.items ?? []) if (entry.to === path && entry.planned) return { entry, parent };
  }
  return undefined;
}
