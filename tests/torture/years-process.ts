// One of the processes of years.ts: simulates the stores that it is sent, on a database of its own.
import { simulateYears } from '../server/engine/years/years.ts';
import { withDatabase } from '../support/torture/torture.ts';
import type { YearsReport, YearsTask } from './years.ts';

const report = (what: YearsReport | 'ready'): void => {
  if (process.connected) process.send?.(what);
};

await withDatabase(
  db =>
    new Promise<void>(resolve => {
      process.once('disconnect', resolve);
      process.on('message', (task: YearsTask) => {
        simulateYears(db, { ...task, progress: told => report({ told }), isOver: () => Date.now() >= task.until }).then(
          result => report({ result }),
          (error: unknown) =>
            report({
              wrong: `${error instanceof Error ? error.message : String(error)}${error instanceof Error && error.cause ? `\n${String(error.cause)}` : ''}`,
            }),
        );
      });
      report('ready');
    }),
  { timeoutMs: 60_000 },
); // a machine that is busy is no reason to fail
process.exit();
