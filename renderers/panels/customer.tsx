// Who the subscription belongs to: name and ways to reach them, what they have spent, their other
// subscriptions, the link to their own page.
import { ExternalLink, User } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { fieldOf } from '../../src/contract/paths.ts';
import BadgeCell from '../cells/badge.tsx';
import CopyCell from '../cells/copy.tsx';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { counted, day, initials, money } from '../../src/admin/platform/format.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { useAnswer } from '../../src/admin/record/use-rows.ts';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

const SHOWN = 4;
const ORDERS = { one: t`order`, many: t`orders` };
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export default function Customer({ data, record, schema }: PanelProps) {
  const customer = (data ?? {}) as JsonObject;
  const name = `${text(customer.firstName)} ${text(customer.lastName)}`.trim() || text(customer.email) || t`Customer without a name`;
  const isNameless = name === t`Customer without a name`;
  const total = Number(customer.subscriptionsCount ?? customer.allSubscriptionsCount ?? 0);
  const call = total > 1 ? definitions.calls['subscription-contract.list'] : undefined;
  const { data: found } = useAnswer(call, { pageSize: SHOWN + 1, filter: { customerId: [record.customerId ?? null] } });
  const others = (Array.isArray(found) ? (found as JsonObject[]) : []).filter(one => one.id !== record.id).slice(0, SHOWN);
  return (
    <>
      <div className="r-who">
        <span className="p-avatar" aria-hidden="true">
          {isNameless ? <User size={18} /> : initials(name)}
        </span>
        <div className="p-grow">
          <p className="p-strong p-cut">{customer.id ? <Link to={`/customers/${String(customer.id)}`}>{name}</Link> : name}</p>
          <p className="p-hint">
            {[
              Number(customer.ordersCount ?? 0) > 0 &&
                t`${counted(Number(customer.ordersCount), ORDERS)}, ${money(text(customer.totalSpent), text(customer.currencyCode))} spent`,
            ]
              .filter(Boolean)
              .join('') || t`No paid orders yet`}
          </p>
        </div>
      </div>
      <ul className="r-list r-reach">
        {text(customer.email) && (
          <li>
            <CopyCell value={customer.email} record={customer} schema={{ title: t`e-mail address` }} options={{}} />
          </li>
        )}
        {!text(customer.email) && <li className="p-muted">{t`No e-mail address`}</li>}
        {text(customer.phone) && (
          <li>
            <CopyCell value={customer.phone} record={customer} schema={{ title: t`phone number` }} options={{}} />
          </li>
        )}
      </ul>
      {others.length > 0 && (
        <div className="r-part">
          <h3>{t`Other subscriptions`}</h3>
          <ul className="r-list">
            {others.map(one => (
              <li key={String(one.id)}>
                <Link className="p-cut p-grow" to={`/subscriptions/${String(one.id)}`}>
                  #{String(one.id)} {text(one.products)}
                </Link>
                {typeof one.nextBillingDateEpoch === 'number' && <span className="p-hint">{day(one.nextBillingDateEpoch)}</span>}
                <BadgeCell value={one.status} record={one} schema={fieldOf(schema, 'status')} options={{}} />
              </li>
            ))}
          </ul>
          {total - 1 > others.length && (
            <p className="p-hint">
              <Link to={`/customers/${String(customer.id)}`}>{tx`and ${total - 1 - others.length} more`}</Link>
            </p>
          )}
        </div>
      )}
      <div className="r-links">
        {text(customer.portalLink) && (
          <a
            href={text(customer.portalLink)}
            target="_blank"
            rel="noreferrer"
            className="r-inline"
            data-tip={t`What the customer sees. How long the link is good stands under Portal accessibility.`}
          >
            {t`Customer portal `}
            <ExternalLink size={13} aria-hidden="true" />
          </a>
        )}
        <span className="r-inline p-hint">
          {t`Customer id`} <CopyCell value={customer.id} record={customer} schema={{ title: t`customer id` }} options={{}} />
        </span>
      </div>
    </>
  );
}
