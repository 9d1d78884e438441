// `npm run check -- --diff main`: what changed in the definitions since a commit, in words. Reads git, changes nothing.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeChanges, tellChange } from '../src/check/changes/index.ts';
import { projectRoot } from '../src/server/platform/definitions.ts';

const FOLDERS = ['schemas', 'resources'];

function git(root: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(stderr.trim() || `git ${args[0]} ended with ${status}.`);
  return stdout;
}

/**
 * The files of definitions that differ between a commit and the work tree, on both sides (path from the project's root -> text; what is not
 * there is left out).
 * @throws Error when git is missing or does not know the commit
 */
export function differingFiles(root: string, commit: string): { before: Record<string, string>; after: Record<string, string> } {
  git(root, 'rev-parse', '--verify', '--quiet', `${commit}^{commit}`);
  const names = (text: string): string[] => text.split('\0').filter(name => name.endsWith('.json') && !name.startsWith('schemas/meta/'));
  const changed = names(git(root, 'diff', '--name-only', '--no-renames', '-z', '--relative', commit, '--', ...FOLDERS));
  const untracked = names(git(root, 'ls-files', '--others', '--exclude-standard', '-z', '--', ...FOLDERS));
  const known = new Set(names(git(root, 'ls-tree', '-r', '-z', '--name-only', commit, '--', ...FOLDERS)));
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  for (const file of new Set([...changed, ...untracked])) {
    if (known.has(file)) before[file] = git(root, 'show', `${commit}:./${file}`);
    if (existsSync(join(root, file))) after[file] = readFileSync(join(root, file), 'utf8');
  }
  return { before, after };
}

/** Prints the changes since a commit; answers how the process ends. */
export function printDiff(root: string, commit: string): number {
  let files;
  try {
    files = differingFiles(root, commit);
  } catch (error) {
    console.error(`The commit "${commit}" can't be compared with: ${(error as Error).message || 'git does not know it.'}`);
    return 2;
  }
  const changes = describeChanges(files.before, files.after);
  if (!changes.length) console.log(`The definitions are as they are in ${commit}.`);
  for (const change of changes) console.log(tellChange(change));
  const unsafe = changes.filter(change => change.stored?.length).length;
  if (changes.length)
    console.log(
      `\n${changes.length} ${changes.length === 1 ? 'file' : 'files'} of definitions differ from ${commit}; ` +
        (unsafe ? `look at the stored values of ${unsafe}.` : 'what stores have saved still fits.'),
    );
  return 0;
}

if (process.argv[1]?.endsWith('check-diff.ts')) process.exitCode = printDiff(process.cwd() || projectRoot, process.argv[2] ?? 'main');
