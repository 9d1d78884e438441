/** The id of the article with the longest page that a path is or stands below; undefined where no article is about it. */
export function matchRoute(path: string, articles: readonly { id: string; pages: readonly string[] }[]): string | undefined {
  const under = (page: string): boolean => path === page || path.startsWith(`${page}/`);
  return articles
    .flatMap(({ id, pages }) => pages.filter(under).map(page => ({ id, page })))
    .toSorted((x, y) => y.page.length - x.page.length || x.id.localeCompare(y.id))[0]?.id;
}
