// Acceptance: a store of 5,000 subscriptions is charged through Stripe, judged by Stripe's own description, while its workers are killed at
// random moments on PostgreSQL: the books of both sides agree to the minor unit.
// usage: npx tsx tests/torture/stripe.ts [--kills 20] [--contracts 5000] [--seed N] [--seconds N]
import { keepBooks } from '../support/torture/books.ts';
import { seeded } from '../support/torture/embedded-kill.ts';
import { endOnPostgres, options } from '../support/torture/torture.ts';

const { seed, time, kills, contracts } = options('kills', 20, { contracts: 5000 });
console.log(`stripe: seed ${seed}, ${contracts} subscriptions, ${kills} kills`);
await endOnPostgres('stripe', kills, async at => {
  const { kills: done, payments, sum, failures } = await keepBooks({ ...at, contracts, kills, random: seeded(seed), isOver: time.isOver });
  const told = `${contracts} subscriptions, ${done} kills, ${payments} payments of ${sum} minor units on both sides`;
  return { done, told, failures };
});
