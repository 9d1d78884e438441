// The definitions as the browser has them: the core at once, screens and schemas when they are asked for (and then kept).
import { core } from 'virtual:perennial/core';
import { resources, schemas } from 'virtual:perennial/loaders';
import { resourceFor, type RouteMatch } from '../contract/find.ts';
import type { Resource, Schema } from '../contract/types.ts';
import { type Chunk, chunk, useChunk } from './chunk.ts';

/** Hosts, calls, navigation, facts, and the heads of screens, settings pages and entities. */
export const definitions = core;

type Loaded<T> = Record<string, Chunk<{ default: T }>>;
const chunksOf = <T>(loaders: Record<string, () => Promise<{ default: T }>>): Loaded<T> => Object.fromEntries(Object.entries(loaders).map(([name, load]) => [name, chunk(load)]));
const resourceChunks: Loaded<Resource> = chunksOf(resources);
const schemaChunks: Loaded<Schema> = chunksOf(schemas);

/** A screen by its route ("subscriptions/[id]"); undefined while it loads. */
export const useResource = (route: string): Resource | undefined => useChunk(resourceChunks[route])?.default;
/** A schema by kind and name ("entities/subscription"); undefined while it loads or where there is none. */
export const useSchema = (name: string | undefined): Schema | undefined => useChunk(name ? schemaChunks[name] : undefined)?.default;
export const hasSchema = (name: string): boolean => schemaChunks[name] !== undefined;
/** Without a component: the schema, loaded. */
export const loadSchema = async (name: string): Promise<Schema | undefined> => (await schemaChunks[name]?.load())?.default;
/** Without a component: the screen, loaded. */
export const loadResource = async (route: string): Promise<Resource | undefined> => (await resourceChunks[route]?.load())?.default;
export const resourceChunk = (route: string): Chunk<unknown> | undefined => resourceChunks[route];
export const schemaChunk = (name: string): Chunk<unknown> | undefined => schemaChunks[name];

/** The screen of a path ("/subscriptions/12") with what its brackets hold. */
export const screenOf = (path: string): RouteMatch<(typeof core.resources)[string]> | undefined => resourceFor(core, path);
