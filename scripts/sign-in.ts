// Prints links that sign a person in once, one for each of their stores: where no mail is sent, or where it does not arrive.
//   npm run sign-in -- owner@example.com
// With the embedded database, stop the server first.
import { LINK_MINUTES, makeLoginLink } from '../src/server/platform/auth/login-links.ts';
import { demandSecret, readConfig } from '../src/server/platform/config.ts';
import { openServices } from '../src/server/platform/services.ts';

try {
  const email = process.argv[2];
  if (!email) throw new Error('Say whose: npm run sign-in -- owner@example.com');
  const config = { ...readConfig(process.env), workers: 0 };
  demandSecret(config);
  const services = await openServices(config);
  try {
    const base = config.publicUrl ?? `http://localhost:${config.port}`;
    const links = await services.db.asOwner(async trx => {
      const people = await trx
        .selectFrom('users')
        .innerJoin('stores', 'stores.id', 'users.store_id')
        .select(['users.id', 'users.store_id', 'stores.name'])
        .where('users.email', 'ilike', email.replace(/[\\%_]/g, '\\$&'))
        .where('users.removed_at', 'is', null)
        .orderBy('users.store_id')
        .execute();
      const lines: string[] = [];
      for (const one of people) lines.push(`${one.name}: ${await makeLoginLink(trx, one.store_id, one.id, base)}`);
      return lines;
    });
    if (links.length === 0) throw new Error(`No person of a store has the address ${email}.`);
    process.stdout.write(`${links.join('\n')}\nEach signs in once, within ${LINK_MINUTES} minutes.\n`);
  } finally {
    await services.close();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
