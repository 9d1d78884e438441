// Notices never cover the buttons of a dialog or of the bar that saves, at any size of the window.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, noticeBottom } from '../../../src/admin/ui/notices/notice-place.ts';

const boxOf = (size: { width: number; height: number }, window: { width: number; height: number }, bottom: number): Box => ({
  left: (window.width - size.width) / 2,
  right: (window.width + size.width) / 2,
  bottom: window.height - bottom,
  top: window.height - bottom - size.height,
});
const meet = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const notice = { width: 300, height: 52 };
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

describe('the place of notices', () => {
  it('is the bottom of the window when nothing stands there', () => {
    expect(noticeBottom(notice, { ...desktop, bars: [], dialogs: [] })).toBe(20);
  });

  it('is above the bar that saves, and at the bottom again where the bar stands beside it', () => {
    expect(noticeBottom(notice, { ...desktop, bars: [{ left: 400, right: 1340, top: 820, bottom: 884 }], dialogs: [] })).toBe(88);
    expect(noticeBottom(notice, { ...desktop, bars: [{ left: 1000, right: 1340, top: 820, bottom: 884 }], dialogs: [] })).toBe(20);
  });

  it('is under a dialog that leaves space for it, whatever bar the dialog covers', () => {
    expect(
      noticeBottom(notice, {
        ...desktop,
        bars: [{ left: 400, right: 1340, top: 820, bottom: 884 }],
        dialogs: [{ box: { left: 500, right: 940, top: 300, bottom: 600 }, foot: { left: 500, right: 940, top: 540, bottom: 600 } }],
      }),
    ).toBe(20);
  });

  it('is over a sheet at the bottom of a phone', () => {
    expect(
      noticeBottom(notice, {
        ...phone,
        bars: [],
        dialogs: [{ box: { left: 0, right: 390, top: 400, bottom: 844 }, foot: { left: 0, right: 390, top: 780, bottom: 844 } }],
      }),
    ).toBe(452);
  });

  it('is over the text of a dialog that fills the window, above its buttons', () => {
    expect(
      noticeBottom(notice, {
        ...phone,
        bars: [],
        dialogs: [{ box: { left: 0, right: 390, top: 0, bottom: 844 }, foot: { left: 0, right: 390, top: 780, bottom: 844 } }],
      }),
    ).toBe(72);
  });

  it('never covers buttons', () => {
    const box = (width: number, height: number): fc.Arbitrary<Box> =>
      fc
        .record({
          left: fc.nat(width - 100),
          top: fc.nat(height - 100),
          w: fc.integer({ min: 60, max: width }),
          h: fc.integer({ min: 60, max: height }),
        })
        .map(({ left, top, w, h }) => ({ left, top, right: Math.min(width, left + w), bottom: Math.min(height, top + h) }));
    const page = fc.constantFrom(desktop, { width: 1024, height: 768 }, phone).chain(window =>
      fc.record({
        window: fc.constant(window),
        size: fc.record({ width: fc.integer({ min: 240, max: 350 }), height: fc.integer({ min: 40, max: 180 }) }),
        bar: fc.option(fc.record({ height: fc.integer({ min: 50, max: 140 }), low: fc.integer({ min: 0, max: 20 }) }), { nil: undefined }),
        dialog: fc.option(box(window.width, window.height), { nil: undefined }),
      }),
    );
    fc.assert(
      fc.property(page, ({ window, size, bar, dialog }) => {
        const bars: Box[] = bar
          ? [{ left: 8, right: window.width - 8, top: window.height - bar.low - bar.height, bottom: window.height - bar.low }]
          : [];
        const foot = dialog && { ...dialog, top: dialog.bottom - 60 };
        const own = boxOf(size, window, noticeBottom(size, { ...window, bars, dialogs: dialog ? [{ box: dialog, foot }] : [] }));
        const buttons = foot ?? bars[0];
        // A dialog whose buttons stand higher than the notices are can't happen in a window this tall, but the notices stay in view then.
        if (buttons && (buttons.top >= size.height + 8 || !foot)) expect(meet(own, buttons)).toBe(false);
        expect(own.top).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });
});
