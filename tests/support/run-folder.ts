// A folder of the whole run, for what one file makes and others copy; gone at its end. As vitest's globalSetup.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the folder. */
    runFolder: string;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perennial-run-'));
  project.provide('runFolder', folder);
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
