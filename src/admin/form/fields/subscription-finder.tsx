// One subscription, found by typing: for panels that try what a page says on one.
import { useId } from 'react';
import type { JsonValue } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import { Combobox } from './combobox.tsx';
import { useChosen, useLoad } from './records.ts';
import { useFormServices } from './use-services.ts';

export function SubscriptionFinder({
  chosen,
  onChoose,
}: {
  chosen: JsonValue | undefined;
  onChoose: (chosen: JsonValue | undefined) => void;
}) {
  const services = useFormServices();
  const id = useId();
  const load = useLoad(services, 'subscription', undefined);
  const shown = useChosen(services, 'subscription', chosen === undefined ? [] : [chosen]);
  return (
    <div className="p-field">
      <label className="p-label" htmlFor={id}>
        {t`Subscription`}
      </label>
      <Combobox
        id={id}
        label={t`Subscription`}
        chosen={shown}
        load={load}
        things="subscriptions"
        placeholder={t`Find a subscription`}
        onPick={choice => onChoose(choice.value)}
        onClear={() => onChoose(undefined)}
      />
    </div>
  );
}
