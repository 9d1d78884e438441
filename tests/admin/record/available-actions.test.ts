// Which actions a record and its rows offer, by the product's own definitions: conditions, states, rights, and what the server says.
import { describe, expect, it } from 'vitest';
import { menuOf } from '../../../src/admin/form/actions/buttons.tsx';
import { type ActionScope, availabilityOf, availableActionsOf, placed } from '../../../src/admin/form/actions/available-actions.ts';
import { shortcutOf } from '../../../src/admin/ui/shortcuts.ts';
import type { JsonObject, ListSection, PanelSection, Section } from '../../../src/contract/types.ts';
import { productDefinitions } from '../../support/definitions.ts';
import { permission, session } from '../../contract/session.ts';

const definitions = productDefinitions();
const screen = definitions.resources['subscriptions/[id]']!;
const actions = screen.actions ?? [];
const sections: Section[] = [...screen.record!.main, ...(screen.record!.side ?? [])];
const rowActions = (id: string) => (sections.find(section => section.id === id) as ListSection | PanelSection).rowActions ?? [];
const AREAS = [
  'subscriptionDetails',
  'changeSubscriptionStatus',
  'subscriptionOrderActions',
  'subscriptionProduct',
  'subscriptionDiscount',
  'subscriptionShipping',
  'subscriptionShippingRates',
  'subscriptionPaymentDetails',
  'orderNotesAndAttributes',
  'prepaidCredits',
];
const writer = session({ permissions: AREAS.map(area => permission(area, 'WRITE')) });
const reader = session({ permissions: AREAS.map(area => permission(area, 'READ')) });
const EVERYTHING = [
  ...new Set(
    Object.values(definitions.calls)
      .filter(call => call.of === 'subscription')
      .map(call => call.key),
  ),
];

const base: JsonObject = {
  id: 1,
  version: 3,
  status: 'ACTIVE',
  nextOrderId: 10_002,
  isPrepaid: false,
  isMarkedForCancellation: false,
  prepaidCreditsLeft: 0,
  ordersUntilCancellable: 0,
  deliveryType: 'SHIPPING',
  dunning: null,
  actions: EVERYTHING,
};
const scope = (record: JsonObject, more: Partial<ActionScope> = {}): ActionScope => ({
  calls: definitions.calls,
  table: screen.calls,
  of: screen.of,
  schema: definitions.entities.subscription,
  record: { ...base, ...record },
  session: writer,
  facts: {},
  isRecord: true,
  ...more,
});
const head = (record: JsonObject, more?: Partial<ActionScope>) => placed(availableActionsOf(actions, scope(record, more)), 'head');
const ids = (offers: { action: { id: string } }[]): string[] => offers.map(({ action }) => action.id);

