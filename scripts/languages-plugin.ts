// Vite plugin: the words of each language (languages/<code>/) as one classic script, which the page carries in its head when its
// person reads that language. Built, it is a file named by its content; while developing it is made at each request.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import { browserDictionary, languageScript, readLanguages } from '../src/server/platform/languages.ts';
import { dictionaryOf } from '../src/domain/text/language-files.ts';
import { LANGUAGES_FILE, type LanguageTable, PAGE_TEXTS } from '../src/server/platform/http/page-language.ts';

/** The walk over definitions as an expression. */
async function latestChange(root: string): Promise<string> {
  const bundle = await rolldown({ input: join(root, 'src/domain/text/definition-texts.ts'), platform: 'browser' });
  const { output } = await bundle.generate({ format: 'iife', name: 'walk', minify: true });
  await bundle.close();
  return `(()=>{${output[0].code.replace(/\/\/# sourceMappingURL.*/, '')};return walk.withTexts})()`;
}

export function languagesPlugin(): Plugin {
  let root = process.cwd();
  let base = '/';
  return {
    name: 'perennial-languages',
    configResolved(config) {
      root = config.root;
      base = config.base;
    },
    async generateBundle() {
      const withTexts = await latestChange(root);
      const table: LanguageTable = {};
      for (const language of readLanguages(root)) {
        const source = languageScript(browserDictionary(language), withTexts);
        const fileName = `assets/language-${language.code}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
        this.emitFile({ type: 'asset', fileName, source });
        const { texts } = dictionaryOf(language.code, language.files);
        table[language.code] = { name: language.name, file: base + fileName, page: PAGE_TEXTS.map(text => texts[text] ?? text) };
      }
      this.emitFile({ type: 'asset', fileName: LANGUAGES_FILE, source: JSON.stringify(table) });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const code = /^\/assets\/language-([a-z-]+)\.js/i.exec(request.url ?? '')?.[1];
        const language = code === undefined ? undefined : readLanguages(root).find(one => one.code === code);
        if (!language) {
          next();
          return;
        }
        void latestChange(root).then(withTexts => {
          response.setHeader('content-type', 'text/javascript; charset=utf-8');
          response.setHeader('cache-control', 'no-store');
          response.end(languageScript(browserDictionary(language), withTexts));
        }, next);
      });
      server.watcher.add(`${root}/languages`);
      server.watcher.on('change', file => {
        if (/[/\\]languages[/\\].*\.json$/.test(file)) server.ws.send({ type: 'full-reload' });
      });
    },
  };
}
