// The definitions as the browser has them: at once what the frame and a first list need; the rest in one file that comes after the first
// page, or is waited for
// by whatever needs it; screens, schemas and the forms of calls when they are asked for (and then kept).
import { core } from 'virtual:perennial/core';
import type { Core, Loads, TableForms } from '../../browser-definitions/core.ts';
import { translated } from '../../domain/text/t.ts';
import { withPart, type ScreenStart, unpackPart } from '../../browser-definitions/core-parts.ts';
import { resourceFor, type RouteMatch } from '../../contract/find.ts';
import type { Resource, Schema } from '../../contract/types.ts';
import { type Chunk, chunk, useChunk } from './chunk.ts';

/**
 * Hosts, calls, navigation, facts, and the heads of screens, settings pages and entities: all of them once the catalogue is there, before
 * it what is needed.
 */
export const definitions: Core = spokenCore(core);

/** A definition with its texts in the language of the person; of an answer those of the members that are named. */
export function spoken<T>(definition: T, names?: readonly string[]): T {
  return globalThis.perennialLanguage?.withTexts(definition, translated, names) ?? definition;
}
function spokenCore<T extends object>(whole: T): T {
  // Calls are many, and none of their texts is here.
  const { calls, ...rest } = whole as T & { calls: unknown };
  return { ...spoken(rest), calls } as T;
}
const spokenModule = <T>(module: { default: T } | undefined): { default: T } | undefined => module && { default: spoken(module.default) };

type Catalogue = typeof import('virtual:perennial/catalogue');
/** All the definitions. */
export const catalogue: Chunk<Catalogue> = chunk(async () => {
  const module = await import('virtual:perennial/catalogue');
  Object.assign(definitions, spokenCore(module.core));
  return module;
});
/** Code that looks for calls or screens beyond those of the open page: it comes with the catalogue. */
export const withCatalogue = <T>(fetchIt: () => Promise<T>): Promise<T> =>
  Promise.all([fetchIt(), catalogue.load()]).then(([module]) => module);

type Loaded<T> = Record<string, Chunk<{ default: T } | undefined>>;
const resourceChunks: Loaded<Resource> = {};
const schemaChunks: Loaded<Schema> = {};
const formChunks: Loaded<TableForms> = {};
/** The route whose list came with its own part of the core. */
let first: string | undefined;

/** Takes in a list's own file, which the page named; the list can then be drawn before the catalogue is there. */
export async function loadFirstScreen(route: string, file: string): Promise<void> {
  const { default: start } = (await import(/* @vite-ignore */ file)) as { default: ScreenStart };
  if (catalogue.get() === undefined)
    Object.assign(definitions, withPart(definitions, spokenCore(unpackPart(start.part, definitions.hosts))));
  const { resource, schema } = spoken({ resource: start.resource, schema: start.schema });
  const own = [(resourceChunks[route] ??= chunk(async () => ({ default: resource })))] as Chunk<unknown>[];
  if (schema) own.push((schemaChunks[start.schemaName] ??= chunk(async () => ({ default: schema }))));
  await Promise.all(own.map(one => one.load()));
  first = route;
}
/** Whether all that the screen of a path is drawn with can be found; while it can't, the catalogue is loaded. */
export function useIsKnown(path: string): boolean {
  const isFirst = first !== undefined && path.replace(/^\/|\/$/g, '') === first;
  return useChunk(isFirst ? undefined : catalogue) !== undefined || isFirst;
}

/**
 * Where the forms of a table's calls are found ("subscription-contract", or one of its calls by name),
 * to be loaded before one of them is opened.
 */
export const formsChunk = (table: string | undefined): Chunk<unknown> | undefined =>
  table === undefined ? undefined : formsOf(table.replace(/\..*/, ''));
const formsOf = (table: string): (typeof formChunks)[string] =>
  (formChunks[table] ??= chunk(async () => (await catalogue.load()).forms[table]?.()));
/**
 * What a call's form is made of, by its name ("calls/subscription-contract.pause"), found by way of its table; nothing where the call asks
 * for nothing.
 */
export async function loadOfForm<T>(name: string, which: (forms: TableForms) => Loads<T>): Promise<{ default: T } | undefined> {
  const table = /^calls\/([^.]+)\./.exec(name)?.[1];
  const found = table === undefined ? undefined : await formsOf(table).load();
  return found && which(found.default)[name]?.();
}

/** A screen by its route ("subscriptions/[id]"); undefined while it loads. */
export const useResource = (route: string): Resource | undefined => useChunk(resourceOf(route))?.default;
/** A schema by kind and name ("entities/subscription"); undefined while it loads or where there is none. */
export const useSchema = (name: string | undefined): Schema | undefined => useChunk(name ? schemaOf(name) : undefined)?.default;
/** Whether there is a schema of an entity, a settings page or a common part. */
export const hasSchema = (name: string): boolean => catalogue.get()?.schemas[name] !== undefined;
/** Without a component: the schema, loaded. */
export const loadSchema = async (name: string): Promise<Schema | undefined> => (await schemaOf(name).load())?.default;
/** Without a component: the screen, loaded. */
export const loadResource = async (route: string): Promise<Resource | undefined> => (await resourceOf(route).load())?.default;
export const resourceChunk = (route: string): Chunk<unknown> => resourceOf(route);
export const schemaChunk = (name: string): Chunk<unknown> => schemaOf(name);

const resourceOf = (route: string): (typeof resourceChunks)[string] =>
  (resourceChunks[route] ??= chunk(async () => spokenModule(await (await catalogue.load()).resources[route]?.())));
const schemaOf = (name: string): (typeof schemaChunks)[string] =>
  (schemaChunks[name] ??= chunk(async () =>
    spokenModule((await (await catalogue.load()).schemas[name]?.()) ?? (await loadOfForm(name, table => table.schemas))),
  ));

/** The screen of a path ("/subscriptions/12") with what its brackets hold. */
export const screenOf = (path: string): RouteMatch<Core['resources'][string]> | undefined => resourceFor(definitions, path);
