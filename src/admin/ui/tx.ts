// t for sentences with elements in them: tx`Your plan changes to ${<b>{name}</b>}.`
import { createElement, Fragment, type ReactNode } from 'react';
import { partsOf, PLACE, wordsFor } from '../../domain/text/t.ts';

function say(strings: TemplateStringsArray, values: readonly ReactNode[], context?: string): ReactNode {
  const words = wordsFor(strings, context);
  if (words === undefined)
    return createElement(Fragment, null, ...partsOf(strings).flatMap((part, i) => (i === 0 ? [part] : [values[i - 1], part])));
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of words.matchAll(PLACE)) {
    const [whole, place, one, many] = match;
    const value = values[Number(place)];
    parts.push(words.slice(from, match.index), one === undefined ? value : String(value as string) === '1' ? one : many);
    from = match.index + whole.length;
  }
  return createElement(Fragment, null, ...parts, words.slice(from));
}

type Tag = (strings: TemplateStringsArray, ...values: ReactNode[]) => ReactNode;
/** A text of the product in the current language, with elements among its values. */
export const tx: Tag & { as(context: string): Tag } = Object.assign(
  (strings: TemplateStringsArray, ...values: ReactNode[]) => say(strings, values),
  {
    as:
      (context: string): Tag =>
      (strings, ...values) =>
        say(strings, values, context),
  },
);
