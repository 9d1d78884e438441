// Seals every secret with the first key of PERENNIAL_SECRET, so that the older ones can be taken out: npm run rotate-secrets
// A running server does the same when it starts; with the embedded database, stop the server first.
import { demandSecret, readConfig } from '../src/server/platform/config.ts';
import { rotateSecrets } from '../src/server/platform/outgoing/secrets.ts';
import { openServices } from '../src/server/platform/services.ts';

try {
  const config = { ...readConfig(process.env), workers: 0 };
  demandSecret(config);
  const services = await openServices(config);
  const { sealed, unreadable } = await rotateSecrets(services);
  await services.close();
  process.stdout.write(
    unreadable
      ? `${sealed} secrets were sealed with the newest key, ${unreadable} can't be opened: put the key they were sealed with into PERENNIAL_SECRET.\n`
      : `${sealed} secrets were sealed with the newest key. Older keys can be taken out of PERENNIAL_SECRET now.\n`,
  );
  process.exitCode = unreadable ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
