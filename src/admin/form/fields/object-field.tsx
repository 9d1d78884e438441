// The members of an object as a group of fields. Drawn again only when another set of members is to be seen.
import type { FieldProps } from '@rjsf/utils';
import { toFieldPathId } from '@rjsf/utils';
import type { Schema } from '../../../contract/types.ts';
import { humanise } from '../../../contract/paths.ts';
import { useChannel } from '../engine/hooks.ts';
import { pointerOf } from '../engine/path.ts';
import { FieldError } from './frame.tsx';
import { unusedRjsfProp } from '../engine/rjsf-stub.ts';
import { planOf } from './widgets.ts';
import type { FieldPlan } from './widgets.ts';
import type { FormHandle } from './widget.ts';

/** An object inside a section or an item: a titled group of its members. */
export function ObjectField({
  plan,
  fieldPathId,
  registry,
  name,
  hideLabel,
  label,
}: FieldProps & { plan: FieldPlan; hideLabel?: boolean; label?: string }) {
  const form = registry.formContext as FormHandle;
  const pointer = pointerOf(fieldPathId.path);
  useChannel(form.store, `${pointer}#`);
  const title = label ?? plan.title ?? (name && typeof fieldPathId.path.at(-1) === 'string' ? humanise(name) : undefined);
  const error = form.store.errorAt(pointer);
  const members = <Members schema={plan.schema} fieldPathId={fieldPathId} registry={registry} />;
  if (hideLabel || !title)
    return (
      <div className="f-grid f-w-full" data-at={pointer}>
        {members}
        {error && <FieldError id={fieldPathId.$id} error={error} />}
      </div>
    );
  return (
    <fieldset className="f-group f-w-full" data-at={pointer}>
      <legend className="f-group-title">{title}</legend>
      {plan.help && <p className="p-help">{plan.help}</p>}
      <div className="f-grid">{members}</div>
      {error && <FieldError id={fieldPathId.$id} error={error} />}
    </fieldset>
  );
}

/** The fields of an object that are to be seen, in the schema's order or that of `names`. */
export function Members({
  schema,
  fieldPathId,
  registry,
  names,
}: Pick<FieldProps, 'fieldPathId' | 'registry'> & { schema: Schema; names?: string[] }) {
  const form = registry.formContext as FormHandle;
  const Field = registry.fields.SchemaField!;
  const properties = schema.properties ?? {};
  const shown = visibleMembers(form, schema, pointerOf(fieldPathId.path), names ?? Object.keys(properties));
  return shown.map(member => (
    <Field
      key={member}
      name={member}
      schema={properties[member] as FieldProps['schema']}
      fieldPathId={toFieldPathId(member, registry.globalFormOptions, fieldPathId)}
      registry={registry}
      required={schema.required?.includes(member) ?? false}
      {...unusedRjsfProp}
    />
  ));
}

/** Names of the members that no condition hides and that no other widget of the same object edits. */
export function visibleMembers(form: FormHandle, schema: Schema, pointer: string, names: string[]): string[] {
  const properties = schema.properties ?? {};
  const elsewhere = new Set<string>();
  for (const member of names) {
    const field = properties[member];
    if (field) for (const other of planOf(field).also) if (other !== member) elsewhere.add(other);
  }
  return names.filter(member => {
    const field = properties[member];
    return (
      field &&
      !elsewhere.has(member) &&
      field['x-ui']?.widget !== 'unseen' &&
      !form.store.isHidden(`${pointer}/${member.replace(/~/g, '~0').replace(/\//g, '~1')}`)
    );
  });
}
