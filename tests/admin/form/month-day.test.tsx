// The days of the month to choose from.
import { renderToStaticMarkup } from 'react-dom/server';
import type { ComponentType } from 'react';
import { expect, it } from 'vitest';
import MonthDay from '../../../renderers/fields/month-day.tsx';

const Field = MonthDay as unknown as ComponentType<Record<string, unknown>>;
const optionsOf = (nullable: boolean): string[] =>
  [
    ...renderToStaticMarkup(
      <Field
        id="day"
        value={nullable ? null : 5}
        nullable={nullable}
        options={{}}
        schema={{ minimum: 1, maximum: 32 }}
        change={() => undefined}
        leave={() => undefined}
      />,
    ).matchAll(/<option[^>]*>([^<]*)</g),
  ].map(found => found[1]!);

it('D260 the options for a day of the month also contain "Disabled", where there may be none', () => {
  const days = optionsOf(true);
  expect([days[0], days.length]).toEqual(['Disabled', 33]);
  expect(optionsOf(false)).toEqual(days.slice(1));
});
