// A payment method by the parts that a row holds of it: brand, last digits or account, when it expires,
// and its state where that needs attention.
import { at } from '../../src/contract/paths.ts';
import { fieldOf, optionsOf } from '../../src/contract/paths.ts';
import type { CellHints, CellProps } from '../../src/admin/ui/cells.ts';
import { useSchema } from '../../src/admin/platform/definitions.ts';
import { PaymentBrandIcon } from '../../src/admin/ui/payment-brand.tsx';
import BadgeCell from './badge.tsx';
import { t } from '../../src/domain/text/t.ts';

export const looks: Partial<CellHints> = { width: 220, flexible: true, also: () => ['lastDigits', 'expiryMonth', 'expiryYear'] };

export default function PaymentMethodCell({ value, record }: CellProps) {
  const schema = useSchema('entities/payment-method');
  if (typeof value !== 'string' || !value) return <span className="p-muted">{t`No payment method`}</span>;
  const brand = optionsOf(fieldOf(schema, 'brand')).find(one => one.value === value)?.title ?? value;
  const digits = at(record, 'lastDigits');
  const account = at(record, 'paypalAccountEmail');
  const [month, year] = [Number(at(record, 'expiryMonth')), Number(at(record, 'expiryYear'))];
  const status = at(record, 'paymentMethodStatus');
  const number = digits ? `•••• ${String(digits)}` : typeof account === 'string' ? account : '';
  const expiry = month && year ? `${String(month).padStart(2, '0')}/${String(year).slice(-2)}` : '';
  // In a narrow column the expiry goes first, then the brand is cut; the digits, which tell one card from another, stay.
  return (
    <span className="l-method" data-tip={expiry ? t`${brand} ${number}, expires ${expiry}` : `${brand} ${number}`}>
      <PaymentBrandIcon brand={value} width={24} />
      <span className="l-method-name">
        <span className="p-cut">{brand}</span>
        {number && <span className={digits ? 'p-tabular l-method-digits' : 'p-cut l-method-account'}>{number}</span>}
        {expiry && <span className="p-muted p-tabular l-method-expiry">· {expiry}</span>}
      </span>
      {status !== 'ACTIVE' && <BadgeCell value={status} record={record} schema={fieldOf(schema, 'status')} options={{}} />}
    </span>
  );
}
