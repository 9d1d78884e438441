// The updates that bring existing subscriptions to the order schedule that is saved: its dates, and
// the fields that orders say their date in.
import { orderScheduleOf, termsFor } from '../../../../domain/schedule/order-schedule-settings.ts';
import { type Outcome, applyDateFields, applyTerms, placeOf } from '../../../engine/index.ts';
import { running, type ContractUpdate } from './contract-update.ts';

/** Weekdays, kind of dates and days before delivery, as they were saved when the update was started (`input.page`). */
export const chargeOffsets: ContractUpdate = {
  kind: 'UPDATE_CHARGE_OFFSET',
  ...running,
  async apply(work, aggregates, input) {
    const settings = orderScheduleOf(input.page as Parameters<typeof orderScheduleOf>[0]);
    return aggregates.map((subscription): Outcome => ({
      contractId: subscription.contract.id,
      changed: applyTerms(work, subscription, termsFor(settings, placeOf(subscription.contract))),
    }));
  },
};

/** The delivery and pickup date fields, as they were saved when the update was started (`input.page`). */
export const deliveryDateFields: ContractUpdate = {
  kind: 'UPDATE_DELIVERY_DATE_FIELDS',
  ...running,
  async apply(work, aggregates, input) {
    const { dateFields } = orderScheduleOf(input.page as Parameters<typeof orderScheduleOf>[0]);
    return aggregates.map((subscription): Outcome => ({
      contractId: subscription.contract.id,
      changed: applyDateFields(work, subscription, dateFields),
    }));
  },
};
