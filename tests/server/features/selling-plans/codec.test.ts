import { assert, constant, constantFrom, integer, property, record, string, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planFromWire, planToWire, sellingPlanChanges, sellingPlanGroup } from '../../../../src/domain/codecs/selling-plan-group.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { monthly, weekly } from './plans.ts';

const form = { lspgId: 7, name: 'Save', merchantCode: 'save', optionLabel: 'Deliver' };

describe('a selling plan group between the form and the wire', () => {
  test('D021 plans without id are created, those with one updated, and those that are gone deleted', () => {
    const wire = sellingPlanChanges.encode({
      ...form,
      version: 3,
      planIds: [1, 2, 3],
      sellingPlans: [weekly({ lspId: 2 }), monthly(), monthly({ lspId: 1, name: 'M', optionLabel: 'M' })],
    }) as JsonObject;
    expect(wire).toMatchObject({
      lspgId: 7,
      version: 3,
      sellingPlansToCreate: [{ name: 'Delivered monthly', position: 2 }],
      sellingPlansToUpdate: [
        { lspId: 2, position: 1 },
        { lspId: 1, position: 3 },
      ],
      sellingPlansToDelete: [3],
    });
    expect(wire).not.toHaveProperty('sellingPlans');
    expect((wire.sellingPlansToCreate as JsonObject[])[0]).not.toHaveProperty('lspId');
    expect(sellingPlanChanges.decode(wire)).toMatchObject({
      sellingPlans: [{ lspId: 2 }, { name: 'Delivered monthly' }, { lspId: 1 }],
      planIds: [2, 1, 3],
    });
  });

  test('the two ticks of the form stand for whole policies on the wire, and come back from them', () => {
    expect(planToWire(monthly({ hasAnchor: true, anchorDay: 5, anchorMonth: 4 }))).toMatchObject({
      recurringBillingPolicyInterval: 'MONTH',
      recurringBillingPolicyIntervalCount: 1,
      anchorType: 'MONTHDAY',
      anchorDay: 5,
      anchorMonth: null,
    });
    expect(planToWire(weekly({ hasAnchor: false, anchorType: 'WEEKDAY', anchorDay: 3 }))).toMatchObject({
      anchorType: null,
      anchorDay: null,
    });
    for (const tick of ['isPrepaid', 'hasAnchor']) expect(planToWire(monthly())).not.toHaveProperty(tick);
    expect(
      planFromWire(
        planToWire(monthly({ isPrepaid: true, recurringBillingPolicyInterval: 'MONTH', recurringBillingPolicyIntervalCount: 6 })),
      ),
    ).toMatchObject({ isPrepaid: true, hasAnchor: false });
    expect(planFromWire({ ...planToWire(monthly()), recurringDiscountType: 'NONE', recurringDiscountAfterCycle: null })).toMatchObject({
      recurringDiscountType: null,
    });
    expect(planFromWire({ ...planToWire(monthly()), recurringDiscountType: 'NONE', recurringDiscountAfterCycle: 3 })).toMatchObject({
      recurringDiscountType: 'NONE',
    });
  });

  test('publishing travels as the status', () => {
    for (const [publish, status] of [
      [true, 'ACTIVE'],
      [false, 'DRAFT'],
    ] as const) {
      expect(sellingPlanChanges.encode({ ...form, publish })).toEqual({ ...form, status });
      expect(sellingPlanChanges.decode({ ...form, status })).toEqual({ ...form, publish });
    }
    expect(sellingPlanChanges.encode(form)).toEqual(form);
  });

  test('what is no list is left for the schema to refuse', () => {
    expect(sellingPlanChanges.decode({ ...form, sellingPlansToCreate: 'all' })).toMatchObject({ sellingPlans: 'all' });
    expect(sellingPlanChanges.decode({ ...form, sellingPlansToDelete: 4 })).toMatchObject({ sellingPlans: 4 });
  });

  test('an answer that went over the wire is what the form would send back unchanged', () => {
    const unit = constantFrom('DAY', 'WEEK', 'MONTH', 'YEAR');
    const plan = record({
      lspId: integer({ min: 1, max: 1000 }),
      name: string(),
      recurringDeliveryPolicyInterval: unit,
      recurringDeliveryPolicyIntervalCount: integer({ min: 1, max: 9 }),
      recurringBillingPolicyInterval: unit,
      recurringBillingPolicyIntervalCount: integer({ min: 1, max: 9 }),
      anchorType: constant(null),
      anchorDay: constant(null),
      anchorMonth: constant(null),
      recurringDiscountType: constantFrom(null, 'PRICE'),
      recurringDeliveryPolicyCutOff: integer({ min: 0, max: 3 }),
    });
    assert(
      property(uniqueArray(plan, { selector: one => one.lspId, maxLength: 6 }), plans => {
        const wire = plans.map((one, i): JsonObject => ({ ...one, position: i + 1 }));
        const opened = sellingPlanGroup.decode({ ...form, sellingPlans: wire });
        expect(sellingPlanGroup.encode(opened)).toEqual({ ...form, sellingPlans: wire });
        expect(sellingPlanChanges.encode(opened)).toEqual({
          ...form,
          sellingPlansToCreate: [],
          sellingPlansToUpdate: wire,
          sellingPlansToDelete: [],
        });
      }),
    );
  });
});
