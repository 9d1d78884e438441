/** The address of a page of the portal, relative to the one that is shown. */
export const at = (token: string, query: Readonly<Record<string, string | number | undefined>> = {}): string =>
  `?${new URLSearchParams(
    Object.entries({ merchantToken: token, ...query }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )}`;
