// `npm run uses -- NAME`: which definitions name a call, field, screen, permission or anything else of this name. With a second name all of them
// use that one from then on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renamed, usesOf } from '../src/check/uses.ts';
import { projectRoot, readDefinitionFiles, readRenderers } from '../src/server/platform/definitions.ts';

const [name, to] = process.argv.slice(2);
if (name === undefined) {
  process.stderr.write(
    'Say a name: npm run uses -- bundles.publish. A second one takes its place: npm run uses -- bundles.publish bundles.show\n',
  );
  process.exit(1);
}
const files = readDefinitionFiles();
const { options } = readRenderers();
const uses = usesOf(files, options, name);
for (const { file, line, kinds, path } of uses) process.stdout.write(`${file}:${line}  ${kinds.join(' or ')}, ${path.join('/')}\n`);
if (uses.length === 0) process.stdout.write(`No definition names "${name}".\n`);
if (to !== undefined) {
  for (const [file, text] of Object.entries(renamed(files, options, name, to))) writeFileSync(join(projectRoot, file), text);
  process.stdout.write(`${uses.length} of them name "${to}" now. Rename it where it is made too (its file or key), then npm run check.\n`);
}
