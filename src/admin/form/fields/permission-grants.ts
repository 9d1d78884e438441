// The arithmetic of the permission matrix: what is given, by area, and what follows when one line changes.
import type { Access, Permission } from '../../../contract/types.ts';
import { holdsWords } from '../../../domain/text/fold.ts';

export type Grant = {
  permissionKey: string;
  access: Access;
};
export type Grants = ReadonlyMap<string, Access>;
/** Areas of one module, in the catalogue's order. */
export interface Module {
  key: string;
  title: string;
  areas: Permission[];
}

export const grantsOf = (value: unknown): Grants =>
  new Map((Array.isArray(value) ? (value as Grant[]) : []).map(one => [one.permissionKey, one.access]));
export const accessIn = (grants: Grants, area: string): Access => grants.get(area) ?? 'NO_ACCESS';

/** The areas that can be given, by module; `words` narrows them by their labels and modules. */
export function modulesOf(areas: readonly Permission[], words: string): Module[] {
  const modules = new Map<string, Module>();
  for (const area of areas) {
    if (area.isHidden) continue;
    const title = area.moduleTitle ?? area.loopModuleKey;
    if (!holdsWords(words, area.label ?? area.permissionKey, title)) continue;
    const module = modules.get(area.loopModuleKey) ?? { key: area.loopModuleKey, title, areas: [] };
    module.areas.push(area);
    modules.set(area.loopModuleKey, module);
  }
  return [...modules.values()];
}

/** The most of an access that an area has: one that can only be viewed gets READ where WRITE is wanted. */
export const most = (area: Permission, wanted: Access): Access =>
  wanted === 'NO_ACCESS' || area.availableAccessMode.includes(wanted)
    ? wanted
    : wanted === 'WRITE' && area.availableAccessMode.includes('READ')
      ? 'READ'
      : 'NO_ACCESS';

export interface Changed {
  grants: Map<string, Access>;
  /** Other areas that changed with it. */
  also: Permission[];
}

/**
 * Gives areas an access, with what follows: what an area depends on can be viewed with it, and what depends on an area ends with it.
 */
export function give(all: readonly Permission[], before: Grants, areas: readonly Permission[], wanted: Access): Changed {
  const grants = new Map(before);
  const chosen = new Set(areas.map(area => area.permissionKey));
  for (const area of areas) grants.set(area.permissionKey, most(area, wanted));
  for (const area of all) {
    const needs = area.dependsOn ?? [];
    if (chosen.has(area.permissionKey)) {
      if (accessIn(grants, area.permissionKey) !== 'NO_ACCESS')
        for (const needed of needs) if (accessIn(grants, needed) === 'NO_ACCESS') grants.set(needed, 'READ');
    } else if (needs.some(needed => chosen.has(needed) && accessIn(grants, needed) === 'NO_ACCESS'))
      grants.set(area.permissionKey, 'NO_ACCESS');
  }
  const also = all.filter(
    area => !chosen.has(area.permissionKey) && accessIn(grants, area.permissionKey) !== accessIn(before, area.permissionKey),
  );
  return { grants, also };
}

/** The list as it is sent: one line for each area that can be given. */
export const listOf = (all: readonly Permission[], grants: Grants): Grant[] =>
  all.map(area => ({ permissionKey: area.permissionKey, access: accessIn(grants, area.permissionKey) }));
