// `npm run check`, first part: prints what is wrong with the definitions and, last, how much there is of everything. Ends with 1 when something is wrong.
import { census, tell } from '../src/check/index.ts';
import { checkOptions, checkProject, projectRoot } from '../src/server/platform/definitions.ts';

const root = process.argv[2] ?? projectRoot;
const { problems, definitions } = checkProject(root);
for (const problem of problems) console.log(tell(problem));
if (problems.length)
  console.log(
    `\n${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in ${new Set(problems.map(problem => problem.file)).size} files.`,
  );
console.log(census(definitions, checkOptions(root)));
process.exitCode = problems.length ? 1 : 0;
