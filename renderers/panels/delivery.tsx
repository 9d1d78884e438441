// How and where a subscription is delivered, and the other ways the store offers for it, each with its price by today's rates.
import { useState } from 'react';
import { RefreshCw, Store, Truck } from 'lucide-react';
import { fieldOf, optionsOf } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import AddressCell from '../cells/address.tsx';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { money } from '../../src/admin/platform/format.ts';
import { ActionButton } from '../../src/admin/form/actions/buttons.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { useAnswer } from '../../src/admin/record/use-rows.ts';
import { toneOf } from '../../src/admin/ui/tone.ts';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export default function Delivery({ record, schema, actionsOfRow, offer, start }: PanelProps) {
  const [isChoosing, setChoosing] = useState(false);
  const method = isObject(record.deliveryMethod) ? record.deliveryMethod : undefined;
  const kind = optionsOf(fieldOf(schema, 'deliveryType')).find(one => one.value === record.deliveryType)?.title ?? '';
  const branch = [method?.shipping, method?.pickup, method?.localDelivery].find(isObject);
  const option = [branch?.shippingOption, branch?.pickupOption, branch?.localDeliveryOption].find(isObject);
  const location = isObject(option?.location) ? option.location : undefined;
  const address = isObject(record.shippingAddress) ? record.shippingAddress : undefined;
  const edits = ['updateShippingDetails', 'updateLocalDeliveryAddress', 'updateLocalDeliveryDetails'].flatMap(id => offer(id) ?? []);
  const change = offer('updateToShipping', { type: 'SHIPPING' });
  const cash = (price: JsonValue | undefined): string =>
    Number(price) === 0 ? t`Free` : money(price as string, text(record.currencyCode));
  const Icon = record.deliveryType === 'PICKUP' ? Store : Truck;
  return (
    <>
      <div className="r-method">
        <Icon size={18} aria-hidden="true" />
        <div className="r-method-text">
          <p className="p-strong">{text(option?.presentmentTitle) || text(option?.title) || kind}</p>
          <p className="p-hint">
            {[text(option?.title) && kind, record.deliveryType === 'NONE' ? '' : cash(record.deliveryPrice)].filter(Boolean).join(' · ')}
          </p>
          {text(option?.phone) && text(option?.phone) !== text(address?.phone) && (
            <p className="p-hint">{tx`Phone ${text(option?.phone)}`}</p>
          )}
          {text(option?.instructions) && <p className="p-hint">{text(option?.instructions)}</p>}
        </div>
      </div>
      {location && (
        <div className="r-part">
          <h3>{t`Picked up at`}</h3>
          <p>{text(location.name)}</p>
          {isObject(location.address) && (
            <AddressCell value={location.address} record={record} schema={undefined} options={{ lines: true }} />
          )}
        </div>
      )}
      {address && record.deliveryType !== 'PICKUP' && (
        <div className="r-part">
          <AddressCell value={address} record={record} schema={undefined} options={{ lines: true }} />
          {text(address.phone) && <p className="p-muted">{text(address.phone)}</p>}
        </div>
      )}
      <div className="r-links">
        {edits.map(one => (
          <ActionButton key={one.action.id} offer={one} small onStart={() => start(one)} />
        ))}
        {change && (
          <button
            type="button"
            className="p-btn p-btn-s"
            aria-expanded={isChoosing}
            {...(change.refusal === undefined ? {} : { 'aria-disabled': true, 'data-tip': change.refusal })}
            onClick={() => {
              if (change.refusal === undefined) setChoosing(!isChoosing);
            }}
          >
            <RefreshCw aria-hidden="true" />
            {t`Change method`}
          </button>
        )}
      </div>
      {isChoosing && <Options record={record} current={text(option?.code)} cash={cash} actionsOfRow={actionsOfRow} start={start} />}
    </>
  );
}

function Options({
  record,
  current,
  cash,
  actionsOfRow,
  start,
}: Pick<PanelProps, 'record' | 'actionsOfRow' | 'start'> & { current: string; cash: (price: JsonValue | undefined) => string }) {
  const { data, error } = useAnswer(definitions.calls['subscription-contract.availableDeliveryOptions'], { id: record.id ?? null });
  const options = Array.isArray(data) ? (data as JsonObject[]) : undefined;
  if (error)
    return (
      <p className="p-error r-part" role="alert">
        {error.message}
      </p>
    );
  if (!options)
    return (
      <div className="r-part">
        <span className="p-skeleton r-sk-line" style={{ width: '70%' }} />
        <span className="p-skeleton r-sk-line" style={{ width: '50%' }} />
      </div>
    );
  return (
    <ul className="r-list r-part">
      {options.length === 0 && <li className="p-muted">{t`The store delivers nothing else to this address.`}</li>}
      {options.map(one => {
        const [first] = actionsOfRow(one);
        return (
          <li key={`${text(one.type)} ${text(one.code)}`}>
            <span className="p-grow">
              <span className="p-cut">{text(one.title)}</span>
              <span className="p-hint">
                {[isObject(one.price) ? cash(one.price.amount) : t`No price in this currency`, text(one.pickupTime)]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            {one.code === current && one.type === record.deliveryType ? (
              <span className="p-badge" data-tone={toneOf('inUse')}>
                {t`In use`}
              </span>
            ) : (
              first && (
                <ActionButton
                  offer={{ ...first, action: { ...first.action, title: t`Use this` } }}
                  small
                  onStart={() => start(first, one)}
                />
              )
            )}
          </li>
        );
      })}
    </ul>
  );
}
