// What the form engine leaves out of rjsf, for every build that contains it.
import { fileURLToPath } from 'node:url';

export const formAlias = [{ find: 'markdown-to-jsx/react', replacement: fileURLToPath(new URL('../src/admin/form/plain-markdown.tsx', import.meta.url)) }];
