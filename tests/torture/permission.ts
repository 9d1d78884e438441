// Check 26: every call against random rights in all areas at once, on random plans. usage: npx tsx tests/torture/permission.ts [--rounds 30] [--seed N] [--seconds N]
import { randomFrom } from '../support/random.ts';
import { randomRights, Rights } from '../support/torture/rights-matrix.ts';
import { end, options, withServer } from '../support/torture/torture.ts';

const { seed, time, rounds } = options('rounds', 30);
console.log(`permission: seed ${seed}, ${rounds} rounds`);
await withServer(
  async server => {
    const { rounds: done, asked, failures } = await randomRights(server, { seed, rounds, isOver: time.part(1.5).isOver });
    const people = new Rights(server);
    const random = randomFrom(seed);
    const { plans } = server.services.definitions;
    let tried = 0;
    for (; tried < Math.min(rounds, plans.length * 2) && !time.isOver(); tried++) {
      const plan = random.pick(plans);
      await people.setPlan(plan.id);
      failures.push(
        ...(await people.wrong(await server.signIn('owner'), call => people.byPlan(call, people.features(plan.rank)))).map(
          line => `plan ${plan.id}: ${line}`,
        ),
      );
    }
    end(
      `permission: ${asked} knocks with random rights, and all calls on ${tried} plans`,
      { done: done + tried, of: rounds + Math.min(rounds, plans.length * 2), unit: 'rounds' },
      failures,
    );
  },
  { contracts: 30, stores: 1 },
);
