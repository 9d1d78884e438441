// Parts of catalogues that several features answer with: conditions, options of fields, words that customers read.
import { conditionsFor } from '../../../contract/conditions.ts';
import { optionsOf } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import type { CatalogueContext } from './registry.ts';

type Defined = Pick<CatalogueContext, 'definitions'>;

/** The conditions that a feature may use: key, title, group, operators and the schema of a value. */
export const conditionParts = ({ definitions }: Defined, feature: string): JsonObject[] =>
  Object.values(conditionsFor(definitions.conditions, feature)).map(({ key, title, group, operators, value }) => ({
    key,
    title,
    group,
    operators: operators.map(({ name, title: reads, takes }) => ({ name, title: reads, takes })),
    value: value as JsonValue,
  }));

/** What can be chosen in a field, with titles. */
export const optionParts = (field: Schema | undefined): JsonObject[] =>
  optionsOf(field).map(({ value, title }) => ({ value: value as JsonValue, title }));

/** The variables of a category of words (schemas/texts). */
export const variableParts = ({ definitions }: Defined, category: string): JsonObject[] =>
  Object.entries(definitions.texts[category]?.variables ?? {}).map(([name, { title, sample }]) => ({ name, title, sample }));

/** A category of words as calls name it, with how many it has. */
export const textCategoryParts = ({ definitions }: Defined, category: string): JsonObject[] =>
  Object.values(definitions.texts)
    .filter(({ key }) => key === category)
    .map(({ key, title, description, texts }) => ({ id: key, title, description, count: Object.keys(texts).length }));
