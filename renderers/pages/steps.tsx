// A page of steps that are done one after another: what each is for, whether it is done, and the button that does it.
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { holds } from '../../src/contract/validation/condition.ts';
import type { JsonObject, When } from '../../src/contract/types.ts';
import { useAsk, useCall } from '../../src/admin/platform/transport/calls.ts';
import { words } from '../../src/admin/platform/interpolate.ts';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { useAllowed, useFacts } from '../../src/admin/platform/session/session.tsx';
import { Icon } from '../../src/admin/ui/icons.tsx';
import { notifyError } from '../../src/admin/ui/notices/notices.tsx';
import { ErrorState } from '../../src/admin/ui/pages/error-page.tsx';
import './steps.css';
import { t } from '../../src/domain/text/t.ts';

interface Step {
  title: string;
  text: string;
  done: When;
  when?: When;
  call?: string;
  to?: string;
  button?: string;
  notes?: { when: When; title: string; text: string; tone?: string }[];
}
type Options = {
  call: string;
  refresh?: string;
  intro?: string;
  steps: Step[];
};

export default function Steps({ resource }: PageProps): ReactElement {
  const options = resource.options as unknown as Options;
  const query = useAsk<JsonObject>(options.call, {});
  const facts = useFacts();
  const { data } = query;
  const isTrue = (when: When | undefined): boolean => holds(when, { siblings: data ?? {}, root: data ?? {}, facts });
  const open = data ? options.steps.findIndex(step => !isTrue(step.done)) : -1;
  return (
    <div className="p-page p-page-narrow">
      <div className="p-page-head">
        <h1 className="p-page-title">{resource.title}</h1>
        {options.refresh && (
          <div className="p-page-actions">
            <Run call={options.refresh} title={t`Refresh status`} onDone={query.refetch} />
          </div>
        )}
      </div>
      {options.intro && <p className="p-muted steps-intro">{options.intro}</p>}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {!query.isError && (
        <ol className="p-card p-divided steps" aria-busy={data === undefined}>
          {options.steps.map((step, i) => {
            const isDone = data !== undefined && isTrue(step.done);
            const note = data && !isDone ? step.notes?.find(one => isTrue(one.when)) : undefined;
            const state = isDone ? t`Done` : (note?.title ?? (i === open ? t`To do` : t`Later`));
            return (
              <li key={step.title} className="p-card-body steps-one">
                <span className="steps-mark" data-done={isDone}>
                  {isDone ? <Icon name="check" /> : i + 1}
                </span>
                <div className="p-grow">
                  <h2>{step.title}</h2>
                  <p className="p-muted">{note && data ? words(note.text, { record: data }) : step.text}</p>
                </div>
                {!data && <span className="p-badge p-skeleton" aria-hidden="true" />}
                {data && (
                  <span className="p-badge" data-tone={isDone ? 'success' : (note?.tone ?? 'neutral')}>
                    {state}
                  </span>
                )}
                {i === open && step.button && isTrue(step.when) && (
                  <>
                    {step.call ? (
                      <Run call={step.call} title={step.button} onDone={query.refetch} isPrimary />
                    ) : (
                      <Link className="p-btn p-btn-primary" to={step.to ?? '/'}>
                        {step.button}
                      </Link>
                    )}
                  </>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}

/** A button that runs a call without input; it rests where the person may not. */
function Run({
  call,
  title,
  onDone,
  isPrimary = false,
}: {
  call: string;
  title: string;
  onDone: () => unknown;
  isPrimary?: boolean;
}): ReactElement {
  const { run, isPending } = useCall(call);
  const allowed = useAllowed(call);
  const start = (): void => {
    run({}).then(onDone, (error: unknown) => notifyError(error));
  };
  return (
    <button
      type="button"
      className={`p-btn ${isPrimary ? 'p-btn-primary' : ''}`}
      disabled={isPending || !allowed.ok}
      title={allowed.ok ? undefined : allowed.message}
      onClick={start}
    >
      {title}
    </button>
  );
}
