// The page that changes a record: react-admin's edit controller reads it, its data provider writes it, the form engine draws it.
import { useQueryClient } from '@tanstack/react-query';
import { EditBase, useDataProvider, useEditContext } from 'react-admin';
import { useCallback, useMemo, useRef } from 'react';
import { accessOf, allowsCall } from '../../../contract/access.ts';
import { callFor, routeTo, template } from '../../../contract/find.ts';
import type { Call, JsonObject, Resource, Schema, Section } from '../../../contract/types.ts';
import { holds } from '../../../contract/validation/condition.ts';
import type { Validator } from '../../../contract/validation/validate.ts';
import { callOf, markStale } from '../../platform/transport/calls.ts';
import { definitions } from '../../platform/definitions.ts';
import { idOf, oneQuery } from '../../platform/routing/prefetch-screen.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { NotThere } from '../../ui/pages/record-unavailable.tsx';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import { ActionBar } from '../actions/buttons.tsx';
import { LanguageTabs } from '../languages/language-tabs.tsx';
import { inLanguages, useRecordLanguages } from '../languages/record-languages.ts';
import { TranslationForm } from '../languages/translation-form.tsx';
import { EditableForm } from './editable-form.tsx';
import { FormHead, FormSkeleton } from './page-parts.tsx';
import { drawPanel } from './panels.tsx';
import type { Sending } from './use-save.ts';
import { useRecordActions } from '../actions/use-record-actions.tsx';
import { useFormServices } from '../fields/use-services.ts';
import { useValidation } from '../../platform/validators.ts';
import { t } from '../../../domain/text/t.ts';

export interface EditPageProps {
  resource: Resource;
  /** What the brackets of the route hold; the last one is the record's key. */
  params: Record<string, string>;
}

export function EditPage({ resource, params }: EditPageProps) {
  const entity = resource.of ?? '';
  const validation = useValidation(`entities/${entity}`);
  const read = callFor(definitions, resource, 'read');
  const update = callFor(definitions, resource, 'update');
  const id = idOf(params);
  const { queryKey, meta } = useMemo(() => oneQuery(entity, id, read?.name), [entity, id, read]);
  const queryOptions = useMemo(() => ({ ...(meta ? { meta } : {}), onError: () => undefined }), [meta]);
  // A form below a record ("customers/[id]/edit") goes back to the record, any other to its list.
  const back = resource.route.endsWith('/edit')
    ? routeTo(resource.route.replace(/\/edit$/, ''), params)
    : `/${resource.route
        .split('/')
        .filter(part => !part.startsWith('['))
        .join('/')}`;
  return (
    <div className="p-page p-page-narrow">
      <EditBase resource={entity} id={id} mutationMode="pessimistic" redirectOnError={false} queryOptions={queryOptions}>
        <Loaded
          resource={resource}
          validation={validation}
          update={update}
          entity={entity}
          id={id}
          queryKey={queryKey}
          back={back}
          params={params}
        />
      </EditBase>
    </div>
  );
}

interface LoadedProps {
  resource: Resource;
  validation: { schema: Schema; validator: Validator } | undefined;
  update: Call | undefined;
  entity: string;
  id: string | number;
  /** The query that holds the record. */ queryKey: readonly unknown[];
  back: string;
  params: Record<string, string>;
}

function Loaded({ resource, validation, update, entity, id, queryKey, back, params }: LoadedProps) {
  const name = `${entity}/${id}`;
  const { record, error, refetch } = useEditContext();
  const provider = useDataProvider();
  const client = useQueryClient();
  const latest = useRef(record);
  latest.current = record;
  const session = useSession();
  const facts = useFacts();
  const services = useFormServices();
  const { form } = resource;
  const hints = validation?.schema['x-record'];
  const lock = resource.form?.lockedWhen;
  const locked =
    lock && record && holds(lock.when, { siblings: record as JsonObject, root: record as JsonObject, facts }) ? lock.text : undefined;
  const verdict =
    locked !== undefined
      ? { ok: false as const, message: locked }
      : update
        ? allowsCall(update, session)
        : { ok: false as const, message: t`This can be looked at but not changed.` };
  const send = useCallback(
    async ({ value, emptied, version, key }: Sending) => {
      const data = { ...value, ...emptied, ...(version !== undefined ? { version } : {}) };
      // Sent by itself: react-admin's own save loses the answer when the record is read again meanwhile.
      const answer = await provider.update(entity, { id, data, previousData: latest.current ?? { id }, meta: { call: update?.name, key } });
      client.setQueryData(queryKey, answer.data);
      return answer.data as JsonObject;
    },
    [provider, client, entity, id, queryKey, update],
  );
  const read = useCallback(async () => {
    const { data } = await refetch();
    return data as JsonObject;
  }, [refetch]);
  const onSaved = useCallback(() => notify(t`Saved.`), []);
  const languages = useRecordLanguages(hints?.localised, id);
  const { chosen } = languages;
  const actions = useRecordActions({
    resource: useMemo(() => (chosen ? inLanguages(resource) : resource), [resource, chosen]),
    record: { ...(record as JsonObject | undefined), ...(chosen ? { locale: chosen.locale } : {}) },
    schema: validation?.schema,
    params,
  });
  const title = record ? template(form?.title ?? hints?.label ?? resource.title, record) || resource.title : resource.title;
  // What was read stays on screen, and what was typed into it, even if reading it again fails.
  if (error && !record)
    return (
      <NotThere
        error={error}
        names={definitions.entities[resource.of ?? '']?.record?.name ?? { one: t`page`, many: t`pages` }}
        resource={resource}
        onRetry={() => void refetch()}
      />
    );
  if (!record || !validation)
    return (
      <>
        <FormHead title={resource.title} back={back} />
        <FormSkeleton sections={resource.form?.sections} side={resource.form?.side} />
      </>
    );
  return (
    <>
      <FormHead title={title} back={back}>
        <ActionBar actions={actions} isSmall />
      </FormHead>
      {actions.dialog}
      <LanguageTabs {...languages} />
      {chosen ? (
        <TranslationForm
          key={chosen.locale}
          {...{ resource, id, params }}
          schema={validation.schema}
          record={record as JsonObject}
          language={chosen}
        />
      ) : (
        <EditableForm
          key={name}
          schema={validation.schema}
          validator={validation.validator}
          value={record as JsonObject}
          version={typeof record.version === 'number' ? record.version : undefined}
          name={name}
          sections={form?.sections}
          side={form?.side}
          facts={facts}
          services={services}
          readOnly={verdict.ok ? false : verdict.message}
          may={accessOf(session).can}
          currency={session.store.currency_code}
          timezone={session.store.timezone}
          now={storeNow}
          send={send}
          read={read}
          onSaved={onSaved}
          renderSection={(section: Section, value: JsonObject) =>
            drawPanel(section, { ...record, ...value }, params, () => {
              if (update) void markStale(callOf(update.name));
            })
          }
        />
      )}
    </>
  );
}
