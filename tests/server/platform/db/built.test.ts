// The embedded database runs from a bundle under plain Node as it does from the source: its worker is a file beside the bundle.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { makeSnapshot, snapshotName } from '../../../../src/server/platform/db/embedded/snapshot.ts';
import { temporaryFolder } from '../../../support/database.ts';
import { scratch } from './scratch.ts';

it('the embedded database runs from a bundle under plain Node', async () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const folder = temporaryFolder();
  // Within the project, so that packages are found.
  fs.mkdirSync(path.join(root, '.cache'), { recursive: true });
  const dir = fs.mkdtempSync(path.join(root, '.cache', 'built-'));
  try {
    const bundle = await rolldown({
      cwd: root,
      platform: 'node',
      external: id => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('\0'),
      input: {
        main: 'tests/server/platform/db/children/built.ts',
        'embedded-worker': 'src/server/platform/db/embedded/embedded-worker.ts',
      },
    });
    await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
    await bundle.close();
    await makeSnapshot(path.join(dir, snapshotName(scratch)), scratch);
    const run = spawnSync(process.execPath, [path.join(dir, 'main.js'), folder], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toMatchObject({ names: ['first', 'second'] });
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
