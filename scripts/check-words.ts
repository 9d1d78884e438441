// `npm run check`, the words: each word of scripts/plain-words.json that a file uses, with what to write instead. Ends with 1 when there is one.
import { fileURLToPath } from 'node:url';
import { readPlainWords, wordProblems } from './lib/plain-words.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const problems = wordProblems(root, readPlainWords(root));
for (const { file, line, word, instead } of problems) console.log(`${file}:${line}  "${word}" is no plain word here.\n  ${instead}`);
process.exitCode = problems.length ? 1 : 0;
