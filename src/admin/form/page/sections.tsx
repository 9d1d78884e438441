// The root of a form: its sections as cards, each with a short description beside it on wide screens.
import { createContext, useCallback, useContext, useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import type { FieldProps } from '@rjsf/utils';
import { toFieldPathId } from '@rjsf/utils';
import { ChevronDown, RotateCcw } from 'lucide-react';
import { FormTabs, tabsOf, useFormTab } from './form-tabs.tsx';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { holds } from '../../../contract/validation/condition.ts';
import type { FieldsSection, JsonObject, Schema, Section, When } from '../../../contract/types.ts';
import { FieldError } from '../fields/frame.tsx';
import { useAnswer, useChannel, useOpen } from '../engine/hooks.ts';
import { visibleMembers } from '../fields/object-field.tsx';
import { pointerOf, same, valueAt } from '../engine/path.ts';
import type { FormStore } from '../engine/store.ts';
import { planOf, titleOf } from '../fields/widgets.ts';
import type { FormHandle } from '../fields/widget.ts';
import { isFields, membersChannels, standsIn } from './section-fields.ts';
import { unusedRjsfProp } from '../engine/rjsf-stub.ts';
import { t } from '../../../domain/text/t.ts';

/** What SchemaForm tells the root beyond rjsf's own props. */
export interface RootHandle extends FormHandle {
  sections: Section[];
  side: Section[];
  /** Without cards and descriptions: in dialogs. */
  plain: boolean;
  /** Draws sections that aren't fields: panels, lists. */
  renderSection?: (section: Section) => ReactNode;
}

/** Sections for a schema that has none given: its plain fields first, then every titled object as a section of its own. */
export function sectionsOf(schema: Schema): FieldsSection[] {
  const loose: string[] = [];
  const own: FieldsSection[] = [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const plan = planOf(field);
    if (plan.name === 'object' && plan.title && !field['x-ui']?.widget)
      own.push({
        title: plan.title,
        fields: [name],
        ...(plan.help ? { description: plan.help } : {}),
        ...(field['x-ui']?.when ? { when: field['x-ui'].when } : {}),
        id: name,
      });
    else loose.push(name);
  }
  return loose.length ? [{ fields: loose }, ...own] : own;
}

/** What a page can do about one of its sections, drawn under the section's description; by the section's id. */
export const SectionActions = createContext<(id: string) => ReactNode>(() => null);

const idOf = (section: Section, index: number) => `section:${section.id ?? index}`;

/** Draws the sections of the root. */
export function Sections(props: FieldProps) {
  const { sections } = props.registry.formContext as RootHandle;
  return tabsOf(sections).length ? <TabbedSections {...props} /> : <Layout {...props} />;
}

/** The sections of one tab at a time; those without a tab are always there. */
function TabbedSections(props: FieldProps) {
  const { store, sections } = props.registry.formContext as RootHandle;
  const tabs = useMemo(() => tabsOf(sections), [sections]);
  const [tab, choose] = useFormTab(tabs);
  const reveal = useCallback(
    (pointer: string) => {
      const at = sections.find(section => section.tab !== undefined && standsIn(section, pointer));
      if (at?.tab !== undefined) choose(at.tab);
    },
    [sections, choose],
  );
  return (
    <Layout
      {...props}
      isShown={section => section.tab === undefined || section.tab === tab}
      reveal={reveal}
      tabs={<FormTabs store={store} sections={sections} tabs={tabs} chosen={tab} onChoose={choose} />}
    />
  );
}

function Layout({
  registry,
  fieldPathId,
  schema,
  tabs,
  isShown = () => true,
  reveal,
}: FieldProps & { tabs?: ReactNode; isShown?: (section: Section) => boolean; reveal?: (pointer: string) => void }) {
  const form = registry.formContext as RootHandle;
  const { store, sections, side, plain } = form;
  useChannel(store, '#');
  // Beside a record that is being made there may be nothing yet: its form is laid out as one without a side.
  const hasSide = useAnswer(store, () =>
    side.some(one => !one.when || holds(one.when, { siblings: store.value, root: store.value, facts: form.facts })),
  );
  useEffect(() => {
    const all = [...sections, ...side];
    const order = all.flatMap(section => (isFields(section) ? section.fields.map(name => name.split('.')[0]!) : []));
    store.opened.layOut([...new Set(order)], pointer => {
      reveal?.(pointer);
      all.forEach((section, index) => {
        if (standsIn(section, pointer)) store.opened.setOpen(idOf(section, index), true);
      });
    });
  }, [store, sections, side, reveal]);
  const draw = (section: Section, index: number) => (
    <OneSection
      key={idOf(section, index)}
      id={idOf(section, index)}
      section={section}
      schema={schema as Schema}
      registry={registry}
      fieldPathId={fieldPathId}
      aside={plain || hasSide}
    />
  );
  if (plain) return <div className="f-plain">{sections.map(draw)}</div>;
  const drawn = sections.map((section, index) => (isShown(section) ? draw(section, index) : null));
  // What has no tab stands where it is named: above the tabs, or below them.
  const first = tabs ? sections.findIndex(section => section.tab !== undefined) : 0;
  return (
    <div className={hasSide ? 'f-sections f-with-side' : sections.some(section => section.title) ? 'f-sections' : 'f-sections f-untitled'}>
      <div className="f-main">
        {drawn.slice(0, first)}
        {tabs}
        {drawn.slice(first)}
      </div>
      {hasSide && <div className="f-side">{side.map((section, index) => draw(section, sections.length + index))}</div>}
    </div>
  );
}

function OneSection({
  id,
  section,
  schema,
  registry,
  fieldPathId,
  aside,
}: Pick<FieldProps, 'registry' | 'fieldPathId'> & { id: string; section: Section; schema: Schema; aside: boolean }) {
  const form = registry.formContext as RootHandle;
  if (section.when) return <ConditionalSection {...{ id, section, schema, registry, fieldPathId, aside }} when={section.when} />;
  if (!isFields(section)) return <OtherSection form={form} section={section} />;
  return <FieldsCard {...{ id, section, schema, registry, fieldPathId, aside }} />;
}

/** A panel that follows what is being typed. */
function OtherSection({ form, section }: { form: RootHandle; section: Section }) {
  useChannel(form.store, '/**');
  return form.renderSection?.(section) ?? null;
}

function ConditionalSection({ when, ...rest }: Parameters<typeof OneSection>[0] & { when: When }) {
  const { store, facts } = rest.registry.formContext as RootHandle;
  const isShown = useAnswer(store, () => holds(when, { siblings: store.value, root: store.value, facts }));
  return isShown ? <OneSection {...rest} section={{ ...rest.section, when: undefined }} /> : null;
}

function FieldsCard({
  id,
  section,
  schema,
  registry,
  fieldPathId,
  aside,
}: Pick<FieldProps, 'registry' | 'fieldPathId'> & { id: string; section: FieldsSection; schema: Schema; aside: boolean }) {
  const form = registry.formContext as RootHandle;
  const { store, plain } = form;
  const actionsOf = useContext(SectionActions);
  const [isOpen, setOpen] = useOpen(store, id, !section.closed);
  const names = useMemo(() => section.fields, [section]);
  useChannel(store, membersChannels(names));
  const shown = shownFields(form, schema, names);
  if (!shown.length) return null;
  const domId = `${fieldPathId.$id}-${id.replace(/\W/g, '-')}`;
  // A section that is nothing but one object or list of its own name says the name once.
  const alone =
    shown.length === 1 &&
    section.title !== undefined &&
    (planOf(shown[0]!.schema).name === 'object' ||
      (planOf(shown[0]!.schema).frame === 'bare' && titleOf(shown[0]!.path.at(-1)!, shown[0]!.schema) === section.title));
  // So does one that begins with a field of its own name, over its whole width.
  const again = ({ path, schema: field, required }: (typeof shown)[number]): boolean =>
    !required && titleOf(path.at(-1)!, field) === section.title && ['full', undefined].includes(planOf(field).hints.width);
  const Field = registry.fields.SchemaField as React.ComponentType<FieldProps & { hideLabel?: boolean }>;
  const body = (
    <div className="f-grid">
      {shown.map(({ path, schema: field, required }, index) => (
        <Field
          {...unusedRjsfProp}
          key={path.join('.')}
          name={path.at(-1)!}
          schema={field as FieldProps['schema']}
          fieldPathId={toFieldPathId('', registry.globalFormOptions, path)}
          registry={registry}
          required={required}
          hideLabel={alone || (index === 0 && again(shown[0]!))}
        />
      ))}
      {shown.length > 1 && store.errorAt('') && <FieldError id={domId} error={store.errorAt('')!} />}
    </div>
  );
  if (plain)
    return (
      <div className="f-plain-section">
        {section.title && <h3 className="f-plain-title">{section.title}</h3>}
        {section.description && <p className="p-help">{section.description}</p>}
        {body}
      </div>
    );
  const canClose = section.closed !== undefined;
  const actions = section.id ? actionsOf(section.id) : null;
  const about = section.title && (
    <div className="f-about">
      <h2 id={domId}>{section.title}</h2>
      {section.description && <p>{section.description}</p>}
      {actions}
    </div>
  );
  return (
    <section
      className={aside ? 'f-section f-section-stacked' : 'f-section'}
      {...(section.title ? { 'aria-labelledby': domId } : {})}
      data-section={id}
    >
      {!aside && !canClose && about}
      <div className="p-card f-card">
        {canClose ? (
          <button
            type="button"
            className="f-card-toggle"
            aria-expanded={isOpen}
            aria-controls={`${domId}-body`}
            onClick={() => setOpen(!isOpen)}
          >
            <span className="f-card-titles">
              <span className="f-card-title" id={domId}>
                {section.title}
              </span>
              {section.description && <span className="p-hint">{section.description}</span>}
            </span>
            <SectionErrors store={store} names={names} isOpen={isOpen} />
            <ChevronDown size={16} aria-hidden="true" />
          </button>
        ) : (
          aside && about && <div className="f-card-head">{about}</div>
        )}
        {isOpen && (
          <div className="p-card-body f-card-body" id={`${domId}-body`}>
            {body}
            {section.reset && <Reset form={form} schema={schema} names={names} what={section.title ?? ''} />}
          </div>
        )}
      </div>
    </section>
  );
}

/** Puts the fields of a section back to what the schema gives them; it is a change like others until it is saved. */
function Reset({ form, schema, names, what }: { form: RootHandle; schema: Schema; names: string[]; what: string }) {
  const { store, readOnly } = form;
  useChannel(store, '/**');
  if (readOnly !== false) return null;
  const standard = withDefaults<JsonObject>(schema, {});
  const differing = names.map(name => name.split('.')).filter(path => !same(store.get(path) ?? null, valueAt(standard, path) ?? null));
  return (
    <button
      type="button"
      className="p-btn p-btn-s p-btn-plain f-reset"
      aria-label={what ? t`Reset ${what} to the standard` : undefined}
      disabled={differing.length === 0}
      onClick={() => store.setMany(differing.map(path => [path, valueAt(standard, path)]))}
    >
      <RotateCcw aria-hidden="true" />
      {t`Reset to the standard`}
    </button>
  );
}

/** How many errors a closed section hides. */
function SectionErrors({ store, names, isOpen }: { store: FormStore; names: string[]; isOpen: boolean }) {
  useChannel(store, '/**');
  if (isOpen) return null;
  const count = store.errors().filter(({ pointer }) => standsIn({ fields: names }, pointer)).length;
  return count ? (
    <span className="p-badge" data-tone="critical">
      {count === 1 ? t`1 error` : t`${count} errors`}
    </span>
  ) : null;
}

/** The fields a section shows now; a name may be dotted to reach inside an object ("policy.interval"). */
function shownFields(form: RootHandle, schema: Schema, names: string[]): { path: string[]; schema: Schema; required: boolean }[] {
  const visible = new Set(visibleMembers(form, schema, '', [...new Set(names.map(name => name.split('.')[0]!))]));
  return names.flatMap(name => {
    const path = name.split('.');
    let inner: Schema | undefined = schema;
    let required = false;
    for (const [depth, step] of path.entries()) {
      if (depth === 0 ? !visible.has(step) : form.store.isHidden(pointerOf(path.slice(0, depth + 1)))) return [];
      required = inner?.required?.includes(step) ?? false;
      inner = (depth === 0 ? inner : inner && planOf(inner).schema)?.properties?.[step];
    }
    return inner ? [{ path, schema: inner, required }] : [];
  });
}
