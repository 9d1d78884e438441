// Translation by machine on the page of a language: started, followed and stopped, and what it proposes published or thrown away.
import { Languages } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { allowsCall } from '../../../contract/access.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { count } from '../../platform/format.ts';
import { useSession } from '../../platform/session/session.tsx';
import { callOf, useAsk, useCall } from '../../platform/transport/calls.ts';
import { confirm } from '../../ui/overlays/dialog.tsx';
import { MenuButton, type MenuItem } from '../../ui/overlays/menu.tsx';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

interface Status {
  status: 'NOT_STARTED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  progress: number;
  total: number;
  processed: number;
  failed: number;
  drafts: number;
  /** What was changed during the translation, so that it has no proposal; `changedTexts` names the first of them. */
  changed: number;
  changedTexts: { key: string; label: string }[];
  error: string | null;
}
export interface MachineProps {
  locale: string;
  name: string;
  category: { id: string; title: string };
  /** Whether something typed is not saved. */
  isDirty: boolean;
}

export function MachineTranslation({ locale, name, category, isDirty }: MachineProps) {
  const session = useSession();
  const client = useQueryClient();
  const { data } = useAsk<Status>(
    'ai-translate.translationStatus',
    { targetLanguage: locale },
    { refetchInterval: query => ((query.state.data?.data as Status | undefined)?.status === 'IN_PROGRESS' ? 1000 : false) },
  );
  const [start, stop, publish, discard] = [
    useCall('ai-translate.translate'),
    useCall('ai-translate.cancel'),
    useCall('ai-translate.publish'),
    useCall('ai-translate.discard'),
  ];
  const verdict = allowsCall(callOf('ai-translate.translate'), session);
  const before = useRef<string>(undefined);
  useEffect(() => {
    // Proposals came in: the texts are read again.
    if (before.current === 'IN_PROGRESS' && data && data.status !== 'IN_PROGRESS') {
      void client.invalidateQueries({ predicate: query => query.queryKey[0] === 'store-text' || query.queryKey[0] === 'store-language' });
      if (data.status === 'COMPLETED')
        notify(
          data.drafts === 1
            ? t`Translation finished: 1 proposal to review.`
            : t`Translation finished: ${count(data.drafts)} proposals to review.`,
        );
    }
    before.current = data?.status;
  }, [data, client]);
  const run = async (call: typeof start, input: JsonObject): Promise<void> => {
    try {
      const { message } = await call.run({ targetLanguage: locale, ...input });
      if (message) notify(message);
    } catch (error) {
      notifyError(error);
    }
  };
  const items = (): MenuItem[] => [
    ...(data && data.changed > 0
      ? [
          {
            title: data.changed === 1 ? t`The text that was changed meanwhile` : t`The ${data.changed} texts that were changed meanwhile`,
            onSelect: () => void run(start, { scope: 'CHANGED' }),
          },
        ]
      : []),
    { title: t`Missing texts of ${category.title}`, onSelect: () => void run(start, { scope: 'CATEGORY', categoryIds: [category.id] }) },
    { title: t`All missing texts`, onSelect: () => void run(start, { scope: 'ALL_MISSING' }) },
    {
      title: t`All texts of ${category.title} again`,
      onSelect: () =>
        void confirm({
          title: t`Translate ${category.title} again?`,
          text: t`Texts that are translated already get a proposal too. What customers read stays as it is until you publish.`,
          submit: t`Translate again`,
        }).then(yes => (yes ? run(start, { scope: 'CATEGORY', categoryIds: [category.id], overwrite: true }) : undefined)),
    },
  ];
  if (!data) return <section className="p-card x-machine-wait" aria-hidden="true" />;
  const isRunning = data.status === 'IN_PROGRESS';
  return (
    <section className="p-card" aria-label={t`Translation by machine`}>
      <div className={isRunning ? 'p-card-body p-stack-s' : 'p-card-body x-machine'}>
        {isRunning ? (
          <>
            <p role="status">{tx`Translating into ${name} … you can leave this page. ${count(data.processed)} of ${count(data.total)}`}</p>
            <div
              className="p-progress"
              role="progressbar"
              aria-label={t`Translation`}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={data.progress}
            >
              <span style={{ width: `${data.progress}%` }} />
            </div>
          </>
        ) : (
          <p className="p-muted">
            {data.drafts > 0
              ? data.drafts === 1
                ? t`1 proposal waits for you, before customers read them.`
                : t`${count(data.drafts)} proposals wait for you, before customers read them.`
              : t`A machine can propose translations. You look at them before customers read them.`}
            {data.status === 'FAILED' && data.error ? ` ${data.error}` : ''}
            {data.status === 'COMPLETED' && data.failed > 0 ? ` ${untranslated(data.failed)}` : ''}
            {data.changed > 0 ? ` ${left(data)}` : ''}
          </p>
        )}
        {verdict.ok && (
          <div className="p-row">
            {isRunning ? (
              <button type="button" className="p-btn" aria-busy={stop.isPending} onClick={() => void run(stop, {})}>
                {t`Stop`}
              </button>
            ) : (
              <MenuButton className="p-btn" label={t`Translate by machine`} items={items}>
                <Languages size={16} aria-hidden="true" /> {t`Translate`}
              </MenuButton>
            )}
            {!isRunning && data.drafts > 0 && (
              <>
                <button
                  type="button"
                  className="p-btn p-btn-primary"
                  aria-busy={publish.isPending}
                  {...(isDirty ? { 'aria-disabled': true, 'data-tip': t`Save or discard your changes first.` } : {})}
                  onClick={() => {
                    if (!isDirty) void run(publish, {});
                  }}
                >
                  {t`Publish all`}
                </button>
                <button type="button" className="p-btn" aria-busy={discard.isPending} onClick={() => void run(discard, {})}>
                  {t`Throw away`}
                </button>
              </>
            )}
          </div>
        )}
      </div>
    </section>
  );
}

/** How many texts the machine could not translate. */
const untranslated = (failed: number): string =>
  failed === 1
    ? t`1 text could not be translated with all variables.`
    : t`${count(failed)} texts could not be translated with all variables.`;

/** How many texts are named. */
const NAMED = 5;
/** What was changed while it was translated, in words. */
function left({ changed, changedTexts }: Status): string {
  const names = changedTexts.slice(0, NAMED).map(({ label }) => `“${label}”`);
  const listed = names.join(', ') + (changed > names.length ? ' …' : '');
  return changed === 1
    ? t`1 text was changed while it was translated and has no proposal: ${listed}.`
    : t`${count(changed)} texts were changed while they were translated and have no proposal: ${listed}.`;
}
