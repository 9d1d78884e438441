// Vite plugin: an article of the help center as a module, and all articles in another language as one (articles/<code>/). Markdown becomes
// HTML when the admin is built; raw HTML in it stays text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Plugin } from 'vite';

const markdown = new MarkdownIt({ html: false, typographer: false });
const HEAD = /^---\n([\s\S]*?)\n---\n/;

export interface HelpArticle {
  title: string;
  group: string;
  /** Routes whose help it is. */
  pages: string[];
  /** Whether there is a picture of its page, by `npm run pictures`: pictures/help/<language>/<id>.webp. */
  hasPicture: boolean;
  keywords: string;
  html: string;
  /** The words alone, for the search. */
  text: string;
}

/** What another language has of its own; group and pages are those of the English article. */
export type HelpTranslation = Pick<HelpArticle, 'title' | 'keywords' | 'html' | 'text'>;

const list = (text: string): string[] => text.split(',').flatMap(one => one.trim() || []);

function read(source: string): HelpTranslation & { fields: Map<string, string> } {
  const head = HEAD.exec(source);
  const fields = new Map(
    head?.[1]?.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const),
  );
  const html = markdown.render(source.slice(head?.[0].length ?? 0));
  const text = html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { title: fields.get('title') ?? '', keywords: fields.get('keywords') ?? '', html, text, fields };
}

/** Reads an article. @throws Error when its head is missing or incomplete */
export function readArticle(source: string, name: string): HelpArticle {
  const { fields, ...article } = read(source);
  const group = fields.get('group');
  if (!article.title || !group) throw new Error(`${name} begins with a head between lines of ---: title, group, pages, keywords, picture.`);
  return { ...article, group, pages: list(fields.get('pages') ?? ''), hasPicture: fields.has('picture') };
}

/** The address that the picture of an article shows: `picture` of its head, where {subscription} stands for an active one. */
export const pictureOf = (source: string): string | undefined => read(source).fields.get('picture');

/** The articles of a language by their ids. @throws Error for one without a title */
export function readTranslations(folder: string, code: string): Record<string, HelpTranslation> {
  const files = readdirSync(join(folder, code)).filter(file => file.endsWith('.md'));
  return Object.fromEntries(
    files.map(file => {
      const { fields: _fields, ...article } = read(readFileSync(join(folder, code, file), 'utf8'));
      if (!article.title) throw new Error(`articles/${code}/${file} begins with a head between lines of ---: title, keywords.`);
      return [file.replace(/\.md$/, ''), article];
    }),
  );
}

const FOLDER = 'src/admin/features/help/articles';
/** Code of a language -> what loads its articles; and the articles of one. */
const ALL = 'virtual:perennial/help';
const ONE = 'virtual:perennial/help/';

export function helpPlugin(): Plugin {
  let folder = FOLDER;
  return {
    name: 'perennial-help',
    enforce: 'pre',
    configResolved(config) {
      folder = join(config.root, FOLDER);
    },
    resolveId: id => (id === ALL || id.startsWith(ONE) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${ALL}`) {
        const codes = readdirSync(folder, { withFileTypes: true }).filter(one => one.isDirectory());
        const lines = codes.map(({ name }) => `${JSON.stringify(name)}: () => import(${JSON.stringify(ONE + name)})`);
        return `export default { ${lines.join(', ')} };`;
      }
      if (!id.startsWith(`\0${ONE}`)) return undefined;
      const code = id.slice(ONE.length + 1);
      for (const file of readdirSync(join(folder, code))) this.addWatchFile(join(folder, code, file));
      return `export default ${JSON.stringify(readTranslations(folder, code))};`;
    },
    transform(code, id) {
      if (!id.includes('/features/help/articles/') || !id.endsWith('.md')) return undefined;
      return { code: `export default ${JSON.stringify(readArticle(code, id))};`, map: null };
    },
  };
}
