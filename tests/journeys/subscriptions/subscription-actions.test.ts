// Everything that can be done to one subscription, each action once in a real browser: found, asked, confirmed, told, and kept in its log.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually, journeys } from '../../support/browser/journey.ts';
import { act, ACTIONS, ACTIVE, dialog, inDays, notice, says, status, subscriptionPages } from '../../support/browser/subscription-page.ts';

const at = journeys({ size: 400 });
const { another, open } = subscriptionPages(at);
const YOUNG = { ...ACTIVE, completedOrdersCount: { min: 2, max: 4 }, deliveryType: ['SHIPPING'] };

const line = (page: Page, index: number): Locator => page.locator('.r-lines > li').nth(index);
const upcoming = (page: Page): Locator => page.getByRole('table', { name: 'Upcoming orders' }).locator('tbody tr');
const section = (page: Page, id: string): Locator => page.locator(`[data-section="${id}"]`);
const note = (page: Page): Locator => page.locator('.r-note').first();
/** Takes a product out of the picker that the dialog opens. */
const product =
  (index: number) =>
  async (asked: Locator): Promise<void> => {
    const page = asked.page();
    await asked.getByRole('button', { name: /^(Choose a product|Change selection)$/ }).click();
    await dialog(page).locator('.f-picker > li input:enabled').nth(index).click();
    await dialog(page).getByRole('button', { name: 'Choose', exact: true }).click();
  };
