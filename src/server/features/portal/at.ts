/** The address of a page of the portal, relative to the one that is shown. Who comes is known without it. */
export const at = (query: Readonly<Record<string, string | number | undefined>> = {}): string =>
  `?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`;
