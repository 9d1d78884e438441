// The date of its delivery that an order carries for warehouses and delivery apps, in an attribute or a line of its note.
import type { DateField, DateFields } from '../../../domain/schedule/order-schedule-settings.ts';
import { shortDate } from '../../../domain/calendar/short-date.ts';
import type { ContractRow, OrderRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/**
 * The attributes and the note of an order, with its delivery date in the field that the contract has for it. What the customer chose at
 * checkout under the same name gives way.
 */
export function writeDateField(
  { zone }: Pick<UnitOfWork, 'zone'>,
  c: ContractRow,
  order: Pick<OrderRow, 'delivery_at'>,
): { attributes: { key: string; value: string }[]; note: string } {
  const attributes = c.custom_attributes as { key: string; value: string }[];
  const fields = c.date_fields as DateFields | null;
  const field: DateField | null = (c.delivery_type === 'PICKUP' ? fields?.pickup : fields?.delivery) ?? null;
  if (!field) return { attributes, note: c.note };
  const value = shortDate(order.delivery_at.getTime(), zone, field.dateFormat);
  if (field.source === 'ORDER_ATTRIBUTE') {
    const at = attributes.findIndex(one => one.key === field.key);
    return {
      attributes:
        at < 0
          ? [...attributes, { key: field.key, value }]
          : attributes.map((one, index) => (index === at ? { key: field.key, value } : one)),
      note: c.note,
    };
  }
  const others = c.note
    .split('\n')
    .filter(line => !line.startsWith(`${field.key}: `))
    .join('\n')
    .trimEnd();
  return { attributes, note: [...(others ? [others] : []), `${field.key}: ${value}`].join('\n') };
}
