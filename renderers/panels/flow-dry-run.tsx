// "What would happen": a flow as it is typed, tried on a subscription in memory.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { useState } from 'react';
import { allowsCall } from '../../src/contract/access.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { SubscriptionFinder } from '../../src/admin/form/fields/subscription-finder.tsx';
import { useFormServices } from '../../src/admin/form/fields/use-services.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { useRested } from '../../src/admin/form/page/use-rested.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { callOf } from '../../src/admin/platform/transport/calls.ts';
import '../../src/admin/record/styles/flow.css';
import { t } from '../../src/domain/text/t.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

interface Tried {
  wouldRun: boolean;
  conditions: { text: string; met: boolean }[];
  actions: {
    label: string;
    status: 'SUCCESS' | 'FAILED' | 'SKIPPED';
    message: string | null;
    before: string | null;
    after: string | null;
  }[];
}
const objects = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);
const whole = (actions: JsonObject[]): JsonObject[] => actions.filter(one => typeof one.action === 'string' && one.action !== '');

export default function FlowDryRun({ data, section }: FormPanelProps) {
  const session = useSession();
  const services = useFormServices();
  const [chosen, setChosen] = useState<JsonValue>();
  const [at, setAt] = useState(0);
  const steps = data.flowType === 'CUSTOM' || data.flowType === undefined ? [] : objects(data.journeySteps);
  const step = steps[Math.min(at, steps.length - 1)];
  const flow: JsonObject = {
    flowType: data.flowType ?? 'CUSTOM',
    ...(data.conditions ? { conditions: data.conditions } : {}),
    actions: whole(objects(step ? step.actions : steps.length ? [] : data.actions)),
    ...(step ? { orderNumber: Math.max(1, Number(step.orderNumber) - 1) } : {}),
  };
  const input = useRested<JsonObject>({ subscriptionId: chosen ?? 0, flow });
  const { data: answer, error } = useQuery({
    queryKey: ['flow-dry-run', input],
    enabled: input.subscriptionId !== 0,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }) => services.ask('automations.dryRun', input, signal),
  });
  if (!allowsCall(callOf('subscription-contract.list'), session).ok) return null;
  const tried = chosen === undefined ? undefined : (answer as Tried | undefined);
  return (
    <PanelCard title={section.title ?? t`Try it`}>
      <div className="p-card-body r-flow-try">
        <SubscriptionFinder chosen={chosen} onChoose={setChosen} />
        {steps.length > 1 && (
          <label className="p-field">
            <span className="p-label">{t.as('order')`Before`}</span>
            <select className="p-input p-select" value={at} onChange={event => setAt(Number(event.target.value))}>
              {steps.map((one, i) => (
                <option key={i} value={i}>
                  {t`Order ${String(one.orderNumber)}`}
                </option>
              ))}
            </select>
          </label>
        )}
        {chosen === undefined && (
          <p className="p-hint">{t`Choose a subscription to see what would happen, and why not. Nothing is changed.`}</p>
        )}
        {error && <p className="p-error">{error.message}</p>}
        {tried && !error && <Outcome tried={tried} />}
      </div>
    </PanelCard>
  );
}

function Outcome({ tried }: { tried: Tried }) {
  return (
    <div role="status">
      <p className="p-strong">{tried.wouldRun ? t`The flow would run.` : t`The flow would not run.`}</p>
      {tried.conditions.length > 0 && (
        <ul aria-label={t`Conditions`}>
          {tried.conditions.map((one, i) => (
            <li key={i} data-good={one.met ? 'yes' : 'no'}>
              {one.met ? <CircleCheck aria-label={t`Met`} /> : <CircleX aria-label={t`Not met`} />}
              <span>{one.text}</span>
            </li>
          ))}
        </ul>
      )}
      {tried.actions.length > 0 && (
        <>
          <p className="p-hint">{tried.wouldRun ? t`It would do this:` : t`If it did, it would do this:`}</p>
          <ul aria-label={t`Actions`}>
            {tried.actions.map((one, i) => (
              <li key={i} data-good={one.status === 'SUCCESS' ? 'yes' : one.status === 'FAILED' ? 'no' : 'none'}>
                {one.status === 'SUCCESS' ? (
                  <CircleCheck aria-label={t`Done`} />
                ) : one.status === 'FAILED' ? (
                  <CircleX aria-label={t`Not possible`} />
                ) : (
                  <CircleMinus aria-label={t`Left alone`} />
                )}
                <span>
                  {one.label}
                  <span className="p-hint">{one.message ? ` ${one.message}` : one.after ? ` ${one.after}` : ''}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
