// A double click means one press. What opens or closes under the pointer after the first click is not what the second was
// meant for: without this, a double click on "Pause" in a menu would press what lies below it, or close the dialog
// that has just opened by a click beside it.

/** What lies over the page, and takes clicks away from what is below. */
const LAYERS = '.MuiDialog-root, .MuiMenu-root, .MuiPopover-root, dialog';
const layerOf = (target: EventTarget | null): Element | null => (target instanceof Element ? target.closest(LAYERS) : null);

let first: Element | null = null;

/**
 * Lets the further clicks of a double click through only where the first one was: in the same dialog or menu, or on the page itself. Clicks
 * by keyboard count nothing.
 */
export function guardDoubleClicks(root: Document): void {
  root.addEventListener(
    'click',
    event => {
      const layer = layerOf(event.target);
      if (event.detail < 2) {
        first = layer;
        return;
      }
      if (layer === first) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}
