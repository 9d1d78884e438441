// A connection that was down while both sides changed: it ends with both sides the same, and nothing that anybody wrote is lost.
import { describe, expect, test } from 'vitest';
import { deliverAll } from '../../../support/events.ts';
import { makeContract } from '../subscriptions/fixture.ts';
import type { Scene } from './orders-paid-here.ts';

export const bothChanged = ({ vendure, query, works, state, ours, variantId, changeVariant, server, line }: Scene): void => {
  describe('after both sides were changed', () => {
    const idOf = async (sku: string): Promise<number> =>
      Number((await query('select id from variants where store_id = 1 and sku = $1 and deleted_at is null', [sku]))[0]?.id);
    const priceHere = (sku: string, price: number) => query('update variants set price = $2 where id = $1', [idsBySku.get(sku), price]);
    const idsBySku = new Map<string, number>();
    const priceThere = async (sku: string): Promise<number> =>
      (await vendure.admin('query ($id: ID!) { productVariant(id: $id) { priceWithTax } }', { id: await variantId(sku) })).productVariant
        .priceWithTax;
    const listed = async (): Promise<any[]> =>
      (await server().call('platform-differences.list')).data.filter((one: any) => one.kind !== 'ORDER');
    const differs = async () => (await listed()).map(one => [one.name, one.fact, one.here, one.there, one.state]).sort();
    const again = async (): Promise<void> => {
      await query('update store_connections set due_at = now()');
      await works();
    };
    const prices = async (): Promise<unknown[]> => (await ours('harbour-blend'))?.variants.map((one: any) => [one[0], one[2]]);

    test('what the shop changed comes over, what was changed here waits for a choice, and each choice makes both the same', async () => {
      for (const [sku, price] of [
        ['HB-250-B', 950],
        ['HB-250-F', 950],
        ['HB-1000-B', 3200],
      ] as const) {
        await changeVariant(sku, { price, ...(sku === 'HB-250-F' ? {} : { stockLevels: [{ stockLocationId: '1', stockOnHand: 40 }] }) });
        idsBySku.set(sku, await idOf(sku));
      }
      await again();
      expect(await differs()).toEqual([]);
      line().fault = 'down';
      await again();
      expect((await state()).status).toBe('UNREACHABLE');
      // Both changed one; one was changed there; one here; and something was paid here.
      await changeVariant('HB-250-B', { price: 1000 });
      await changeVariant('HB-250-F', { price: 900 });
      await priceHere('HB-250-B', 1300);
      await priceHere('HB-1000-B', 4000);
      await query(
        "update products set title = 'Harbour Blend, ours' where store_id = 1 and handle = 'harbour-blend' and deleted_at is null",
      );
      const goods = { plain: idsBySku.get('HB-250-B') ?? 0, other: 0, digital: 0, soldOut: 0, gone: 0, giftCard: 0 };
      const subscription = await makeContract(server(), goods, { lines: [{ variantId: goods.plain, discountType: 'NONE' }] });
      const [contract] = await query('select next_cycle as next from contracts where store_id = 1 and id = $1', [subscription.id]);
      await server().call('subscription-contract.chargeNow', { id: subscription.id, orderId: subscription.id * 10_000 + contract?.next });
      await deliverAll(server().services);
      line().fault = null;
      await again();
      expect((await server().call('platform-orders.list', { contractId: subscription.id })).data[0].state).toBe('MADE');
      expect(await prices()).toEqual([
        ['HB-1000-B', 4000],
        ['HB-250-B', 1300],
        ['HB-250-F', 1080],
      ]);
      expect(await differs()).toEqual([
        ['Harbour Blend, ours - 1 kg / Beans', 'PRICE', '40.00', '38.40', 'OPEN'],
        ['Harbour Blend, ours - 250 g / Beans', 'PRICE', '13.00', '12.00', 'OPEN'],
        ['Harbour Blend, ours', 'TITLE', 'Harbour Blend, ours', 'Harbour Blend', 'OPEN'],
      ]);
      expect((await state()).differences).toBeGreaterThanOrEqual(3);
      // Read again it is the same; who may not change settings chooses nothing.
      await again();
      const find = async (name: string) => (await listed()).find(one => one.name.includes(name) || one.fact === name);
      const choose = async (name: string, side: 'here' | 'there') => {
        const { id } = await find(name);
        expect((await server().call(`platform-differences.${side}`, { id }, { as: 'readOnly' })).status).toBe(403);
        expect((await server().call(`platform-differences.${side}`, { id })).status).toBe(200);
        await works();
      };
      await choose('250 g', 'here');
      await choose('1 kg', 'there');
      await choose('TITLE', 'there');
      await again();
      expect(await differs()).toEqual([]);
      expect(await prices()).toEqual([
        ['HB-1000-B', 4000],
        ['HB-250-B', 1200],
        ['HB-250-F', 1080],
      ]);
      expect([await priceThere('HB-1000-B'), await priceThere('HB-250-B'), await priceThere('HB-250-F')]).toEqual([4000, 1200, 1080]);
      expect((await ours('harbour-blend'))?.title).toBe('Harbour Blend, ours');
      // A price that the shop's tax can't come to is refused with the nearest, and changes nothing there.
      await priceHere('HB-250-F', 1203);
      await again();
      await choose('250 g', 'there');
      expect(await listed()).toMatchObject([{ state: 'STUCK', error: expect.stringContaining('The nearest is 12.0') }]);
      expect(await priceThere('HB-250-F')).toBe(1080);
      await choose('250 g', 'here');
      expect([await differs(), (await prices())[2]]).toEqual([[], ['HB-250-F', 1080]]);
    });
  });
};