describe('the actions of a subscription', () => {
  it('offer what the state allows, with exactly one primary', () => {
    const wanted: Record<string, string> = {
      ACTIVE: 'skipOrder',
      PAUSED: 'resume',
      CANCELLED: 'reactivate',
      EXPIRED: 'reactivate',
      FAILED: 'reactivate',
    };
    for (const [status, primary] of Object.entries(wanted))
      expect(ids(head({ status }).filter(({ action }) => action.primary)), status).toEqual([primary]);
    expect(ids(head({ status: 'ACTIVE' }))).toContain('pause');
    expect(ids(head({ status: 'PAUSED', resumeDateEpoch: 1_795_615_200 }))).toContain('changePause');
    expect(ids(head({ status: 'PAUSED', resumeDateEpoch: null }))).toContain('limitPause');
    expect(ids(head({ status: 'CANCELLED' })).filter(id => /cancel|pause|resume/i.test(id))).toEqual([]);
  });
  it('offer one way to cancel: plain, before the minimum, or with paid deliveries left', () => {
    const cancels = (record: JsonObject) => ids(head(record)).filter(id => id.startsWith('cancel') && id !== 'cancellationFlow');
    expect(cancels({})).toEqual(['cancel']);
    expect(cancels({ ordersUntilCancellable: 2 })).toEqual(['cancelEarly']);
    expect(cancels({ prepaidCreditsLeft: 2, isPrepaid: true })).toEqual(['cancelPrepaid']);
    expect(ids(head({ prepaidCreditsLeft: 2, isPrepaid: true }))).toContain('markForCancellation');
  });
  it('are shown to those who may not use them, with the reason', () => {
    const offers = head({}, { session: reader });
    expect(offers.length).toBeGreaterThan(4);
    // The cancellation flow is of another plan than the test's.
    for (const { refusal, action } of offers.filter(({ action }) => action.id !== 'cancellationFlow'))
      expect(refusal, action.id).toMatch(/^You don't have permission to change this/);
  });
  it("say why not: in the server's sentence, else by the state and what leads out of it", () => {
    const without = (key: string): JsonObject => ({ actions: EVERYTHING.filter(name => name !== key) });
    const refusal = (record: JsonObject, id: string): string | undefined => head(record).find(({ action }) => action.id === id)?.refusal;
    expect(
      refusal({ ...without('chargeNow'), refusals: { chargeNow: 'A charge for this order is already in progress.' } }, 'chargeNow'),
    ).toBe('A charge for this order is already in progress.');
    expect(refusal({ ...without('updateBillingDetails'), status: 'CANCELLED' }, 'updateBillingDetails')).toBe(
      'This subscription is cancelled. Reactivate it first.',
    );
    expect(refusal({ ...without('chargeNow'), status: 'PAUSED' }, 'chargePaused')).toBe('This subscription is paused. Resume it first.');
    expect(refusal({ ...without('updateBillingDetails'), status: 'FAILED' }, 'updateBillingDetails')).toBe(
      'This subscription has failed. Reactivate it first.',
    );
    expect(refusal(without('delay'), 'delay')).toBe('This active subscription does not allow it at the moment.');
  });
  it('stand at the section that their group names', () => {
    expect(ids(placed(availableActionsOf(actions, scope({})), 'section', 'lines'))).toEqual([
      'addDiscount',
      'addLine',
      'addPreset',
      'addBox',
    ]);
    expect(placed(availableActionsOf(actions, scope({})), 'section', 'nowhere')).toEqual([]);
  });
});

it('of a list ask no field that is called as the list of what a record allows: a flow has actions of its own', () => {
  const flows = definitions.resources['flows']!;
  const offers = availableActionsOf(flows.list!.rowActions!, {
    ...{ calls: definitions.calls, table: flows.calls, of: flows.of, schema: definitions.entities.flow },
    record: { id: 1, status: 'ENABLED', actions: [{ action: 'SKIP_ORDER' }] },
    session: session({ permissions: [permission('flowManagement', 'WRITE')], features: ['user_permission', 'flows'] }),
    facts: {},
  });
  expect(offers.map(({ action, refusal }) => [action.id, refusal])).toContainEqual(['delete', undefined]);
});

describe('the actions of a row', () => {
  it('are those that the server lists for it', () => {
    const of = (row: JsonObject) => ids(availableActionsOf(rowActions('upcoming'), scope({}, { row })));
    expect(of({ id: 10_002, status: 'SCHEDULED', actions: ['skipOrder', 'rescheduleOneOrder'] })).toEqual(['skipRow', 'rescheduleRow']);
    expect(of({ id: 10_003, status: 'SKIPPED', actions: ['unSkipOrder'] })).toEqual(['unSkipRow']);
    expect(of({ id: 10_004, status: 'SCHEDULED', actions: [] })).toEqual([]);
  });
  it("follow the row's own fields", () => {
    const of = (row: JsonObject) => ids(availableActionsOf(rowActions('lines'), scope({}, { row })));
    const line = { id: 5, shopifyId: 'line-5', isOneTimeAdded: false, isOneTimeRemoved: false };
    expect(of(line)).toContain('skipLineItem');
    expect(of({ ...line, isOneTimeRemoved: true })).toContain('undoLeaveOut');
    expect(of({ ...line, isOneTimeRemoved: true })).not.toContain('skipLineItem');
    expect(of(line)).not.toContain('removeDiscount');
  });
  it('are none for a call that the definitions lack', () => {
    expect(availabilityOf({ id: 'x', title: 'X', call: 'subscription-contract.fly' }, scope({}))).toBeUndefined();
  });
});

describe('a menu of actions', () => {
  it('keeps groups together and dangerous ones apart at the end', () => {
    const items = menuOf(
      head({}).filter(({ action }) => !action.primary && action.place !== 'header'),
      () => undefined,
    );
    expect(items.filter(item => item.kind === 'head').map(item => item.title)).toEqual(['Orders', 'Subscription']);
    expect(items.at(-1)).toMatchObject({ title: 'Cancel subscription', tone: 'critical' });
    expect(items.at(-2)).toEqual({ kind: 'separator' });
    expect(items.find(item => item.title === 'Charge now')?.hint).toBe('C');
  });
});

describe('a shortcut', () => {
  it("is named as the screen's file writes it, and no two actions of a state share one", () => {
    expect(shortcutOf({ key: 's', shiftKey: false })).toBe('S');
    expect(shortcutOf({ key: 'C', shiftKey: true })).toBe('Shift+C');
    for (const status of ['ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED']) {
      const keys = head({ status }).flatMap(({ action }) => action.shortcut ?? []);
      expect(new Set(keys).size, `${status}: ${keys.join()}`).toBe(keys.length);
    }
  });
});