/** A day after the one that stands there. */
const later = async (asked: Locator): Promise<void> => {
  const input = asked.locator('input[type="datetime-local"]').first();
  const next = new Date(`${await input.inputValue()}Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  await input.fill(next.toISOString().slice(0, 16));
};
const moment =
  (days: number) =>
  (asked: Locator): Promise<void> =>
    asked.locator('input[type="datetime-local"]').first().fill(inDays(days));
/** A label stands with a star where a value is required. */
const field =
  (label: string, value: string) =>
  (asked: Locator): Promise<void> =>
    asked.getByLabel(new RegExp(`^${label}( \\*)?$`)).fill(value);
const reason =
  (value: string) =>
  async (asked: Locator): Promise<void> => {
    await asked.getByLabel('Reason').selectOption(value);
  };
/** How often a call is sent. */
function sent(page: Page, path: string): () => number {
  let count = 0;
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith(path)) count++;
  });
  return () => count;
}

/** Tried in workspace.test.ts: they stand in place of another action in one state. */
const OF_STATES = ['chargePaused', 'reactivateBeyond'];
/** Tried in cards.test.ts, with all that can go wrong with a card. */
const OF_CARDS = ['addCard', 'replaceCard', 'deleteMethod'];

/** Tried in apps.test.ts, where an app that keeps points is connected. */
const OF_APPS = ['redeemReward'];

/** Tried in cancellation-flows.test.ts: it leads to a page of its own. */
const OF_CANCELLATION = ['cancellationFlow'];
/** Leads to the page of a gift, which is looked at with all pages. */
const OF_GIFTS = ['toGift'];
/** Tried in tests/server/features/alerts/alerts.test.ts: a provider that forgets a charge can't be brought about in a browser. */
const OF_UNCLEAR_CHARGES = ['confirmCharge', 'chargeAgain'];
/** Tried in tests/server/features/provider-events/stripe-events.test.ts: a payment is disputed at the provider. */
const OF_DISPUTES = ['disputeEvidence'];

/** `acts`: what it tries; together the journeys try everything. */
interface Journey {
  does: string;
  acts: string[];
  go: (does: typeof act) => Promise<string[]>;
}

const JOURNEYS: Journey[] = [
  {
    does: 'gets a note for its next order alone',
    acts: ['addOrderNote'],
    async go(does) {
      const { page, problems } = await open(await another(YOUNG));
      await does(page, 'addOrderNote', { log: 'Note on the next order changed', fill: field('Note', 'Wrap it as a gift.') });
      return problems;
    },
  },
  {
    does: 'is paused until a date, that is changed, and resumed',
    acts: ['pause', 'changePause', 'limitPause', 'resume'],
    async go(does) {
      const { page, problems } = await open(await another(YOUNG));
      await does(page, 'pause', {
        log: 'Subscription paused',
        says: /Resumes on /,
        fill: async asked => {
          await asked.getByText('Until a date').click();
          await moment(40)(asked);
        },
      });
      await status(page, 'Paused');
      await page.getByRole('heading', { name: /^Paused until / }).waitFor();
      await does(page, 'changePause', {
        log: 'Subscription paused',
        says: /Until it is resumed/,
        at: note(page),
        fill: asked => asked.getByText('Until it is resumed').click(),
      });
      await page.getByRole('heading', { name: 'Paused until it is resumed' }).waitFor();
      await does(page, 'limitPause', { at: note(page), log: 'Subscription paused', says: /Resumes on /, fill: field('For', '2') });
      await page.getByRole('heading', { name: /^Paused until [A-Z]/ }).waitFor();
      await does(page, 'resume', { log: 'Subscription resumed', says: /Next order on / });
      await status(page, 'Active');
      return problems;
    },
  },
  {
    does: 'is cancelled with a reason and reactivated',
    acts: ['cancel', 'reactivate'],
    async go(does) {
      const { page, problems } = await open(await another(YOUNG, record => record.ordersUntilCancellable === 0));
      await does(page, 'cancel', {
        log: 'Subscription cancelled',
        says: /Reason: I have too much of it\.[\s\S]*“Three bags left\.”/,
        async fill(asked) {
          await asked.getByRole('button', { name: 'Cancel subscription' }).click();
          await asked.getByText('Choose a reason.').waitFor();
          await reason('I have too much of it')(asked);
          await asked.getByLabel('Comment').fill('Three bags left.');
        },
      });
      await status(page, 'Cancelled');
      await section(page, 'cancellation').getByText('Three bags left.').waitFor();
      await does(page, 'reactivate', { log: 'Subscription reactivated', says: /Next order on / });
      await status(page, 'Active');
      return problems;
    },
  },
  {
    does: 'changes its frequency, and is cancelled before its minimum',
    acts: ['updateBillingDetails', 'changeFrequency', 'cancelEarly'],
    async go(does) {
      const { page, problems } = await open(await another(YOUNG));
      await does(page, 'updateBillingDetails', {
        log: 'Frequency changed',
        says: /every 5 weeks/i,
        fill: async asked => {
          await field('Charge every: how many', '5')(asked);
          await asked.getByLabel('Charge every: unit').selectOption('WEEK');
        },
      });
      await page.locator('.r-subtitle', { hasText: /every 5 weeks/i }).waitFor();
      await does(page, 'changeFrequency', {
        log: 'Frequency changed',
        says: /every 6 weeks/i,
        fill: async asked => {
          await field('Charge every: how many', '6')(asked);
          await field('Minimum orders', '50')(asked);
        },
      });
      await does(page, 'cancelEarly', { log: 'Subscription cancelled', fill: reason('I am moving or travelling') });
      await status(page, 'Cancelled');
      return problems;
    },
  },
  {
    does: 'changes its products, prices and discounts',
    acts: [
      'updateQuantity',
      'updatePrice',
      'updateLineItemAttributes',
      'addLine',
      'swapLine',
      'upgradeLine',
      'skipLineItem',
      'undoLeaveOut',
      'removeOnce',
      'removeLine',
      'addDiscount',
      'removeDiscount',
      'updateShipping',
    ],
    async go(does) {
      const { page, problems } = await open(await another(YOUNG));
      const count = await page.locator('.r-lines > li').count();
      await does(page, 'updateQuantity', { at: line(page, 0), log: 'Quantity changed', says: /4/, fill: field('Quantity', '4') });
      await line(page, 0).getByText('× 4').waitFor();
      await does(page, 'updatePrice', { at: line(page, 0), log: 'Price changed', says: /19\.5/, fill: field('Price of one', '19.50') });
      await line(page, 0).getByText('Price set by hand').waitFor();
      await does(page, 'updateLineItemAttributes', {
        at: line(page, 0),
        log: 'Product properties changed',
        says: /Grind: Coarse/,
        fill: async asked => {
          await asked.getByRole('button', { name: /^Add/ }).click();
          await asked.locator('.f-pair input').nth(-2).fill('Grind');
          await asked.locator('.f-pair input').last().fill('Coarse');
        },
      });
      await does(page, 'addLine', { log: 'Product added', fill: product(1) });
      await eventually(() => page.locator('.r-lines > li').count()).toBe(count + 1);
      await does(page, 'swapLine', { at: line(page, count), log: 'Product swapped', fill: product(3) });
      await does(page, 'upgradeLine', {
        at: line(page, count),
        log: 'Subscription upgraded',
        says: /×/,
        fill: async asked => {
          await product(5)(asked);
          await asked.getByLabel('Discount').selectOption('NONE');
          await field('New quantity', '2')(asked);
          await asked.getByRole('heading', { name: 'After this' }).waitFor();
        },
      });
      await does(page, 'skipLineItem', { at: line(page, count), log: 'Product left out of one order' });
      await line(page, count).getByText('Left out of the next order').waitFor();
      await does(page, 'undoLeaveOut', { at: line(page, count), log: 'One-time change undone' });
      await line(page, count).getByText('Left out of the next order').waitFor({ state: 'detached' });
      await does(page, 'removeLine', { at: line(page, count), log: 'Product removed' });
      await eventually(() => page.locator('.r-lines > li').count()).toBe(count);
      await does(page, 'addLine', {
        log: 'Product added to one order',
        fill: async asked => {
          await product(1)(asked);
          await asked.getByText('The next order only').click();
        },
      });
      await line(page, count).getByText('Next order only').waitFor();
      await does(page, 'removeOnce', { at: line(page, count), log: 'Product removed' });
      await eventually(() => page.locator('.r-lines > li').count()).toBe(count);
      await does(page, 'addDiscount', {
        log: 'Discount added',
        says: /Sorry/,
        fill: async asked => {
          await field('Title', 'Sorry')(asked);
          await asked.getByLabel('Type').selectOption('PERCENTAGE');
          await field('Value', '10')(asked);
        },
      });
      await section(page, 'lines').getByText('Sorry', { exact: false }).first().waitFor();
      await does(page, 'removeDiscount', {
        at: section(page, 'lines')
          .locator('dd')
          .filter({ has: page.getByRole('button', { name: 'Actions for discount Sorry' }) }),
        log: 'Discount removed',
      });
      await does(page, 'updateShipping', {
        at: section(page, 'lines').locator('.r-sums'),
        log: 'Shipping price changed',
        says: /3\.5/,
        fill: field('Shipping price', '3.50'),
      });
      return problems;
    },
  },
  {
    does: 'moves and skips its orders; a charge that is clicked twice is made once',
    acts: ['reschedule', 'rescheduleAll', 'delay', 'skipOrder', 'unSkipRow', 'skipRow', 'rescheduleRow', 'chargeRow', 'chargeNow'],
    async go(does) {
      // Beyond the third order, for which the store's streak puts a gift into the next one: a charge made meanwhile would be refused.
      const { page, problems } = await open(await another({ ...YOUNG, completedOrdersCount: { min: 3, max: 6 } }));
      await does(page, 'reschedule', { log: 'Schedule moved', fill: moment(45) });
      await does(page, 'rescheduleAll', { log: 'Schedule moved', fill: moment(40) });
      await does(page, 'delay', { log: 'Order delayed', fill: field('Later by', '3') });
      const skips = sent(page, '/skipOrder');
      await does(page, 'skipOrder', { log: 'Order skipped', says: /It was due on /, press: button => button.dblclick() });
      expect(skips()).toBe(1);
      await eventually(() => upcoming(page).first().getAttribute('data-state')).toBe('SKIPPED');
      await does(page, 'unSkipRow', { at: upcoming(page).first(), log: 'Skipped order put back' });
      await eventually(() => upcoming(page).first().getAttribute('data-state')).not.toBe('SKIPPED');
      await does(page, 'skipRow', { at: upcoming(page).nth(1), log: 'Order skipped' });
      await does(page, 'rescheduleRow', { at: upcoming(page).first(), log: 'Order moved', fill: moment(44) });
      await upcoming(page).getByText('Moved').first().waitFor();
      const charges = sent(page, '/chargeNow');
      const paid = page.locator('.r-history-row[data-state="PAID"]');
      const before = await paid.count();
      await does(page, 'chargeRow', { at: upcoming(page).first(), log: 'Order charged by hand', confirm: button => button.dblclick() });
      await eventually(() => paid.count()).toBe(before + 1);
      expect(charges()).toBe(1);
      await does(page, 'chargeNow', {
        log: 'Order charged by hand',
        says: /Next order on /,
        confirm: button =>
          button.evaluate(element => {
            (element as HTMLElement).click();
            (element as HTMLElement).click();
          }),
      });
      await eventually(() => paid.count()).toBe(before + 2);
      expect(charges()).toBe(2);
      await paid.first().locator('.r-expand').click();
      await page.getByRole('heading', { name: 'Payment attempts' }).first().waitFor();
      return problems;
    },
  },
  {
    does: 'is held for a holiday: the orders of its days are skipped, and its note says why',
    acts: ['holdForHoliday'],
    async go(does) {
      const { page, problems } = await open(await another(YOUNG));
      await does(page, 'holdForHoliday', {
        log: 'Order skipped',
        async fill(asked) {
          const days = asked.locator('input[type="datetime-local"], input[type="date"]');
          for (const [i, ahead] of [1, 90].entries()) {
            const type = await days.nth(i).getAttribute('type');
            await days.nth(i).fill(type === 'date' ? inDays(ahead).slice(0, 10) : inDays(ahead));
          }
          await field('Note', 'Back in spring.')(asked);
        },
      });
      await eventually(() => upcoming(page).first().getAttribute('data-state')).toBe('SKIPPED');
      return problems;
    },
  },
  {
    does: 'is asked for money again after a failed payment, once for Enter and a click',
    acts: ['editPaymentMethod', 'retryNow'],
    async go(does) {
      const { page, problems } = await open(
        await another({ status: ['ACTIVE'], lastPaymentStatus: ['FAILED'] }, record => record.dunning !== null),
      );
      await does(page, 'editPaymentMethod', { at: note(page), log: 'Customer asked to update the payment method' });
      const charges = sent(page, '/chargeNow');
      await does(page, 'retryNow', {
        at: note(page),
        log: 'Order charged by hand',
        confirm: async button => {
          await button.press('Enter', { noWaitAfter: true });
          await button.click({ force: true, noWaitAfter: true, timeout: 2000 }).catch(() => undefined);
        },
      });
      expect(charges()).toBe(1);
      return problems;
    },
  },
  {
    does: 'leaves out an order that is not paid',
    acts: ['skipUnpaid'],
    async go(does) {
      const { page, problems } = await open(
        await another({ status: ['ACTIVE'], lastPaymentStatus: ['FAILED'] }, record => record.dunning !== null),
      );
      await does(page, 'skipUnpaid', { at: note(page), log: 'Order skipped' });
      await page.locator('.r-note').filter({ hasText: 'Payment failed' }).waitFor({ state: 'detached' });
      return problems;
    },
  },
  {
    does: 'tries a failed order of its history again',
    acts: ['retryOrder'],
    async go(does) {
      const { page, problems } = await open(
        await another({ status: ['ACTIVE'], lastPaymentStatus: ['FAILED'] }, record => record.dunning !== null),
      );
      await does(page, 'retryOrder', { at: page.locator('.r-history-row[data-state="FAILED"]').first(), log: 'Order charged by hand' });
      return problems;
    },
  },
  {
    does: 'gives back a part of a paid order',
    acts: ['refundOrder'],
    async go(does) {
      const { page, problems } = await open(await another(ACTIVE));
      await does(page, 'refundOrder', {
        at: page.locator('.r-history-row', { has: page.getByRole('button', { name: 'Refund' }) }).first(),
        log: 'Order refunded',
        says: /Came broken/,
        fill: async asked => {
          await field('Amount', '1.00')(asked);
          await field('Reason', 'Came broken')(asked);
        },
      });
      return problems;
    },
  },
  {
    does: 'that is prepaid gets deliveries, another rhythm, and an end after them or at once',
    acts: [
      'adjustCredits',
      'moveDelivery',
      'changePrepaidFrequency',
      'changePrepaidSchedule',
      'markForCancellation',
      'undoMarkForCancellation',
      'cancelPrepaid',
    ],
    async go(does) {
      const { page, problems } = await open(
        await another(
          { status: ['ACTIVE'], isPrepaid: true, isMarkedForCancellation: false },
          record => Number(record.prepaidCreditsLeft) > 0,
        ),
      );
      await does(page, 'adjustCredits', {
        log: 'Prepaid deliveries adjusted',
        says: /A bag was broken/,
        fill: async asked => {
          await field('Deliveries', '2')(asked);
          await field('Reason', 'A bag was broken')(asked);
        },
      });
      await section(page, 'credits').getByRole('button').first().click();
      await section(page, 'credits').getByRole('cell', { name: '± 2', exact: true }).first().waitFor();
      await does(page, 'moveDelivery', { at: section(page, 'deliveries').locator('tbody tr').first(), log: 'Order moved', fill: later });
      const every =
        (deliver: string, charge: string) =>
        async (asked: Locator): Promise<void> => {
          for (const [name, count] of [
            ['Deliver every', deliver],
            ['Charge every', charge],
          ]) {
            await field(`${name}: how many`, count!)(asked);
            await asked.getByLabel(`${name}: unit`).selectOption('WEEK');
          }
        };
      await does(page, 'changePrepaidFrequency', { log: 'Frequency changed', says: /every 3 weeks/i, fill: every('3', '9') });
      await does(page, 'changePrepaidSchedule', { log: 'Frequency changed', says: /every 2 weeks/i, fill: every('2', '12') });
      await does(page, 'markForCancellation', { log: 'Marked to end after the paid deliveries' });
      await page.getByRole('heading', { name: 'Ends after the paid deliveries' }).waitFor();
      await does(page, 'undoMarkForCancellation', { at: note(page), log: 'Kept after the paid deliveries' });
      await does(page, 'cancelPrepaid', { log: 'Subscription cancelled', fill: reason('I am moving or travelling') });
      await status(page, 'Cancelled');
      return problems;
    },
  },
  {
    does: 'is paid by another method, with another as backup',
    acts: ['useAsBackup', 'removeBackup', 'usePaymentMethod'],
    async go(does) {
      const { page, problems } = await open(await withOtherMethod());
      const methods = section(page, 'payment').locator('.r-methods > li');
      await does(page, 'useAsBackup', { at: methods.first(), log: 'Backup payment method set' });
      const backup = section(page, 'payment')
        .locator('.r-part')
        .filter({ has: page.getByRole('heading', { name: /^Backup/ }) });
      await backup.waitFor();
      await does(page, 'removeBackup', { at: backup, log: 'Backup payment method removed' });
      await backup.waitFor({ state: 'detached' });
      await does(page, 'usePaymentMethod', { at: methods.first(), log: 'Payment method changed' });
      return problems;
    },
  },
  {
    does: 'is delivered elsewhere and otherwise',
    acts: [
      'updateShippingDetails',
      'updateToPickup',
      'updateToLocalDelivery',
      'updateLocalDeliveryDetails',
      'updateLocalDeliveryAddress',
      'updateToShipping',
    ],
    async go(does) {
      const { page, problems } = await open(await another({ status: ['ACTIVE'], deliveryType: ['LOCAL_DELIVERY'] }));
      const panel = section(page, 'delivery');
      const option = async (title: RegExp): Promise<Locator> => {
        const change = panel.getByRole('button', { name: 'Change method' });
        if ((await change.getAttribute('aria-expanded')) !== 'true') await change.click();
        return panel
          .locator('.r-list > li')
          .filter({ hasText: title })
          .filter({ has: page.getByRole('button') })
          .first();
      };
      await does(page, 'updateLocalDeliveryDetails', {
        at: panel,
        log: 'Delivery method changed',
        fill: async asked => {
          await field('Phone', '+1 555 010 0199')(asked);
          await field('Instructions', 'Ring twice')(asked);
        },
      });
      await panel.getByText('Ring twice').waitFor();
      await does(page, 'updateLocalDeliveryAddress', {
        at: panel,
        log: 'Shipping address changed',
        fill: field('Apartment, suite, (floor|etc\\.)', 'Side door'),
      });
      await panel.getByText('Side door').waitFor();
      await does(page, 'updateToShipping', { at: await option(/shipping/i), as: 'Use this', log: 'Delivery method changed' });
      await does(page, 'updateShippingDetails', {
        at: panel,
        log: 'Shipping address changed',
        fill: field('Apartment, suite, (floor|etc\\.)', 'Back door'),
      });
      await does(page, 'updateToPickup', { at: await option(/Roastery/), as: 'Use this', log: 'Delivery method changed' });
      await panel.getByRole('heading', { name: 'Picked up at' }).waitFor();
      await does(page, 'updateToLocalDelivery', {
        at: await option(/Bicycle/),
        as: 'Use this',
        log: 'Delivery method changed',
        fill: asked => asked.getByLabel('Phone *').fill('+1 555 010 0198'),
      });
      return problems;
    },
  },
  {
    does: 'takes what it is offered: products beside its own, another one in place of it, and a larger one',
    acts: ['takeUpsell', 'takeUpsellForGood', 'takeSwap', 'takeSwapOnce', 'takeUpgrade'],
    async go(does) {
      const problems: string[] = [];
      for (const [kind, id, log] of [
        ['Upsell', 'takeUpsell', 'Product added to one order'],
        ['Upsell', 'takeUpsellForGood', 'Product added'],
        ['Swap', 'takeSwapOnce', 'Product swapped for one order'],
        ['Swap', 'takeSwap', 'Product swapped'],
        ['Upgrade', 'takeUpgrade', 'Subscription upgraded'],
      ] as const) {
        const offer = await offered(kind.toUpperCase());
        const found = await open(offer);
        const offers = section(found.page, 'offers');
        await offers.getByRole('button', { name: 'Offers' }).click();
        await offers.locator('tbody tr').first().waitFor();
        const rest = offers.getByRole('button', { name: /^Show all/ });
        if (await rest.count()) await rest.click();
        const row = offers.locator('tbody tr', { hasText: kind }).filter({ hasText: offer.name }).first();
        await does(found.page, id, { at: row, log });
        problems.push(...found.problems);
      }
      return problems;
    },
  },
  {
    does: 'holds a set of products: once more, left out of one order, and no longer',
    acts: ['changeBundles', 'leaveBundleOut', 'undoLeaveBundleOut', 'removeBundle', 'addPreset'],
    async go(does) {
      const { page, problems } = await open(await holding('PRESET'));
      const row = section(page, 'bundles').locator('tbody tr').first();
      await does(page, 'changeBundles', { at: row, log: 'Bundle changed', fill: field('How many', '3') });
      await does(page, 'leaveBundleOut', { at: row, log: 'Bundle left out of one order' });
      await row.getByText('Left out').waitFor();
      await does(page, 'undoLeaveBundleOut', { at: row, log: 'One-time change undone' });
      await row.getByText('Left out').waitFor({ state: 'detached' });
      await does(page, 'removeBundle', { at: row, log: 'Bundle removed' });
      await does(page, 'addPreset', { log: 'Bundle added', fill: asked => asked.getByLabel(/^Bundle/).selectOption({ index: 1 }) });
      await row.waitFor();
      return problems;
    },
  },
  {
    does: 'holds a box, with other products in it, and gets another one',
    acts: ['changeBox', 'addBox'],
    async go(does) {
      const { page, problems } = await open(await holding('BYOB'));
      const rows = section(page, 'bundles').locator('tbody tr');
      const pieces =
        (count: string) =>
        async (asked: Locator): Promise<void> => {
          const items = asked.locator('.f-row:not(.f-rows-head)');
          for (let left = await items.count(); left > 1; left--)
            await items
              .last()
              .getByRole('button', { name: /^Remove/ })
              .click();
          if ((await items.count()) === 0) await asked.getByRole('button', { name: 'Add a product' }).click();
          await items.first().getByRole('combobox').selectOption({ index: 1 });
          await items
            .first()
            .getByLabel(/Pieces/)
            .fill(count);
        };
      await does(page, 'changeBox', { at: rows.first(), log: 'Bundle changed', fill: pieces('6') });
      await does(page, 'addBox', {
        log: 'Bundle added',
        async fill(asked) {
          await asked.getByLabel(/^Bundle/).selectOption({ index: 1 });
          await pieces('4')(asked);
        },
      });
      await eventually(() => rows.count()).toBe(2);
      return problems;
    },
  },
  // The last one, so that the others keep the subscriptions they are tried on.
  {
    does: 'is put on another selling plan',
    acts: ['updateSellingPlan'],
    async go(does) {
      const { page, problems } = await open(await another(YOUNG));
      await does(page, 'updateSellingPlan', {
        log: 'Selling plan changed',
        fill: async asked => {
          const plans = asked.getByLabel('Selling plan');
          await eventually(() => plans.locator('option').count()).toBeGreaterThan(1);
          await plans.selectOption({ index: (await plans.locator('option').count()) - 1 });
        },
      });
      return problems;
    },
  },
];

/** An active subscription that holds a bundle of a kind. */
async function holding(bundleType: string): Promise<{ id: number }> {
  const headers = { authorization: await at.product.token() };
  const answer = await fetch(`${at.product.url}/host/v2/bundle/list`, { headers });
  const { data } = (await answer.json()) as { data: { id: number; bundleType: string }[] };
  return another({ ...ACTIVE, bundleIds: data.filter(one => one.bundleType === bundleType).map(one => one.id) });
}

interface Offer {
  kind: string;
  name: string;
  purchaseTypes?: string[];
  mayBeOnce?: boolean;
}
/** An active subscription that is offered something of a kind, once and for good, and the name of that. */
async function offered(kind: string): Promise<{ id: number; name: string }> {
  const authorization = await at.product.token();
  for (;;) {
    const found = await another(ACTIVE);
    const answer = await fetch(`${at.product.url}/host/main/api/merchant/offers/list?id=${found.id}`, { headers: { authorization } });
    const { data } = (await answer.json()) as { data: Offer[] };
    const fits = data.find(one => one.kind === kind && one.mayBeOnce !== false && (one.purchaseTypes?.length ?? 2) === 2);
    if (fits) return { id: found.id, name: fits.name };
  }
}

/** An active subscription whose customer has saved one more payment method. */
async function withOtherMethod(): Promise<{ id: number }> {
  const authorization = await at.product.token();
  for (;;) {
    const found = await another(ACTIVE, record => record.backupPaymentMethod === null);
    const read = async (path: string): Promise<{ data: { shopifyId: number } & { role?: string; status?: string }[] }> =>
      (await fetch(`${at.product.url}/host/${path}`, { headers: { authorization } })).json() as Promise<never>;
    const { data } = await read(`main/api/merchant/subscriptionContract/read?id=${found.id}`);
    const methods = await read(`main/api/merchant/backupPaymentMethod/availablePaymentMethods?subscriptionShopifyId=${data.shopifyId}`);
    if (methods.data.some(one => one.role === 'OTHER' && one.status === 'ACTIVE')) return found;
  }
}

describe('a subscription', () => {
  it.each(JOURNEYS.map(journey => [journey.does, journey] as const))('%s', async (_does, { acts, go }) => {
    const done: string[] = [];
    const problems = await go(async (page, id, how) => {
      await act(page, id, how);
      done.push(id);
    });
    expect([...new Set(done)].sort()).toEqual([...acts].sort());
    expect(problems).toEqual([]);
  });

  it('keeps a note by keyboard, tags and attributes', async () => {
    const { page, problems } = await open(await another(YOUNG));
    await page.getByRole('button', { name: 'Edit note' }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await page.keyboard.type('Leave it with the neighbour.');
    await page.keyboard.press('Control+Enter');
    await notice(page, 'Note saved.');
    await says(page, 'Note changed', /Leave it with the neighbour\./);

    await page.getByRole('button', { name: 'Edit tags' }).click();
    const tags = page.getByRole('group', { name: 'Edit tags' });
    await tags.locator('input').first().fill('gift-wrap');
    await page.keyboard.press('Enter');
    await tags.getByRole('button', { name: 'Save' }).click();
    await notice(page, 'Tags saved.');
    await says(page, 'Tags changed', /gift-wrap/);

    await page.getByRole('button', { name: 'Edit attributes' }).click();
    const attributes = page.getByRole('group', { name: 'Edit attributes' });
    await attributes.getByRole('button', { name: /^Add/ }).click();
    await attributes.locator('input').nth(-2).fill('Doorbell');
    await attributes.locator('input').last().fill('Second floor');
    await attributes.getByRole('button', { name: 'Save' }).click();
    await notice(page, 'Attributes saved.');
    await says(page, 'Attributes changed', /Doorbell: Second floor/);
    await page.reload();
    await page.getByText('Leave it with the neighbour.').first().waitFor();
    expect(problems).toEqual([]);
  });

  it('has no action that these journeys leave out', () => {
    const tried = [
      ...JOURNEYS.flatMap(journey => journey.acts),
      'updateNote',
      'updateTags',
      'updateCustomAttributes',
      ...OF_CARDS,
      ...OF_STATES,
      ...OF_APPS,
      ...OF_CANCELLATION,
      ...OF_GIFTS,
      ...OF_UNCLEAR_CHARGES,
      ...OF_DISPUTES,
    ];
    expect([...ACTIONS.keys()].filter(id => !tried.includes(id))).toEqual([]);
    expect(tried.filter(id => !ACTIONS.has(id))).toEqual([]);
  });
});
