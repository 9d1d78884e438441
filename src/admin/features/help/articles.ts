// The articles of the help center: found by address, by the page they are about, and by words.
import MiniSearch from 'minisearch';
import others from 'virtual:perennial/help';
import { matchRoute } from './match-route.ts';
import { language, t } from '../../../domain/text/t.ts';

export interface Article {
  id: string;
  title: string;
  group: string;
  pages: readonly string[];
  /** Whether there is a picture of its page (pictureUrl). */
  hasPicture: boolean;
  keywords: string;
  html: string;
  text: string;
}

/** Groups as the articles name them, in the order in which a new merchant meets them, with what they are called. */
const GROUPS: Record<string, string> = {
  Start: t.as('help')`Start`,
  'Selling plans': t`Selling plans`,
  Subscriptions: t`Subscriptions`,
  Payments: t`Payments`,
  Messages: t`Messages`,
  Settings: t`Settings`,
  'Work safely': t`Work safely`,
};

const files = import.meta.glob<Omit<Article, 'id'>>('./articles/*.md', { eager: true, import: 'default' });
/** The articles of another language; what it lacks is read in English. */
const translations = (await others[language()]?.())?.default ?? {};
export const articles: readonly Article[] = Object.entries(files)
  .map(([file, article]) => {
    const id = file.replace(/^.*\/|\.md$/g, '');
    const own = translations[id];
    const keywords = own ? `${own.keywords}, ${article.keywords}` : article.keywords;
    return { ...article, ...own, keywords, group: GROUPS[article.group] ?? article.group, id };
  })
  .sort((x, y) => x.title.localeCompare(y.title));

/** The picture of an article's page in the language that is read, 1180 by 720; in English where there is none. */
export const pictureUrl = ({ id }: Article): string => `/pictures/help/${translations[id] ? language() : 'en'}/${id}.webp`;

const ORDER = Object.values(GROUPS);
export const groups: readonly { name: string; articles: Article[] }[] = [...new Set(articles.map(({ group }) => group))]
  .sort((x, y) => ORDER.indexOf(x) - ORDER.indexOf(y))
  .map(name => ({ name, articles: articles.filter(({ group }) => group === name) }));

/** The article about a page; undefined where there is none. The closest address above it counts: that of a list for its records. */
export const articleFor = (path: string): Article | undefined => {
  const id = matchRoute(path, articles);
  return articles.find(one => one.id === id);
};

const index = new MiniSearch<Article>({
  fields: ['title', 'keywords', 'text'],
  searchOptions: { prefix: true, fuzzy: 0.2, combineWith: 'AND', boost: { title: 4, keywords: 3 } },
});
index.addAll(articles);

/** Articles with words like these, the best first. */
export const search = (words: string): Article[] => index.search(words).flatMap(({ id }) => articles.find(one => one.id === id) ?? []);
