// The page that makes a record: react-admin's create context and data provider, the defaults of the schema, the form engine.
import { CreateBase, useDataProvider } from 'react-admin';
import { Lock } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { accessOf, allowsCall } from '../../../contract/access.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { callFor, routeTo, template } from '../../../contract/find.ts';
import type { JsonObject, JsonValue, Resource, Schema, Section, Start } from '../../../contract/types.ts';
import type { Validator } from '../../../contract/validation/validate.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { definitions } from '../../platform/definitions.ts';
import { hasKeyboard } from '../../ui/keyboard.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import { withProposals } from '../engine/proposals.ts';
import { EditableForm } from './editable-form.tsx';
import { useShownAnswer } from '../../ui/overlays/shown-answer.tsx';
import { FormHead, FormSkeleton } from './page-parts.tsx';
import { drawPanel } from './panels.tsx';
import type { Sending } from './use-save.ts';
import { useFormServices } from '../fields/use-services.ts';
import { useValidation } from '../../platform/validators.ts';
import { inSentence, t } from '../../../domain/text/t.ts';

/** What the address calls the start that is taken. */
const START = 'start';

export interface CreatePageProps {
  resource: Resource;
  params: Record<string, string>;
  /** Values to begin with, over the schema's defaults; by default those of the address's query. */
  initial?: JsonObject;
}

export function CreatePage({ resource, params, initial }: CreatePageProps) {
  const entity = resource.of ?? '';
  // The form is a record, or the input of the call that makes one.
  const validation = useValidation(resource.form?.call ? `calls/${resource.form.call}` : `entities/${entity}`);
  const back = `/${resource.route.split('/').slice(0, -1).join('/')}`;
  const start = useSearchParams()[0].get(START) ?? '';
  return (
    <div className="p-page p-page-narrow">
      <CreateBase resource={entity} redirect={false}>
        <FormHead title={resource.form?.title ?? resource.title} back={back} />
        {resource.form?.starts && <Starts starts={resource.form.starts} chosen={start} />}
        {validation ? (
          <Fresh
            key={start}
            resource={resource}
            schema={validation.schema}
            validator={validation.validator}
            params={params}
            back={back}
            {...(initial ? { initial } : {})}
          />
        ) : (
          <FormSkeleton sections={resource.form?.sections} side={resource.form?.side} />
        )}
      </CreateBase>
    </div>
  );
}

function Fresh({
  resource,
  schema,
  validator,
  params,
  back,
  initial,
}: CreatePageProps & { schema: Schema; validator: Validator; back: string }) {
  const provider = useDataProvider();
  const session = useSession();
  const facts = useFacts();
  const services = useFormServices();
  const navigate = useNavigate();
  const own = resource.form?.call ? definitions.calls[resource.form.call] : undefined;
  const call = own ?? callFor(definitions, resource, 'create');
  const verdict = call ? allowsCall(call, session) : { ok: false as const, message: t`Nothing can be created here.` };
  const hints = own ? definitions.entities[resource.of ?? '']?.record : schema['x-record'];
  const one = hints?.name.one ?? inSentence(resource.title);
  const [query] = useSearchParams();
  const [begun] = useState(() => ({
    ...resource.form?.starts?.[query.get(START) ?? '']?.values,
    ...fromAddress(schema, resource.form?.from, query),
  }));
  const value = useMemo(() => withProposals(schema, withDefaults<JsonObject>(schema, { ...begun, ...initial })), [schema, begun, initial]);
  const send = useCallback(
    async ({ value: data, key }: Sending) => {
      if (own) return (await runCall(own.name, data, { key })).data as JsonObject;
      // Sent by itself, as in the edit form: what react-admin's controller tells of the answer is lost when its options change meanwhile.
      const answer = await provider.create(resource.of ?? '', { data, meta: { call: call?.name, key } });
      return answer.data as JsonObject;
    },
    [provider, resource, call, own],
  );
  const { show, shown } = useShownAnswer();
  const onSaved = useCallback(
    (answer: JsonObject) => {
      notify(t`Created ${(hints && template(hints.label, answer)) || one}.`);
      const created = resource.form?.created;
      const key = answer[hints?.key ?? 'id'];
      const record = Object.keys(definitions.resources).find(
        route => definitions.resources[route]?.of === resource.of && /\/\[\w+\]$/.test(route),
      );
      const leave = (): void =>
        void navigate(
          created
            ? template(created, answer)
            : record && key !== undefined
              ? routeTo(record.replace(/\[\w+\]$/, '[key]'), { ...params, key })
              : back,
        );
      const shownOnce = resource.form?.shows;
      if (shownOnce)
        show((hints && template(hints.label, answer)) || one, t`Keep it where only your program reads it.`, shownOnce, answer, leave);
      else leave();
    },
    [hints, one, resource, params, back, navigate, show],
  );
  const box = useRef<HTMLDivElement>(null);
  const isOpen = verdict.ok && Object.keys(begun).length === 0;
  // A new record is filled in from its first field on; on a phone the keyboard would hide the form before it was seen.
  useEffect(() => {
    if (!isOpen || !hasKeyboard()) return;
    const frame = requestAnimationFrame(() =>
      box.current
        ?.querySelector<HTMLElement>('input:not([type="hidden"], [type="checkbox"], [type="radio"]), select, textarea')
        ?.focus({ preventScroll: true }),
    );
    return () => cancelAnimationFrame(frame);
  }, [isOpen]);
  // An empty form that may not be filled in says nothing.
  if (!verdict.ok)
    return (
      <div className="p-card p-empty">
        <Lock aria-hidden="true" />
        <h2>{hints ? t`You can't create ${hints.name.many}` : t`You can't create this`}</h2>
        <p>{verdict.message}</p>
      </div>
    );
  return (
    <div ref={box}>
      {shown}
      <EditableForm
        schema={schema}
        validator={validator}
        value={value}
        version={undefined}
        name={`${resource.of ?? resource.route}/new`}
        sections={resource.form?.sections}
        side={resource.form?.side}
        facts={facts}
        services={services}
        readOnly={false}
        may={accessOf(session).can}
        currency={session.store.currency_code}
        timezone={session.store.timezone}
        now={storeNow}
        create={resource.form?.submit ?? t`Create ${one}`}
        onCancel={() => void navigate(back)}
        send={send}
        onSaved={onSaved}
        renderSection={(section: Section, now: JsonObject) => drawPanel(section, now, params, () => undefined)}
      />
    </div>
  );
}

/** What a record may begin with: each at an address of its own. */
function Starts({ starts, chosen }: { starts: Record<string, Start>; chosen: string }) {
  return (
    <nav className="f-starts" aria-label={t`Begin with`}>
      <span className="p-hint" aria-hidden="true">{t`Begin with`}</span>
      {Object.entries(starts).map(([name, { title, description }]) => (
        <Link
          key={name}
          className="p-btn p-btn-s"
          to={`?${START}=${name}`}
          replace
          aria-current={name === chosen || undefined}
          title={description}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}

/** What the address says about the new record: "?customer=12". What the field can't hold is left out. */
function fromAddress(schema: Schema, from: Record<string, string> | undefined, query: URLSearchParams): JsonObject {
  return Object.fromEntries(
    Object.entries(from ?? {}).flatMap(([name, field]): [string, JsonValue][] => {
      const given = query.get(name);
      const type = [schema.properties?.[field]?.type ?? []].flat();
      if (given === null || given === '') return [];
      if (!type.includes('integer') && !type.includes('number')) return [[field, given]];
      return /^\d{1,15}$/.test(given) ? [[field, Number(given)]] : [];
    }),
  );
}
