// Validators and schemas of the definitions, loaded when a form needs them and kept.
import { validators } from 'virtual:perennial/loaders';
import type { Schema } from '../../contract/types.ts';
import type { Validator } from '../../contract/validate.ts';
import { type Chunk, chunk, useChunk } from '../chunk.ts';
import { useSchema } from '../definitions.ts';

type Module = { default: Validator };
const chunks: Record<string, Chunk<Module>> = Object.fromEntries(Object.entries(validators).map(([name, load]) => [name, chunk(load as () => Promise<Module>)]));
const none: Chunk<undefined> = chunk(() => Promise.resolve(undefined));

/** Code that a form of this schema will need ("settings/general"), to be loaded early. */
export const validatorChunk = (name: string): Chunk<unknown> | undefined => chunks[name];

/** Schema and validator by kind and name ("settings/general", "entities/customer", "calls/subscription-contract.pause"); undefined while they load. */
export function useJudged(name: string | undefined): { schema: Schema; validator: Validator } | undefined {
  const schema = useSchema(name);
  const module = useChunk<Module | undefined>((name ? chunks[name] : undefined) ?? (none as Chunk<Module | undefined>));
  return schema && module ? { schema, validator: module.default } : undefined;
}
