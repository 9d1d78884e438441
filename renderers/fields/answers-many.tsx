// Several of what a call answers for the form as it is filled in so far: the products of a subscription that a discount is for.
import { useAnswers } from '../../src/admin/form/fields/answers.ts';
import { textOption } from '../../src/admin/form/fields/affix.tsx';
import { keyOf } from '../../src/admin/form/fields/options.ts';
import type { Frame, WidgetProps } from '../../src/admin/form/fields/widget.ts';
import type { JsonValue } from '../../src/contract/types.ts';
import { Several } from './multi-select.tsx';
import { t } from '../../src/domain/text/t.ts';

export const frame: Frame = 'group';

export default function AnswersMany(props: WidgetProps<JsonValue[]>) {
  const { choices, error } = useAnswers(props.form, props.options);
  if (error)
    return (
      <p className="p-error" role="alert">
        {error}
      </p>
    );
  if (!choices) return <span className="p-skeleton r-sk-line" />;
  if (choices.length === 0) return <p className="p-hint">{textOption(props.options, 'empty') ?? t`There is nothing to choose yet.`}</p>;
  return (
    <Several
      {...props}
      choices={choices.map(({ value, title, detail }) => ({ key: keyOf(value), value, title: detail ? `${title} (${detail})` : title }))}
    />
  );
}
