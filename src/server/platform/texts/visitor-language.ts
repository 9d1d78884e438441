// The language of a visitor who has not signed in: the first of their browser that the store speaks.
import { localeChain } from '../../../domain/text/translation.ts';

/** @param header Accept-Language, as the browser sent it */
export function languageOfVisitor(header: string, languages: readonly { locale: string }[], primary: string): string {
  const wanted = header
    .slice(0, 200)
    .split(',')
    .map(part => {
      const [tag = '', ...more] = part.trim().split(';');
      return { tag, quality: Number(/^\s*q=([\d.]+)/.exec(more.join(';'))?.[1] ?? 1) };
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(-\w{2,8})*$/i.test(tag) && quality > 0)
    .sort((x, y) => y.quality - x.quality);
  for (const { tag } of wanted) {
    const found = [tag, tag.split('-')[0]]
      .map(one => languages.find(({ locale }) => locale.toLowerCase() === one?.toLowerCase()))
      .find(Boolean);
    if (found) return found.locale;
  }
  return localeChain(primary, primary)[0] ?? primary;
}
