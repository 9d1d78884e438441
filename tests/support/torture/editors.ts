// Check 20: people who look at the same thing and save it, in random interleavings. Of those that saw one version exactly one wins; the
// others hear what stands there now, take it over and save again; and at the end everything that was answered with success is there.
import * as fc from 'fast-check';
import { sellingPlanGroup } from '../../../src/domain/codecs/selling-plan-group.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { makeContract, stockGoods } from '../../server/features/subscriptions/fixture.ts';
import { group } from '../../server/features/selling-plans/plans.ts';
import type { TestServer } from '../serve.ts';

export interface EditorsReport {
  seed: number;
  /** Interleavings that were tried. */ interleavings: number;
  saved: number;
  refused: number;
  failures: string[];
}

/** A thing that is edited: `save` adds a mark to those that the editor saw; `marks` of a record are those that stand there. */
interface Thing {
  read(): Promise<JsonObject>;
  save(version: number, marks: string[]): ReturnType<TestServer['call']>;
  marks(record: JsonObject): string[];
}

const split = (text: unknown): string[] =>
  String(text ?? '')
    .split(' ')
    .filter(Boolean);

/**
 * One of each way in which the product keeps versions: a subscription by two of its actions, a customer, a page of settings, a selling plan
 * group (whose plans are written one by one).
 */
async function things(server: TestServer): Promise<Record<string, () => Promise<Thing>>> {
  const goods = await stockGoods(server);
  const subscription = async (call: string, field: string, toInput: (marks: string[]) => JsonObject): Promise<Thing> => {
    const { id } = await makeContract(server, goods);
    return {
      read: async () => (await server.call('subscription-contract.read', { id })).data,
      save: (version, marks) => server.call(`subscription-contract.${call}`, { id, ...toInput(marks) }, { version }),
      marks: record => (Array.isArray(record[field]) ? (record[field] as string[]) : split(record[field])),
    };
  };
  return {
    note: () => subscription('updateNote', 'note', marks => ({ note: marks.join(' ') })),
    tags: () => subscription('updateTags', 'tags', marks => ({ tags: marks })),
    async customer() {
      const { customerId } = await makeContract(server, goods);
      return {
        read: async () => (await server.call('customers-app.read', { id: customerId })).data,
        save: (version, marks) => server.call('customers-app.update', { id: customerId, lastName: marks.join(' ') }, { version }),
        marks: record => split(record.lastName).filter(mark => mark !== 'Lee'),
      };
    },
    async group() {
      const { lspgId } = (
        await server.call('selling-plan-groups.create', group({ merchantCode: `edited-${Math.random()}`, publish: true }))
      ).data as { lspgId: number };
      // The mark stands in the description of its plan: a lost plan is a lost mark.
      return {
        read: async () => sellingPlanGroup.decode((await server.call('selling-plan-groups.read', { lspgId })).data) as JsonObject,
        save: async (version, marks) => {
          const form = sellingPlanGroup.decode((await server.call('selling-plan-groups.read', { lspgId })).data) as JsonObject & {
            sellingPlans: JsonObject[];
          };
          return server.call('selling-plan-groups.update', {
            ...form,
            version,
            sellingPlans: form.sellingPlans.map(plan => ({ ...plan, description: marks.join(' ') })),
          });
        },
        marks: record => split((sellingPlanGroup.decode(record) as { sellingPlans?: JsonObject[] }).sellingPlans?.[0]?.description),
      };
    },
    async settings() {
      const page = { settingsPage: 'subscription-tags' };
      const get = async (): Promise<JsonObject> => (await server.call('settings.get', page)).data;
      await server.call('settings.set', { ...(await get()), ALL: '', ...page });
      return {
        read: get,
        save: async (version, marks) => server.call('settings.set', { ...(await get()), version, ALL: marks.join(' '), ...page }),
        marks: record => split(record.ALL),
      };
    },
  };
}

/** `interleavings` of two to six steps of three editors; a step is one who saves, two at once, or one who looks again. */
export async function raceEditors(
  server: TestServer,
  { seed, interleavings, isOver = () => false }: { seed: number; interleavings: number; isOver?: () => boolean },
): Promise<EditorsReport> {
  const report: EditorsReport = { seed, interleavings: 0, saved: 0, refused: 0, failures: [] };
  const kinds = await things(server);
  const step = fc.record({ editor: fc.integer({ min: 0, max: 2 }), does: fc.constantFrom('save', 'together', 'look') });
  const plans = fc.sample(
    fc.record({ kind: fc.constantFrom(...Object.keys(kinds)), steps: fc.array(step, { minLength: 2, maxLength: 6 }) }),
    { numRuns: interleavings, seed },
  );
  for (const [number, { kind, steps }] of plans.entries()) {
    if (isOver()) break;
    report.interleavings++;
    const thing = await kinds[kind]!();
    const wrong = (text: string): void => {
      report.failures.push(`interleaving ${number}, ${kind}, ${steps.map(one => `${one.does} ${one.editor}`).join(', ')}: ${text}`);
    };
    const first = await thing.read();
    // What each has on screen.
    const seen = [first, first, first];
    const kept: string[] = [];
    let marks = 0;
    const save = async (editor: number): Promise<number> => {
      const mark = `m${++marks}`;
      const before = seen[editor] as JsonObject;
      const { status, body } = await thing.save(Number(before.version), [...thing.marks(before), mark]);
      if (status === 200) {
        kept.push(mark);
        report.saved++;
        seen[editor] = await thing.read();
        return status;
      }
      report.refused++;
      const { conflict } = body;
      if (status !== 409 || body.code !== 'STALE_VERSION' || !conflict) {
        wrong(`answered ${status} ${JSON.stringify(body).slice(0, 200)}`);
        return status;
      }
      // The answer has both: what was read, and what stands there now, from which the editor goes on.
      if (conflict.yourVersion !== before.version || Number(conflict.version) <= Number(before.version) || !conflict.current)
        wrong(`the conflict says ${JSON.stringify(conflict).slice(0, 200)}`);
      seen[editor] = { ...(conflict.current as JsonObject), version: conflict.version };
      return status;
    };
    for (const { editor, does } of steps) {
      if (does === 'look') seen[editor] = await thing.read();
      else if (does === 'save') await save(editor);
      else {
        const other = (editor + 1) % 3;
        const now = await thing.read();
        seen[editor] = seen[other] = now;
        const both = await Promise.all([save(editor), save(other)]);
        if (both.filter(status => status === 200).length !== 1)
          wrong(`of two that saw version ${String(now.version)}, ${both.filter(status => status === 200).length} were saved`);
      }
    }
    const last = await thing.read();
    const lost = kept.filter(mark => !thing.marks(last).includes(mark));
    const extra = thing.marks(last).filter(mark => /^m\d+$/.test(mark) && !kept.includes(mark));
    if (lost.length) wrong(`${lost.join(', ')} were saved and are lost`);
    if (extra.length) wrong(`${extra.join(', ')} were refused and are there`);
  }
  return report;
}
