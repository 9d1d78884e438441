// A stock rjsf widget as a file of renderers/fields: `export default rjsfWidget(RatingWidget);`
import { getDefaultRegistry } from '@rjsf/core';
import type { WidgetProps as RjsfWidgetProps } from '@rjsf/utils';
import type { ComponentType, ReactElement } from 'react';
import type { JsonValue } from '../../../contract/types.ts';
import { optionsOf } from '../../../contract/paths.ts';
import type { WidgetProps } from './widget.ts';

const noop = (): void => {};

/** Gives a widget that was written for rjsf what it expects. Title, help and error stand around it as around ours. */
export const rjsfWidget = (Stock: ComponentType<RjsfWidgetProps>) =>
  function StockWidget(props: WidgetProps): ReactElement {
    const { id, label, path, value, schema, options, required, invalid, error, form, change, leave } = props;
    const choices = optionsOf(schema.items ?? schema);
    return (
      <Stock
        id={id}
        name={String(path.at(-1) ?? '')}
        htmlName={id}
        label={label}
        hideLabel
        schema={schema as RjsfWidgetProps['schema']}
        value={value}
        required={required}
        disabled={false}
        readonly={form.readOnly !== false}
        autofocus={false}
        multiple={schema.type === 'array'}
        placeholder={typeof options.placeholder === 'string' ? options.placeholder : ''}
        options={{
          ...options,
          ...(choices.length ? { enumOptions: choices.map(one => ({ value: one.value, label: one.title })) } : {}),
        }}
        rawErrors={invalid && error !== undefined ? [error] : []}
        registry={getDefaultRegistry() as RjsfWidgetProps['registry']}
        onChange={(next: JsonValue | undefined) => change(next)}
        onBlur={leave}
        onFocus={noop}
      />
    );
  };
