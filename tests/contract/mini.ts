// The mini-app of the tests: a few definitions of its own beside the product's grammar, hosts, parameters, facts, permissions and plans.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckOptions } from '../../src/check/index.ts';
import { load } from '../../src/contract/load.ts';
import type { Definitions } from '../../src/contract/types.ts';
import { readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const folder = fileURLToPath(new URL('./fixtures/mini/', import.meta.url));
const shared = /^schemas\/(meta\/.*|calls\/_hosts|common\/(params|session|permissions|plans))/;

/** Path -> text. */
export function miniFiles(): Record<string, string> {
  const files = Object.fromEntries(Object.entries(readDefinitionFiles()).filter(([file]) => shared.test(file)));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.json')) files[name] = readFileSync(join(folder, name), 'utf8');
  return files;
}
/** What the mini-app has besides definitions. */
export const miniOptions: CheckOptions = {
  handlers: ['coffees.taste', 'coffees.blend', 'coffees.mix', 'coffees.roast', 'coffees.sellOut'],
  renderers: {
    fields: ['text', 'number', 'select', 'toggle'],
    cells: ['money', 'badge'],
    panels: ['tasting'],
    pages: ['setting'],
    shell: [],
  },
  options: {
    'renderers/fields/number.options.json':
      '{ "type": "object", "additionalProperties": false, "properties": { "steppers": { "type": "boolean" }, "unitField": { "type": "string" } } }',
    'renderers/panels/tasting.options.json':
      '{ "type": "object", "additionalProperties": false, "properties": { "cups": { "type": "integer", "minimum": 1 } } }',
  },
  icons: ['store', 'bell'],
};
export const mini = (): Definitions => load(miniFiles());
