// A reporter of vitest: the files that took longest, with what they took for their start, their set-up and their tests.
import { relative } from 'node:path';
import { root } from './ensure.mjs';

const SHOWN = 30;
const seconds = milliseconds => (milliseconds / 1000).toFixed(1).padStart(8);

export default class SlowestFiles {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules) {
    if (modules.length < 2) return;
    const files = modules.map(module => {
      const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
      const tests = [...module.children.allTests()].reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0);
      const start = collectDuration + environmentSetupDuration + prepareDuration + setupDuration;
      return { name: relative(root, module.moduleId), all: start + duration, start, setUp: Math.max(0, duration - tests), tests };
    });
    const sum = of => files.reduce((total, file) => total + file[of], 0);
    const line = ({ name, all, start, setUp, tests }) => console.log([all, start, setUp, tests].map(seconds).join('') + `  ${name}`);
    console.log(`\nSeconds per file: all, start of the file, set-up and clearing, tests (the slowest ${SHOWN})`);
    for (const file of files.toSorted((a, b) => b.all - a.all).slice(0, SHOWN)) line(file);
    line({ name: `all ${files.length} files`, all: sum('all'), start: sum('start'), setUp: sum('setUp'), tests: sum('tests') });
  }
}
