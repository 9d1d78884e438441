// What the grammar knows about a place in a definition file: the sentence for an editor's hover, and what may stand there.
import { membersOf, type Members } from './changes/compare.ts';
import { metaOf } from './grammar.ts';

export interface GrammarPlace {
  /** What the place is for. */
  sentence?: string;
  /** Members that may stand in an object at this place, with their sentences; without those that the value has. */
  keys: { key: string; sentence?: string }[];
  /** Texts that a value here may be: options of the grammar, names of the product. At most 500. */
  values: string[];
}

type Path = readonly (string | number)[];
export interface Node {
  file: string;
  node: Members;
}
const MAX_VALUES = 500;

/**
 * Looks a place up in the grammar of its file.
 * @param files the definition files with schemas/meta among them (path from the project's root -> text)
 * @param path members and indices that lead to the place from the file's root
 * @param value what stands at the place now, so that its members are not offered again
 */
export function placeInGrammar(files: Record<string, string>, file: string, path: Path, value?: unknown): GrammarPlace {
  const meta = metaOf(file);
  if (!meta) return { keys: [], values: [] };
  const grammar = new Grammar(files);
  let nodes = grammar.alternatives({ file: meta, node: grammar.document(meta) });
  let sentence: string | undefined;
  for (const step of path) {
    const next = nodes.flatMap(node => grammar.step(node, step));
    sentence = next.map(({ node }) => node['description']).find((text): text is string => typeof text === 'string');
    nodes = next.flatMap(node => grammar.alternatives(node));
    sentence ??= nodes.map(({ node }) => node['description']).find((text): text is string => typeof text === 'string');
  }
  const present = new Set(Object.keys(membersOf(value)));
  const keys = new Map<string, string | undefined>();
  for (const { file: at, node } of nodes)
    for (const [key, child] of Object.entries(membersOf(node['properties'])))
      if (!present.has(key) && !keys.has(key)) keys.set(key, grammar.sentence({ file: at, node: membersOf(child) }));
  const values = nodes.flatMap(({ node }) => [
    ...(Array.isArray(node['enum']) ? node['enum'] : []),
    ...('const' in node ? [node['const']] : []),
  ]);
  return {
    ...(sentence === undefined ? {} : { sentence }),
    keys: [...keys].map(([key, text]) => (text === undefined ? { key } : { key, sentence: text })),
    values: [...new Set(values.filter((one): one is string => typeof one === 'string'))].slice(0, MAX_VALUES),
  };
}

/** The grammar of definition files: what may stand where. */
export class Grammar {
  readonly #documents = new Map<string, Members>();

  constructor(readonly files: Record<string, string>) {}

  document(file: string): Members {
    let document = this.#documents.get(file);
    if (!document) this.#documents.set(file, (document = membersOf(JSON.parse(this.files[file] ?? '{}'))));
    return document;
  }

  /** A node with everything that holds beside it: what it refers to, and its alternatives. */
  alternatives(start: Node): Node[] {
    const found: Node[] = [];
    const waiting = [start];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { file, node } = next;
      if (found.some(other => other.node === node)) continue;
      found.push(next);
      if (typeof node['$ref'] === 'string') waiting.push(this.target(file, node['$ref']));
      for (const key of ['allOf', 'anyOf', 'oneOf'])
        for (const inner of Array.isArray(node[key]) ? node[key] : []) waiting.push({ file, node: membersOf(inner) });
      for (const key of ['then', 'else']) if (node[key] !== undefined) waiting.push({ file, node: membersOf(node[key]) });
    }
    return found;
  }

  /** What a member or an item of a value is. */
  step({ file, node }: Node, step: string | number): Node[] {
    const wrap = (inner: unknown): Node[] => (inner === undefined || typeof inner === 'boolean' ? [] : [{ file, node: membersOf(inner) }]);
    if (typeof step === 'number') return Array.isArray(node['items']) ? wrap(node['items'][step]) : wrap(node['items']);
    const properties = membersOf(node['properties']);
    if (step in properties) return wrap(properties[step]);
    const matching = Object.entries(membersOf(node['patternProperties'])).filter(([pattern]) => new RegExp(pattern, 'u').test(step));
    return matching.length ? matching.flatMap(([, inner]) => wrap(inner)) : wrap(node['additionalProperties']);
  }

  sentence(start: Node): string | undefined {
    return this.alternatives(start)
      .map(({ node }) => node['description'])
      .find((text): text is string => typeof text === 'string');
  }

  target(file: string, ref: string): Node {
    const [name, pointer = ''] = ref.split('#') as [string, string?];
    const at = name ? `schemas/meta/${name.replace(/^.*\//, '')}` : file;
    let node: unknown = this.document(at);
    for (const part of pointer.split('/').slice(1)) node = membersOf(node)[part];
    return { file: at, node: membersOf(node) };
  }
}
