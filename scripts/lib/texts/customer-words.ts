// The product's own words for customers in a language (languages/<code>/customers): whether there are some for each text and e-mail, and
// whether they hold the same variables as the English ones.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '../../../src/contract/types.ts';
import { placeholdersOf } from '../../../src/domain/text/placeholders.ts';
import { standardTexts } from '../../../src/domain/text/standard-texts.ts';
import { loadDefinitions } from '../../../src/server/platform/definitions.ts';
import { usedNames } from '../../../src/domain/messages/template-problems.ts';
import { textProblems } from '../../../src/domain/text/translation.ts';

interface Text {
  default: string;
  variables?: string[];
  maxLength?: number;
}
interface Email {
  audience?: string;
  subject: string;
  body: string[];
}

/** The documents of a folder by the names of their files. */
const documents = <T>(root: string, folder: string): [name: string, document: T][] =>
  readdirSync(join(root, folder))
    .filter(file => file.endsWith('.json'))
    .map(file => [file.slice(0, -'.json'.length), JSON.parse(readFileSync(join(root, folder, file), 'utf8')) as T]);

/** The fields of records and settings with a standard text for customers, by it. */
function standards(root: string): Map<string, Schema> {
  const { entities, settings } = loadDefinitions(root);
  const fields = (schema: Schema): [string, Schema][] => [
    ...standardTexts({ ...schema, properties: {} }).map((text): [string, Schema] => [text, schema]),
    ...Object.values(schema.properties ?? {}).flatMap(fields),
  ];
  return new Map([...Object.values(entities), ...Object.values(settings)].flatMap(fields));
}

/** What is wrong with them, a sentence each with its place; empty for a language that has none. */
export function customerWordsProblems(root: string, code: string): string[] {
  const folder = `languages/${code}/customers`;
  if (!existsSync(join(root, folder))) return [];
  const read = <T>(name: string) => JSON.parse(readFileSync(join(root, folder, `${name}.json`), 'utf8')) as Record<string, T>;
  const texts = new Map(
    documents<{ texts?: Record<string, Text> }>(root, 'schemas/texts').flatMap(([, one]) => Object.entries(one.texts ?? {})),
  );
  const emails = new Map(documents<Email>(root, 'schemas/messages').filter(([, { audience }]) => audience === 'customer'));
  const problems: string[] = [];
  const compare = <A, B>(file: string, wanted: ReadonlyMap<string, A>, given: Record<string, B>, wrong: (a: A, b: B) => string[]): void => {
    const place = (key: string): string => `${folder}/${file}.json  ${key}:`;
    for (const [key, standard] of wanted) {
      const words = given[key];
      if (words === undefined) problems.push(`${place(key)} there are no words for it. Add them.`);
      else problems.push(...wrong(standard, words).map(problem => `${place(key)} ${problem}`));
    }
    for (const key of Object.keys(given)) if (!wanted.has(key)) problems.push(`${place(key)} is not used any more. Take it out.`);
  };
  compare('texts', texts, read<string>('texts'), ({ default: source, variables = [], maxLength = 400 }, words) =>
    words === '' ? ['The words are empty.'] : textProblems(words, { source, variables, maxLength }),
  );
  compare('standards', standards(root), read<string>('standards'), (field, words) => {
    const source = String(field.default);
    return words === ''
      ? ['The words are empty.']
      : textProblems(words, { source, variables: placeholdersOf(source), maxLength: field.maxLength ?? 400 });
  });
  compare('emails', emails, read<Email>('emails'), (standard, words) => {
    const [wanted, given] = [standard, words].map(one => new Set(usedNames([one.subject, ...one.body].join('\n'))));
    return [
      ...[...(wanted ?? [])].filter(name => !given?.has(name)).map(name => `The variable {{ ${name} }} is missing.`),
      ...[...(given ?? [])].filter(name => !wanted?.has(name)).map(name => `The English has no variable {{ ${name} }}.`),
    ];
  });
  return problems;
}
