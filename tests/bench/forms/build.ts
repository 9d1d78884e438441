// Builds both candidates as production pages, each with its own precompiled validators.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { definitionsPlugin } from '../../../scripts/definitions-plugin.ts';
import { compileSchemaValidatorsCode } from '@rjsf/validator-ajv8/compileSchemaValidators';
import { build } from 'vite';
import type { Plugin } from 'vite';
import { validatorCode } from '../../../src/contract/validation/compile.ts';
import { formAlias } from '../../../scripts/form-alias.ts';
import { benchForm } from './schema.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const project = join(here, '../../..');
const SIZES = [30, 100, 300];

/** rjsf's generated code asks for its helpers with `require`; a browser module imports them. */
function asModule(code: string): string {
  const names: string[] = [];
  const body = code.replace(/require\("([^"]+)"\)/g, (_all, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `needed${names.indexOf(name)}`;
  });
  const resolve = createRequire(import.meta.url).resolve;
  const imports = names
    .map(
      (name, i) =>
        `import * as module${i} from ${JSON.stringify(resolve(name))};\nconst needed${i} = module${i}.default?.default ? module${i}.default : module${i};`,
    )
    .join('\n');
  return `${imports}\nconst exports = {};\n${body.replace('"use strict";', '')}\nexport default exports;\n`;
}

const validators = (): Plugin => ({
  name: 'bench-validators',
  resolveId: id => (id.startsWith('virtual:bench/') ? `\0${id}` : undefined),
  load(id) {
    const [, who, size] = /^\0virtual:bench\/(ours|mui)(?:\/(\d+))?$/.exec(id) ?? [];
    if (!who) return undefined;
    if (!size) return `export default {${SIZES.map(n => `${n}: () => import('virtual:bench/${who}/${n}')`).join(', ')}};`;
    const { schema } = benchForm(Number(size));
    return who === 'ours'
      ? validatorCode(schema, join(project, 'src/contract/validation/validator-runtime.ts'))
      : asModule(compileSchemaValidatorsCode(schema as never));
  },
});

/** Builds one candidate into `outDir`. */
export async function buildCandidate(name: 'ours' | 'mui', outDir: string): Promise<void> {
  await build({
    root: project,
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins: [validators(), definitionsPlugin({ root: fileURLToPath(new URL('../../..', import.meta.url)) }), react()],
    // The peer keeps what it comes with.
    ...(name === 'ours' ? { resolve: { alias: formAlias } } : {}),
    build: {
      outDir,
      emptyOutDir: true,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 9000,
      rolldownOptions: { input: join(here, `${name}.html`) },
    },
  });
}
