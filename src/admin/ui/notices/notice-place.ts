// Where the stack of notices stands: never over the buttons of a dialog or of the bar that saves.

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
export interface Around {
  /** Of the window. */
  width: number;
  height: number;
  /** Bars with buttons at the bottom of the page. */
  bars: readonly Box[];
  /** Open dialogs, the uppermost last, each with the box of its buttons. */
  dialogs: readonly { box: Box; foot: Box | undefined }[];
}

const EDGE = 20;
const GAP = 8;

/**
 * How far the stack's lower edge stands above the window's, in px. At the bottom; above a bar that stands there; under or over a dialog
 * that would be covered, and where there is room for neither, over its text but above its buttons.
 */
export function noticeBottom(size: { width: number; height: number }, { width, height, bars, dialogs }: Around): number {
  const left = (width - size.width) / 2;
  const boxAt = (bottom: number): Box => ({ left, right: left + size.width, bottom: height - bottom, top: height - bottom - size.height });
  const isFree = (bottom: number, boxes: readonly Box[]): boolean => {
    const own = boxAt(bottom);
    return (
      own.top >= 0 && boxes.every(box => own.right <= box.left || own.left >= box.right || own.bottom <= box.top || own.top >= box.bottom)
    );
  };
  const above = (box: Box): number => height - box.top + GAP;
  const dialog = dialogs.at(-1);
  // Under an open dialog the page's own bars can't be pressed; what counts is the dialog.
  const inTheWay = dialog ? [dialog.box] : bars;
  const places = [EDGE, ...inTheWay.map(above)];
  const found = places.find(place => isFree(place, inTheWay));
  if (found !== undefined) return found;
  return dialog?.foot ? Math.min(above(dialog.foot), height - size.height) : EDGE;
}
