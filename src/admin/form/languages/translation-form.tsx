// The words of a record in one language beside the panels of its page, saved by the verb translate.
import { useCallback, useMemo } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import type { FieldError, JsonObject, PanelSection, Resource, Schema, Section } from '../../../contract/types.ts';
import type { TextRecord } from './text-record.ts';
import { useFacts, useSession } from '../../platform/session/session.tsx';
import { storeNow } from '../../platform/store-clock.ts';
import { callOf, runCall, useAsk } from '../../platform/transport/calls.ts';
import { CallError } from '../../platform/transport/transport.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { useFormServices } from '../fields/use-services.ts';
import { EditableForm } from '../page/editable-form.tsx';
import { FormFailed, FormSkeleton } from '../page/page-parts.tsx';
import { drawPanel } from '../page/panels.tsx';
import type { Sending } from '../page/use-save.ts';
import type { RecordLanguage } from './record-languages.ts';
import { VERSIONS, fieldNameOf, formValueOf, translationSchema, withTranslation } from './translation-schema.ts';
import { t } from '../../../domain/text/t.ts';

const READ = 'multilingual.fetch_localized_entity_translations';
const WRITE = 'multilingual.update_localized_entity_translations';

export interface TranslationFormProps {
  resource: Resource;
  schema: Schema;
  record: JsonObject;
  id: string | number;
  language: RecordLanguage;
  params: Record<string, string>;
}

export function TranslationForm({ resource, schema: entity, record, id, language, params }: TranslationFormProps) {
  const type = entity['x-record']?.localised ?? '';
  const of = useMemo(
    () => ({ localizedEntityType: type, localizedEntityId: String(id), localeStoreId: language.locale }),
    [type, id, language.locale],
  );
  const { data: texts, error, refetch } = useAsk<TextRecord[]>(READ, of);
  if (error && !texts) return <FormFailed error={error} what={t`The translation`} onRetry={() => void refetch()} />;
  if (!texts) return <FormSkeleton sections={[{ title: language.name }]} side={resource.form?.side} />;
  return <Loaded {...{ resource, schema: entity, record, language, params, texts, of }} />;
}

interface LoadedProps extends Omit<TranslationFormProps, 'id'> {
  texts: TextRecord[];
  of: JsonObject;
}
function Loaded({ resource, schema: entity, record, language, params, texts, of }: LoadedProps) {
  const session = useSession();
  const facts = useFacts();
  const services = useFormServices();
  // The form stays while its words are read again; what it is made of only changes with the record.
  const shape = JSON.stringify(texts.map(({ key, source, maxLength }) => [key, source, maxLength]));
  // eslint-disable-next-line react-hooks/exhaustive-deps -- by what it says
  const schema = useMemo(() => translationSchema(entity, texts), [entity, shape]);
  const key = entity['x-record']?.key ?? 'id';
  const value = useMemo<JsonObject>(() => ({ [key]: record[key] ?? null, ...formValueOf(texts) }), [key, record, texts]);
  const verdict = allowsCall(callOf(WRITE), session);
  const send = useCallback(
    async ({ value: typed, key: sending }: Sending): Promise<JsonObject> => {
      const versions = typed[VERSIONS] as Record<string, number>;
      const translations = texts.map((text, place) => ({
        key: text.key,
        value: typed[fieldNameOf(text, place)] ?? '',
        version: versions[text.key] ?? text.version,
      }));
      try {
        const { data } = await runCall(WRITE, { ...of, translations }, { key: sending });
        return { [key]: record[key] ?? null, ...formValueOf(data as TextRecord[]) };
      } catch (error) {
        throw atFields(error, texts);
      }
    },
    [texts, of, key, record],
  );
  const read = useCallback(
    async (): Promise<JsonObject> => ({
      [key]: record[key] ?? null,
      ...formValueOf((await runCall(READ, of)).data as TextRecord[]),
    }),
    [of, key, record],
  );
  const sections = useMemo<Section[]>(
    () => [
      {
        id: 'words',
        title: language.name,
        description: language.isPublished
          ? t`What is empty is read in your primary language.`
          : t`Customers read it once the language is published. What is empty is read in your primary language.`,
        fields: texts.map(fieldNameOf),
      },
    ],
    [language, texts],
  );
  const side = useMemo<Section[]>(() => sideOf(resource, String(of.localizedEntityType), of), [resource, of]);
  return (
    <EditableForm
      schema={schema}
      validator={undefined}
      value={value}
      version={undefined}
      name={`${resource.of}/${String(record[key])}/${language.locale}`}
      sections={sections}
      side={side}
      facts={facts}
      services={services}
      readOnly={verdict.ok ? false : verdict.message}
      timezone={session.store.timezone}
      now={storeNow}
      send={send}
      read={read}
      onSaved={() => notify(t`Saved.`)}
      renderSection={(section, typed) =>
        drawPanel(section, { ...withTranslation(entity, record, texts, typed), locale: language.locale }, params, () => undefined)
      }
    />
  );
}

/** The panels of the page follow the words of this language, and earlier versions are those of this language. */
function sideOf({ form, of: entity }: Resource, type: string, of: JsonObject): Section[] {
  const panels = (form?.side ?? []).filter((section): section is PanelSection => 'panel' in section && section.panel !== 'versions');
  const versions = {
    id: 'versions',
    title: t`Earlier versions`,
    panel: 'versions',
    options: { call: 'multilingual.recordVersions', restore: 'multilingual.restoreRecord', with: of, schema: `entities/${entity}` },
  } as PanelSection;
  return [
    ...panels,
    {
      id: `source-${type}`,
      title: t`In the primary language`,
      panel: 'translation-source',
      options: { with: of },
    } as PanelSection,
    versions,
  ];
}

/** A refusal whose sentences stand at the fields of the form. */
function atFields(error: unknown, texts: readonly TextRecord[]): unknown {
  if (!(error instanceof CallError) || error.errors.length === 0) return error;
  const byField = new Map<string, FieldError>();
  for (const one of error.errors) {
    const place = Number(one.pointer.split('/')[2]);
    const text = texts[place];
    const pointer = text ? `/${fieldNameOf(text, place)}` : one.pointer;
    const message = text ? one.message.replace(`${text.label}: `, '') : one.message;
    const before = byField.get(pointer);
    // A field says one sentence after the other.
    byField.set(pointer, { ...one, pointer, message: before ? `${before.message} ${message}` : message });
  }
  const errors = [...byField.values()];
  return new CallError(error.status, { code: error.code, message: error.message, requestId: error.requestId, errors });
}
