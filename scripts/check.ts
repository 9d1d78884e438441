// `npm run check`, first part: prints what is wrong with the definitions and, last, how much there is of everything. Ends with 1 when
// something is wrong.
import { census, problemLines } from '../src/check/index.ts';
import { checkOptions, checkProject, projectRoot } from '../src/server/platform/definitions.ts';
import { brokenWalls } from './walls.ts';

const root = process.argv[2] ?? projectRoot;
const { problems, definitions } = checkProject(root);
// A reader of the first lines (`| head`) closes the pipe: that is no failure of the check.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(problems.length ? 1 : 0);
  throw error;
});
for (const text of problemLines(problems)) console.log(text);
if (problems.length)
  console.log(
    `\n${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in ${new Set(problems.map(problem => problem.file)).size} files.`,
  );
const broken = root === projectRoot ? brokenWalls(root) : [];
for (const sentence of broken) console.log(sentence);
console.log(census(definitions, checkOptions(root)));
process.exitCode = problems.length || broken.length ? 1 : 0;
