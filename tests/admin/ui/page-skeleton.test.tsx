// The shapes of a page that is still on its way.
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PageSkeleton } from '../../../src/admin/ui/pages/page-skeleton.tsx';

const count = (markup: string, part: string): number => markup.split(part).length - 1;
const narrow = renderToStaticMarkup(<PageSkeleton />);
const wide = renderToStaticMarkup(<PageSkeleton wide />);

describe('the skeleton of a page', () => {
  it('S013 has a full-width option: one column, and no narrow page', () => {
    expect([count(wide, 'p-two'), count(wide, 'p-page-narrow')]).toEqual([0, 0]);
    expect([count(narrow, 'p-two'), count(narrow, 'p-page-narrow')]).toEqual([1, 1]);
  });
  it('S014 has shapes for the title and for the action, and is read out as loading', () => {
    for (const markup of [narrow, wide])
      expect([count(markup, 'p-sk-title'), count(markup, 'p-sk-btn'), count(markup, 'role="status" aria-label="Loading"')]).toEqual([
        1, 1, 1,
      ]);
  });
  it('S015 has main cards, and secondary ones beside them', () => {
    expect([count(narrow, 'class="p-card"'), count(wide, 'class="p-card"')]).toEqual([4, 2]);
    const [main = '', secondary = ''] = narrow.split('class="p-two"')[1]?.split('class="p-stack"').slice(1) ?? [];
    expect([count(main, 'class="p-card"'), count(secondary, 'class="p-card"')]).toEqual([2, 2]);
  });
});
