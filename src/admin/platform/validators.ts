// Validators and schemas of the definitions, loaded when a form needs them and kept.
import type { Schema } from '../../contract/types.ts';
import { withStandards } from '../../domain/text/standard-texts.ts';
import type { Validator } from '../../contract/validation/validate.ts';
import { type Chunk, chunk, useChunk } from './chunk.ts';
import { catalogue, loadOfForm, useSchema } from './definitions.ts';
import { useSessionIfAny } from './session/session.tsx';

type Module = { default: Validator } | undefined;
const chunks: Record<string, Chunk<Module>> = {};
const chunkOf = (name: string): Chunk<Module> =>
  (chunks[name] ??= chunk(
    async () => (await catalogue.load()).validators[name]?.() ?? (await loadOfForm(name, table => table.validators)),
  ));

/** Code that a form of this schema will need ("settings/general"), to be loaded early. */
export const validatorChunk = (name: string): Chunk<unknown> => chunkOf(name);

/**
 * Schema and validator by kind and name ("settings/general", "entities/customer",
 * "calls/subscription-contract.pause"); undefined while they load. What customers read begins in the primary language of the store.
 */
export function useValidation(name: string | undefined): { schema: Schema; validator: Validator } | undefined {
  const schema = useSchema(name);
  const module = useChunk<Module>(name ? chunkOf(name) : undefined);
  const standards = useSessionIfAny()?.standardTexts;
  return schema && module ? { schema: standards ? withStandards(schema, standards) : schema, validator: module.default } : undefined;
}
