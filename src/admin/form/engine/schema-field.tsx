// Our fields for rjsf: one field draws its label, its widget and what is said about it, and listens to its own place only.
import { memo } from 'react';
import type { FieldProps } from '@rjsf/utils';
import { toFieldPathId } from '@rjsf/utils';
import type { Schema } from '../../../contract/types.ts';
import { FieldFrame, ReadOnlyFrame } from '../fields/frame.tsx';
import { useAnswer, useChannel } from './hooks.ts';
import { ObjectField } from '../fields/object-field.tsx';
import { parentOf, pointerOf } from './path.ts';
import { Sections } from '../page/sections.tsx';
import { ShowValue } from '../fields/show-value.tsx';
import { humanise } from '../../../contract/paths.ts';
import { holds } from '../../../contract/validation/condition.ts';
import { unusedRjsfProp } from './rjsf-stub.ts';
import { planOf } from '../fields/widgets.ts';
import type { FieldPlan } from '../fields/widgets.ts';
import type { FormHandle, NestedHow, WidgetProps } from '../fields/widget.ts';

export interface FieldOwnProps extends FieldProps {
  /** Laid out in a row of a table. */
  compact?: boolean;
  hideLabel?: boolean;
  label?: string;
}

/**
 * rjsf's SchemaField, replaced: decides what draws a schema. The root becomes sections, an object its members, anything else one widget.
 */
export const SchemaField = memo(
  SchemaFieldNow,
  (before, after) =>
    before.schema === after.schema &&
    before.fieldPathId.$id === after.fieldPathId.$id &&
    before.required === after.required &&
    before.registry === after.registry &&
    before.compact === after.compact &&
    before.hideLabel === after.hideLabel &&
    before.label === after.label,
);

function SchemaFieldNow(props: FieldOwnProps) {
  if (!props.fieldPathId.path.length) return <Sections {...props} />;
  const plan = planOf(props.schema as Schema);
  if (plan.name === 'object' && !props.schema.readOnly) return <ObjectField {...props} plan={plan} />;
  return props.required && plan.hints.optional ? <LeafWithDoubt {...props} plan={plan} /> : <Leaf {...props} plan={plan} />;
}

/** A required field that may be left empty while a condition holds: only while it does not, it is marked as required. */
function LeafWithDoubt(props: FieldOwnProps & { plan: FieldPlan }) {
  const { store, facts } = props.registry.formContext as FormHandle;
  const { path } = props.fieldPathId;
  const mayBeEmpty = useAnswer(store, () =>
    holds(props.plan.hints.optional, { siblings: store.get(path.slice(0, -1)), root: store.value, facts }),
  );
  return <Leaf {...props} required={!mayBeEmpty} />;
}

/** A value and everything around it. */
function Leaf({
  plan,
  schema: declared,
  fieldPathId,
  registry,
  required = false,
  name,
  compact = false,
  hideLabel = false,
  label: given,
}: FieldOwnProps & { plan: FieldPlan }) {
  const form = registry.formContext as FormHandle;
  const { store } = form;
  const { path, $id: id } = fieldPathId;
  const pointer = pointerOf(path);
  useChannel(store, listensTo(plan, pointer));
  const value = store.get(path);
  const error = errorOf(store, pointer, path, plan);
  const label = given ?? plan.title ?? (name ? humanise(name) : '');
  const isReadOnly =
    form.readOnly !== false || declared.readOnly === true || plan.schema.readOnly === true || form.locked?.has(String(path[0])) === true;

  const nested = (step: string | number | (string | number)[], schema: Schema, how: NestedHow = {}) => {
    const steps = [step].flat();
    return (
      <SchemaField
        {...unusedRjsfProp}
        key={how.key ?? steps.join('.')}
        name={String(steps.at(-1))}
        schema={schema as FieldProps['schema']}
        fieldPathId={toFieldPathId('', registry.globalFormOptions, [...path, ...steps])}
        registry={registry}
        required={how.required ?? false}
        compact={how.compact ?? false}
        hideLabel={how.hideLabel ?? false}
        {...(how.label === undefined ? {} : { label: how.label })}
      />
    );
  };

  if (isReadOnly) {
    return (
      <ReadOnlyFrame label={hideLabel ? '' : label} width={plan.hints.width} compact={compact}>
        <ShowValue value={value} plan={plan} form={form} path={path} />
      </ReadOnlyFrame>
    );
  }
  const Widget = plan.module.default as React.ComponentType<WidgetProps>;
  const help = compact ? undefined : plan.help;
  const describedBy = error ? (help ? `${id}-help ${id}-error` : `${id}-error`) : help ? `${id}-help` : undefined;
  const widget = (
    <Widget
      id={id}
      labelId={`${id}-label`}
      label={label}
      path={path}
      pointer={pointer}
      value={value}
      schema={plan.schema}
      options={plan.options}
      required={required}
      nullable={plan.nullable}
      invalid={error !== undefined}
      error={error}
      describedBy={describedBy}
      compact={compact}
      hideLabel={hideLabel}
      form={form}
      change={next => store.set(path, next)}
      leave={() => store.leave(pointer)}
      nested={nested}
    />
  );
  if (plan.frame === 'bare')
    return (
      <div className={`f-field f-w-${plan.hints.width ?? 'full'}`} data-at={pointer}>
        {widget}
      </div>
    );
  return (
    <FieldFrame
      id={id}
      pointer={pointer}
      label={label}
      help={help}
      error={error}
      frame={plan.frame}
      width={plan.hints.width ?? (SHORT.has(plan.name) ? 'full f-short' : 'full')}
      required={required && canBeEmpty(plan)}
      compact={compact}
      hideLabel={hideLabel}
    >
      {widget}
    </FieldFrame>
  );
}

/**
 * Widgets that edit an object or a list as one thing are drawn again when anything inside changes; those that draw fields inside are not.
 */
function listensTo(plan: FieldPlan, pointer: string): string {
  if (plan.frame === 'bare') return `${pointer}#`;
  if (plan.also.length) return [pointer, ...plan.also.map(member => `${parentOf(pointer)}/${member}`)].join('\n');
  return plan.schema.type === 'object' || plan.schema.type === 'array' ? `${pointer}/**` : pointer;
}

/**
 * The error of the value, else the first inside it (an e-mail in a list, the unit of an interval), unless fields of their own show those.
 */
function errorOf(store: FormHandle['store'], pointer: string, path: readonly (string | number)[], plan: FieldPlan): string | undefined {
  const own = store.errorAt(pointer);
  if (own !== undefined || plan.frame === 'bare') return own;
  for (const member of plan.also) {
    const error = store.errorAt(pointerOf([...path.slice(0, -1), member]));
    if (error !== undefined) return error;
  }
  return plan.schema.type === 'object' || plan.schema.type === 'array' ? store.errorInside(pointer) : undefined;
}

/** Whether a required mark says anything: a switch, or a list that begins with a choice, is never empty. */
const canBeEmpty = (plan: FieldPlan) =>
  !['toggle', 'options', 'radio-cards'].includes(plan.name) && !(plan.name === 'select' && plan.schema.default !== undefined);

/** Short values in a full line look lost; their boxes stay short. */
const SHORT = new Set(['number', 'percentage', 'money', 'hour', 'date', 'time', 'month-day', 'color', 'discount-value', 'anchor-day']);
