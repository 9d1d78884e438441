// What people read in English whatever their language: texts of the code that are not in t`…` yet.
import { childrenOf, isNode, lineAt, type Node, parse, tagOf } from './code-texts.ts';

export interface Unmarked {
  file: string;
  line: number;
  kind: string;
  text: string;
  start: number;
  end: number;
}

/** One of several names, with a space between them. */
const oneOf = (names: string): RegExp => new RegExp(`^(?:${names.split(' ').join('|')})$`);

/** Attributes and members whose text is read. */
const READ = oneOf(
  'aria-(?:label|description|valuetext|roledescription|placeholder) title label placeholder alt data-tip hint help text ' +
    'message empty description confirm confirmTitle submit done button caption heading subtitle note error one many ' +
    'reason tip summary intro why said words head name action unit none detail',
);
/** Members whose text is a name of something, however it looks. */
const NAMES = /^(?:name|action|head|unit|text|reason|detail|category|entity)$/;
/** Functions whose texts are read. */
const SAYING =
  /^(?:notify|invalid|invalidState|Refusal|refuse|say|sayAtLogin|notFound|tell|problem|fail|refusal|mistake|setError|setProblem)$/;
/** Not for the people of the store: programming errors, logs. */
const SILENT = oneOf(
  'Error TypeError RangeError log debug info warn error trace fatal log\\w+ json sql raw querySelector\\w* closest ' +
    'matches report\\w* RegExp',
);
/** Members of JSX that are never read. */
const UNREAD = oneOf(
  'className class id key type role href to src d viewBox style rel target htmlFor align variant size tone icon kind ' +
    'mode method ref dataKey stroke fill transform data-(?!tip).* ' +
    'aria-(?:labelledby|describedby|controls|owns|live|haspopup|keyshortcuts|current|sort|orientation|autocomplete|hidden|pressed)',
);

/** Where one word in capitals is most likely read, and the keys of a keyboard, which are not. */
const MAY_BE_READ = /^(?:src\/admin|renderers|src\/domain|src\/contract)\//;
const KEYS = oneOf('Enter Escape Tab Home End Delete Backspace Shift Control Alt Meta Space Error Mac Unidentified');

