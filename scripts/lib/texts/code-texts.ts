// What the code says in t`…` and tx`…`, with file and line, as the files of languages/ write it: places of values by name.
import { parseSync } from 'rolldown/utils';
import { compiled, placesOf } from '../../../src/domain/text/language-files.ts';
import { LINE_BREAK } from '../../../src/domain/text/t.ts';

export interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}
export interface Found {
  /** As the files of languages/ have it. */
  text: string;
  file: string;
  line: number;
  /** What is wrong with it where it stands. */
  problem?: string;
}

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
/** The members of a node that are nodes, in the order of the source. */
export const childrenOf = (node: Node): Node[] =>
  Object.entries(node).flatMap(([name, value]) =>
    name === 'parent' ? [] : Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
export function parse(file: string, code: string): Node {
  const { program, errors } = parseSync(file, code);
  if (errors.length) throw new Error(`${file}: ${errors[0]?.message ?? 'can not be read'}`);
  return program as unknown as Node;
}
export const lineAt = (code: string, at: number): number => code.slice(0, at).split('\n').length;

/** The tag and context of t`…`, tx`…`, later`…` or t.as('context')`…`; undefined where a template has another tag, or none. */
export function tagOf(node: Node): { name: string; context?: string } | undefined {
  if (node.type !== 'TaggedTemplateExpression') return undefined;
  const tag = node.tag as Node;
  if (tag.type === 'Identifier') return tag.name === 't' || tag.name === 'tx' || tag.name === 'later' ? { name: tag.name } : undefined;
  const callee = tag.type === 'CallExpression' ? (tag.callee as Node) : undefined;
  const object = callee?.type === 'MemberExpression' && (callee.property as Node).name === 'as' ? (callee.object as Node) : undefined;
  if (object?.type !== 'Identifier' || (object.name !== 't' && object.name !== 'tx')) return undefined;
  const context = ((tag.arguments as Node[])[0] as Node | undefined)?.value;
  return typeof context === 'string' ? { name: object.name, context } : undefined;
}

/** What a value is called in a text: the last name of its expression. */
function nameOf(node: Node | undefined): string | undefined {
  if (!node) return undefined;
  switch (node.type) {
    case 'Identifier':
      return node.name as string;
    case 'MemberExpression':
      return node.computed ? nameOf(node.object as Node) : nameOf(node.property as Node);
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
    case 'AwaitExpression':
      return nameOf((node.expression ?? node.argument) as Node);
    case 'CallExpression':
      return (node.arguments as Node[]).map(nameOf).find(Boolean) ?? nameOf(node.callee as Node);
    case 'LogicalExpression':
      return nameOf(node.left as Node);
    case 'JSXElement': {
      const inside = (node.children as Node[]).filter(child => child.type !== 'JSXText' || String(child.value).trim());
      const only = inside.length === 1 && inside[0]?.type === 'JSXExpressionContainer' ? nameOf(inside[0].expression as Node) : undefined;
      const tag = ((node.openingElement as Node).name as Node).name;
      return only ?? (typeof tag === 'string' ? tag.toLowerCase() : undefined);
    }
    default:
      return undefined;
  }
}

/** A template's text with a name in each place; a name that stands there twice gets a number. */
function textOf(quasi: Node): { text: string; problem?: string } {
  const names: string[] = [];
  const values = quasi.expressions as Node[];
  values.forEach((value, i) => {
    const name = nameOf(value);
    let own = name !== undefined && /^[A-Za-z_]\w*$/.test(name) ? name : String(i);
    for (let n = 2; names.includes(own); n++) own = `${name}${n}`;
    names.push(own);
  });
  const parts = (quasi.quasis as Node[]).map(part => (part.value as { cooked: string }).cooked.replace(LINE_BREAK, ' '));
  const text = parts.reduce((all, part, i) => (i === 0 ? part : `${all}{${names[i - 1]}}${part}`), '');
  const places = placesOf(text);
  const isMixed = places.length !== names.length || places.some((place, i) => place !== names[i]);
  return isMixed ? { text, problem: "Braces that are meant as such stand in a value: ${'{name}'}." } : { text };
}

/** Folders whose modules serve requests in several languages: a constant of theirs is made once, in English. */
const FOR_MANY = /^src\/(server|domain|contract|navigation)\//;
const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'MethodDefinition',
  'PropertyDefinition',
]);

/** Every text of a file. */
export function textsOfCode(file: string, code: string): Found[] {
  if (!/\b(?:tx?(?:`|\.as\()|later`)/.test(code)) return [];
  const found: Found[] = [];
  const visit = (node: Node, depth: number): void => {
    const tag = tagOf(node);
    if (tag) {
      const { text, problem } = textOf(node.quasi as Node);
      const isEarly = depth === 0 && tag.name !== 'later' && FOR_MANY.test(file);
      const early = isEarly ? 'It is made once, before any request says its language: make it in a function, or say later`…`.' : undefined;
      const whole = tag.context === undefined ? text : `[${tag.context}] ${text}`;
      found.push({ text: whole, file, line: lineAt(code, node.start), ...((problem ?? early) ? { problem: problem ?? early } : {}) });
    }
    const next = depth + (FUNCTIONS.has(node.type) ? 1 : 0);
    for (const child of childrenOf(node)) visit(child, next);
  };
  visit(parse(file, code), 0);
  return found;
}

/** By what a text of code is looked up. */
export const keyOfText = (text: string): string => compiled(text, '')[0];
