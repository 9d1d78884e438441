// Vite plugin: an article of the help center as a module. Markdown becomes HTML when the admin is built; raw HTML in it stays text.
import MarkdownIt from 'markdown-it';
import type { Plugin } from 'vite';

const markdown = new MarkdownIt({ html: false, typographer: false });
const HEAD = /^---\n([\s\S]*?)\n---\n/;

export interface HelpArticle {
  title: string;
  group: string;
  /** Routes whose help it is. */
  pages: string[];
  keywords: string;
  html: string;
  /** The words alone, for the search. */
  text: string;
}

const list = (text: string): string[] => text.split(',').flatMap(one => one.trim() || []);

/** Reads an article. @throws Error when its head is missing or incomplete */
export function readArticle(source: string, name: string): HelpArticle {
  const head = HEAD.exec(source);
  const fields = new Map(head?.[1]?.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
  const title = fields.get('title');
  const group = fields.get('group');
  if (!head || !title || !group) throw new Error(`${name} begins with a head between lines of ---: title, group, pages, keywords.`);
  const html = markdown.render(source.slice(head[0].length));
  const text = html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { title, group, pages: list(fields.get('pages') ?? ''), keywords: fields.get('keywords') ?? '', html, text };
}

export const helpPlugin = (): Plugin => ({
  name: 'perennial-help',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/features/help/articles/') || !id.endsWith('.md')) return undefined;
    return { code: `export default ${JSON.stringify(readArticle(code, id))};`, map: null };
  },
});
