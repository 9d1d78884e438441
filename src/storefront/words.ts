// In which language an element speaks.

/** The language of the page around an element: its own `lang`, or the nearest one above it. */
export const languageOf = (element: Element): string | undefined =>
  element.closest('[lang]')?.getAttribute('lang')?.trim().replace('_', '-') || undefined;
