// Where a widget stands: the themes of the store with their templates. Each change is saved at once, apart from the form, with an undo.
import { useQueries } from '@tanstack/react-query';
import { useId } from 'react';
import { Plus, X } from 'lucide-react';
import { allowsCall } from '../../src/contract/access.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { callOf, runCall, useAsk, useCall } from '../../src/admin/platform/transport/calls.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { notify, notifyError } from '../../src/admin/ui/notices/notices.tsx';
import '../../src/admin/features/widgets/widgets.css';
import { t } from '../../src/domain/text/t.ts';

interface Theme {
  shopifyThemeId: number;
  name: string;
  role: 'MAIN' | 'UNPUBLISHED' | 'DEMO';
  isEligibleV2: boolean;
}
interface Template {
  templateKey: string;
  templateName: string;
  templateType: string;
  isBlockAdded: boolean;
  mappedWidgetId: number | null;
}
interface OfWidget {
  /** The table of the widget's calls. */
  table: string;
  id: number;
  target: string;
  reload: () => void;
}

export default function WidgetThemes({ data, section, options, reload }: FormPanelProps) {
  const id = useId();
  const of: OfWidget = { table: String(options.table), id: Number(data.id), target: String(data.type), reload };
  const { data: themes, error } = useAsk<Theme[]>(`${of.table}.themes`, {});
  // All of them are drawn at once, so that none is pushed down by the one above it.
  const ordered = themes?.toSorted((a, b) => Number(b.role === 'MAIN') - Number(a.role === 'MAIN')) ?? [];
  const call = `${of.table}.templates`;
  const queries = useQueries({
    queries: ordered.map(theme => {
      const input = { id: theme.shopifyThemeId, target: of.target };
      return {
        queryKey: ['store-theme', 'call', call, input],
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          (await runCall(call, input, { signal })).data as unknown as { templates: Template[] },
      };
    }),
  });
  const failed = error ?? queries.find(one => one.error)?.error;
  const isReady = themes !== undefined && queries.every(one => one.data !== undefined || one.error);
  return (
    <section className="f-section f-section-stacked" aria-labelledby={id}>
      <div className="p-card">
        <div className="p-card-head">
          <h2 id={id}>{section.title}</h2>
        </div>
        <div className="p-card-body w-themes">
          {section.description && <p className="p-hint">{section.description}</p>}
          {failed && (
            <p className="p-error" role="alert">
              {failed.message}
            </p>
          )}
          {!isReady && !failed && <span className="p-skeleton w-theme-wait" aria-hidden="true" />}
          {isReady &&
            ordered.map((theme, i) => (
              <OneTheme
                key={theme.shopifyThemeId}
                theme={theme}
                templates={queries[i]?.data?.templates ?? []}
                of={of}
                again={() => void queries[i]?.refetch()}
              />
            ))}
        </div>
      </div>
    </section>
  );
}

const ROLES: Record<Theme['role'], [string, string]> = {
  MAIN: [t`Shoppers see it`, 'success'],
  UNPUBLISHED: [t`Draft`, 'attention'],
  DEMO: [t`Trial`, 'neutral'],
};

interface OneThemeProps {
  theme: Theme;
  templates: Template[];
  of: OfWidget;
  again: () => void;
}
function OneTheme({ theme, templates, of, again }: OneThemeProps) {
  const id = useId();
  const [role, tone] = ROLES[theme.role];
  return (
    <section className="w-theme" aria-labelledby={id}>
      <div className="w-theme-head">
        <h3 id={id}>{theme.name}</h3>
        <span className="p-badge" data-tone={tone}>
          {role}
        </span>
      </div>
      {!theme.isEligibleV2 && (
        <p className="w-template p-hint">{t`This theme takes no blocks of apps. Paste the snippet of widget version 1 into it instead.`}</p>
      )}
      {theme.isEligibleV2 && templates.map(template => <OneTemplate key={template.templateKey} {...{ theme, template, of, again }} />)}
    </section>
  );
}

function OneTemplate({ theme, template, of, again }: { theme: Theme; template: Template; of: OfWidget; again: () => void }) {
  const session = useSession();
  const place = useCall('mapping', of.table);
  const check = useCall('checkTemplates', of.table);
  const verdict = allowsCall(callOf(`${of.table}.mapping`), session);
  const { templateKey, templateName, templateType, mappedWidgetId, isBlockAdded } = template;
  const changed = (): void => {
    again();
    of.reload();
  };
  const put = (id: number, actionType: 'MAP' | 'UNMAP' | 'REMAP'): Promise<unknown> =>
    place.run({ id, shopifyThemeId: theme.shopifyThemeId, actionType, templateDetails: [{ templateKey, templateType }] } as JsonObject);
  const act = async (actionType: 'MAP' | 'UNMAP' | 'REMAP', doneText: string): Promise<void> => {
    try {
      await put(of.id, actionType);
      const other = actionType === 'REMAP' ? mappedWidgetId : null;
      const back = (): void =>
        void (other === null ? put(of.id, actionType === 'UNMAP' ? 'MAP' : 'UNMAP') : put(other, 'REMAP')).then(changed, notifyError);
      notify(doneText, { undo: back });
      changed();
    } catch (error) {
      notifyError(error);
    }
  };
  const addBlock = async (): Promise<void> => {
    try {
      await check.run({ id: theme.shopifyThemeId, target: of.target, templateKeys: [templateKey] });
      notify(t`The block stands in ${templateName}.`);
      changed();
    } catch (error) {
      notifyError(error);
    }
  };
  const isHere = mappedWidgetId === of.id;
  const state = isHere
    ? t`Shown here`
    : mappedWidgetId !== null
      ? t`Another widget is shown here`
      : isBlockAdded
        ? t`Nothing is shown here yet`
        : t`The block is missing in this template`;
  return (
    <div className="w-template">
      <span>
        {templateName}
        <span className="p-hint"> · {state}</span>
      </span>
      {verdict.ok && !isBlockAdded && (
        <button
          type="button"
          className="p-btn p-btn-s"
          disabled={check.isPending}
          aria-label={t`Add the block to ${templateName}`}
          onClick={() => void addBlock()}
        >
          {t`Add the block`}
        </button>
      )}
      {verdict.ok && isHere && (
        <button
          type="button"
          className="p-btn p-btn-s"
          disabled={place.isPending}
          aria-label={t`Remove from ${templateName}`}
          onClick={() => void act('UNMAP', t`It is no longer shown on ${templateName}.`)}
        >
          <X aria-hidden="true" />
          {t`Remove`}
        </button>
      )}
      {verdict.ok && isBlockAdded && !isHere && (
        <button
          type="button"
          className="p-btn p-btn-s"
          disabled={place.isPending}
          aria-label={mappedWidgetId === null ? t`Show on ${templateName}` : t`Show on ${templateName} instead`}
          onClick={() => void act(mappedWidgetId === null ? 'MAP' : 'REMAP', t`It is shown on ${templateName}.`)}
        >
          <Plus aria-hidden="true" />
          {mappedWidgetId === null ? t`Show here` : t`Show here instead`}
        </button>
      )}
    </div>
  );
}
