// The definitions as the browser has them: the core at once, screens, schemas and the forms of calls
// when they are asked for (and then kept).
import { core } from 'virtual:perennial/core';
import { forms, resources, schemas } from 'virtual:perennial/loaders';
import type { Loads, TableForms } from '../../contract/core.ts';
import { resourceFor, type RouteMatch } from '../../contract/find.ts';
import type { Resource, Schema } from '../../contract/types.ts';
import { type Chunk, chunk, useChunk } from './chunk.ts';

/** Hosts, calls, navigation, facts, and the heads of screens, settings pages and entities. */
export const definitions = core;

type Loaded<T> = Record<string, Chunk<{ default: T }>>;
const chunksOf = <T>(loaders: Loads<T>): Loaded<T> =>
  Object.fromEntries(Object.entries(loaders).map(([name, load]) => [name, chunk(load)]));
const resourceChunks: Loaded<Resource> = chunksOf(resources);
const schemaChunks: Record<string, Chunk<{ default: Schema } | undefined>> = chunksOf(schemas);
const formChunks: Loaded<TableForms> = chunksOf(forms);

/**
 * Where the forms of a table's calls are found ("subscription-contract", or one of its calls by name),
 * to be loaded before one of them is opened.
 */
export const formsChunk = (table: string | undefined): Chunk<unknown> | undefined =>
  table === undefined ? undefined : formChunks[table.replace(/\..*/, '')];
/**
 * What a call's form is made of, by its name ("calls/subscription-contract.pause"), found by way of its table; it holds
 * nothing where the call asks for nothing.
 */
export function ofForm<T>(name: string, which: (forms: TableForms) => Loads<T>): Chunk<{ default: T } | undefined> | undefined {
  const table = /^calls\/([^.]+)\./.exec(name)?.[1];
  const found = table === undefined ? undefined : formChunks[table];
  return found && chunk(async () => which((await found.load()).default)[name]?.());
}

/** A screen by its route ("subscriptions/[id]"); undefined while it loads. */
export const useResource = (route: string): Resource | undefined => useChunk(resourceChunks[route])?.default;
/** A schema by kind and name ("entities/subscription"); undefined while it loads or where there is none. */
export const useSchema = (name: string | undefined): Schema | undefined => useChunk(name ? schemaOf(name) : undefined)?.default;
/** Whether there is a schema of an entity, a settings page or a common part. */
export const hasSchema = (name: string): boolean => schemaChunks[name] !== undefined;
/** Without a component: the schema, loaded. */
export const loadSchema = async (name: string): Promise<Schema | undefined> => (await schemaOf(name)?.load())?.default;
/** Without a component: the screen, loaded. */
export const loadResource = async (route: string): Promise<Resource | undefined> => (await resourceChunks[route]?.load())?.default;
export const resourceChunk = (route: string): Chunk<unknown> | undefined => resourceChunks[route];
export const schemaChunk = (name: string): Chunk<unknown> | undefined => schemaOf(name);

function schemaOf(name: string): (typeof schemaChunks)[string] | undefined {
  const found = schemaChunks[name] ?? ofForm(name, table => table.schemas);
  return found && (schemaChunks[name] = found);
}

/** The screen of a path ("/subscriptions/12") with what its brackets hold. */
export const screenOf = (path: string): RouteMatch<(typeof core.resources)[string]> | undefined => resourceFor(core, path);
