// The demo store of a fresh server: made once, when the database has no store yet.
import type { Services } from '../../platform/services.ts';
import { furnishDemo } from './furnish.ts';
import { isEmpty, seedStores } from './seed.ts';

/** Creates the demo store in an empty database, saying how far it is, and furnishes one that is new; does nothing in any other. */
export async function seedDemo(services: Services): Promise<void> {
  const { db, config, definitions, log } = services;
  if (!(await isEmpty(db))) return furnishDemo(services);
  const started = Date.now();
  log.info({ contracts: config.demoSize, seed: config.seed }, 'Creating the demo store.');
  const areas = Object.keys(definitions.permissions);
  let lastLogged = started;
  await seedStores(db, {
    seed: config.seed,
    contracts: config.demoSize,
    areas,
    isLiving: true,
    definitions,
    history: config.demoSize > 100_000 ? 'latest' : 'whole',
    progress: (done, total) => {
      if (Date.now() - lastLogged < 3000) return;
      lastLogged = Date.now();
      log.info({ done, total }, 'Creating the demo store.');
    },
  });
  await furnishDemo(services);
  log.info({ ms: Date.now() - started }, 'The demo store is there.');
}
