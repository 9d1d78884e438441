// What the form engine leaves out of rjsf, for every build that contains it: a third of its code, for things that our schemas never ask of it.
import { fileURLToPath } from 'node:url';

const own = (file: string): string => fileURLToPath(new URL(`../src/admin/form/engine/${file}`, import.meta.url));

export const formAlias = [
  { find: 'markdown-to-jsx/react', replacement: own('plain-markdown.tsx') },
  { find: /^fast-uri$/, replacement: own('plain-uri.ts') },
  { find: /^@x0k\/json-schema-merge(\/lib\/array)?$/, replacement: own('no-merge.ts') },
];
