// The total of a page that was counted together with its rows, also where the page lies beyond the end.

/**
 * `count(*) over ()` comes with the rows and is lost with them: a page past the last row would say that there is nothing. Only then is
 * counted apart. `found` is what the first row says, `offset` the rows before the page.
 */
export const totalOf = async (found: number | undefined, offset: number, count: () => Promise<number>): Promise<number> =>
  found ?? (offset === 0 ? 0 : count());
