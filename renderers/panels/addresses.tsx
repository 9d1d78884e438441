// The addresses that a customer has saved, the default one first.
import type { JsonObject } from '../../src/contract/types.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import AddressCell from '../cells/address.tsx';
import { toneOf } from '../../src/admin/ui/tone.ts';
import { t } from '../../src/domain/text/t.ts';

export default function Addresses({ record }: PanelProps) {
  const addresses = (Array.isArray(record.addresses) ? record.addresses : []) as JsonObject[];
  if (addresses.length === 0) return <p className="p-muted">{t`No address is saved.`}</p>;
  return (
    <ul className="r-list r-addresses">
      {addresses.map(address => (
        <li key={String(address.id)}>
          <div className="p-grow">
            <AddressCell value={address} record={record} schema={undefined} options={{ lines: true }} />
            {typeof address.phone === 'string' && address.phone && <p className="p-muted">{address.phone}</p>}
          </div>
          {address.isDefault === true && addresses.length > 1 && (
            <span className="p-badge" data-tone={toneOf('standard')}>
              {t`Default`}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