const words = (text: string): boolean => /\p{L}{2}/u.test(text);
/** "Delete this card", "Saved.", "Read only": begins as a sentence does, or has words with spaces between them. */
const looksRead = (text: string): boolean =>
  words(text) &&
  !/^[\w-]+(?:\.[\w-]+)+$/.test(text) &&
  !/^(?:\/|#|\.|https?:|--|[a-z]+:|[A-Z0-9_]+$)/.test(text) &&
  !/^(?:[a-z]+-)+[a-z]+(?:\s|$)/.test(text) &&
  (/^[A-Z“][\p{L}’']*(?:[.…!?]|$|[\s,:-])/u.test(text.trim()) && !/^[A-Z][a-z]+[A-Z]/.test(text)
    ? true
    : /\p{L}{2}[,:;]? \p{L}{2}/u.test(text));
const isSql = (text: string): boolean =>
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|set|lock|from|where|and|or|order by)\b/i.test(text) &&
  /\b(?:from|into|set|table|where|select|by)\b/.test(text);

/** Every text of a file that people read and that is not marked. */
export function unmarkedIn(file: string, code: string): Unmarked[] {
  const found: Unmarked[] = [];
  const add = (node: Node, kind: string, text: string): void => {
    found.push({ file, line: lineAt(code, node.start), kind, text: text.replace(/\s+/g, ' ').trim(), start: node.start, end: node.end });
  };
  const nameOf = (node: Node | undefined): string =>
    String(node?.name ?? node?.value ?? (isNode(node?.property) ? node.property.name : '') ?? '');
  const visit = (node: Node, role: 'read' | 'plain' | 'unread'): void => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TSLiteralType':
      case 'TSTypeParameterInstantiation':
        return;
      case 'TaggedTemplateExpression': {
        if (tagOf(node)) for (const value of childrenOf(node.quasi as Node)) visit(value, 'plain');
        else for (const value of (node.quasi as Node).expressions as Node[]) visit(value, 'unread');
        return;
      }
      case 'JSXText': {
        const text = String(node.value);
        if (words(text.replace(/&\w+;/g, ''))) add(node, 'text', text);
        return;
      }
      case 'JSXAttribute': {
        const raw = node.name as Node;
        const name = raw.type === 'JSXNamespacedName' ? '' : nameOf(raw);
        if (!isNode(node.value)) return;
        if (UNREAD.test(name)) {
          if (node.value.type !== 'Literal') visit(node.value, 'unread');
          return;
        }
        visit(node.value, READ.test(name) ? 'read' : 'plain');
        return;
      }
      case 'JSXElement':
      case 'JSXFragment':
        if (node.openingElement) visit(node.openingElement as Node, 'plain');
        for (const child of node.children as Node[]) visit(child, 'read');
        return;
      case 'JSXExpressionContainer':
        visit(node.expression as Node, role);
        return;
      case 'Literal': {
        if (typeof node.value !== 'string' || role === 'unread') return;
        const text = node.value;
        if (role === 'read' ? /^[A-Z“]| /.test(text) && looksRead(text) : / /.test(text) && looksRead(text) && !isSql(text))
          add(node, role === 'read' ? 'label' : 'string', text);
        else if (MAY_BE_READ.test(file) && /^[A-Z][a-z]+$/.test(text) && !KEYS.test(text)) add(node, 'word', text);
        return;
      }
      case 'TemplateLiteral': {
        const parts = (node.quasis as Node[]).map(part => (part.value as { cooked: string }).cooked ?? '');
        const text = parts.join('{}');
        const spoken = parts.join(' ');
        if (
          role !== 'unread' &&
          (/\p{L}{2}[,:;.]? +\p{L}|\p{L}{2} \{\}|\{\} \p{L}{2}/u.test(text) || (role === 'read' && looksRead(text))) &&
          words(spoken) &&
          !isSql(text) &&
          !/^[\s\S]*\bp-[a-z]/.test(text)
        )
          add(node, 'template', text);
        for (const value of node.expressions as Node[]) visit(value, role === 'unread' ? 'unread' : 'plain');
        return;
      }
      case 'Property': {
        const name = node.computed ? '' : nameOf(node.key as Node);
        if (node.computed) visit(node.key as Node, 'unread');
        visit(node.value as Node, READ.test(name) && !NAMES.test(name) ? 'read' : UNREAD.test(name) ? 'unread' : 'plain');
        return;
      }
      case 'NewExpression':
      case 'CallExpression': {
        const callee = node.callee as Node;
        const name = nameOf(callee);
        visit(callee, 'unread');
        for (const one of node.arguments as Node[]) visit(one, SILENT.test(name) ? 'unread' : SAYING.test(name) ? 'read' : 'plain');
        return;
      }
      case 'ConditionalExpression':
        visit(node.test as Node, 'unread');
        visit(node.consequent as Node, role);
        visit(node.alternate as Node, role);
        return;
      case 'BinaryExpression':
        if (node.operator !== '+') role = 'unread';
        visit(node.left as Node, role);
        visit(node.right as Node, role);
        return;
      case 'LogicalExpression':
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        for (const child of childrenOf(node)) visit(child, role);
        return;
      case 'ArrowFunctionExpression':
      case 'ObjectExpression':
      case 'ArrayExpression':
        for (const child of childrenOf(node)) visit(child, role === 'unread' && node.type !== 'ArrayExpression' ? 'plain' : role);
        return;
      case 'MemberExpression':
        visit(node.object as Node, role);
        if (node.computed) visit(node.property as Node, 'unread');
        return;
      case 'SwitchCase':
        for (const child of node.consequent as Node[]) visit(child, 'plain');
        return;
      default:
        for (const child of childrenOf(node))
          visit(child, node.type.startsWith('JSX') ? 'plain' : role === 'read' && node.type.endsWith('Statement') ? 'plain' : role);
    }
  };
  visit(parse(file, code), 'plain');
  return found;
}
