// The one table of "this key names a …": which strings of the definitions name something that stands elsewhere. From it follow the
// check of names that nothing else looks up, what the studio completes, and who uses a name (`npm run uses`).
import { membersOf, type Members } from './changes/compare.ts';
import { metaOf } from './grammar.ts';
import { Grammar, type Node } from './keys.ts';
import type { NameKind } from './name-kind.ts';

/**
 * Place in the grammar -> what a string there names. A place is a file of schemas/meta, or `<kind>/<renderer>` of options, and the keys
 * that lead to it, without `items`, `anyOf` and the like. What names.json lists (`$ref`) need not stand here; the tests refuse a new key of
 * either that has no line and is no word of its own (`OWN_WORDS`).
 */
export const REFERENCES: Readonly<Record<string, NameKind>> = {
  'action/action': 'identifier',
  'action/states': 'state',
  'action/forMany/states': 'state',
  'action/link/states': 'state',
  'action/portal/states': 'state',
  'action/portal/while': 'field',
  'action/text': 'text',
  'action/columns': 'identifier',
  'action/asked': 'identifier',
  'analytics/sections/components/metrics': 'metric',
  'analytics/sections/components/by': 'dimension',
  'analytics/sections/components/split': 'dimension',
  'analytics/sections/components/source': 'identifier',
  'analytics/sections/components/to': 'path',
  'calls/call/in': 'parameter',
  'calls/call/query': 'parameter',
  'calls/call/poll/call': 'call',
  'calls/call/sort/field': 'field',
  'calls/call/part': 'field',
  'calls/call/runs': 'identifier',
  'calls/call/screen': 'screen',
  'calls/call/catalogue': 'identifier',
  'calls/call/chart': 'chart',
  'calls/call/figures': 'identifier',
  'calls/call/document': 'identifier',
  'calls/call/set': 'set',
  'calls/says': 'identifier',
  'condition-kinds/kinds/operators': 'operator',
  'conditions/conditions/kind': 'condition kind',
  'conditions/conditions/fact': 'condition fact',
  'conditions/conditions/permission': 'permission',
  'conditions/conditions/operators': 'operator',
  'conditions/conditions/events': 'event',
  'events/events/$ref': 'schema',
  'events/events/personal': 'member',
  'integration-events/events/of': 'event',
  'integration-events/events/message': 'message',
  'integration/plan': 'plan',
  'integration/required': 'field',
  'integration/events/takes': 'vendor event',
  'message/when/event': 'event',
  'metric/terms/fact': 'analytics fact',
  'metric/terms/sum': 'measure',
  'navigation/entry/to': 'planned path',
  'navigation/entry/redirectTo': 'planned path',
  'navigation/entry/today/to': 'path',
  'navigation/entry/badge': 'session fact',
  'navigation/source/to': 'path',
  'permissions/areas/loopModuleKey': 'module',
  'permissions/areas/dependsOn': 'permission',
  'popups/popups/page': 'planned path',
  'report/columns': 'field',
  'report/more': 'field',
  'report/filters': 'field',
  'report/to': 'path',
  'report/sort/field': 'field',
  'resource/pages/to': 'path',
  'resource/record/badge': 'field',
  'resource/form/shows': 'identifier',
  'resource/fieldsSection/fields': 'field',
  'resource/fieldsSection/action': 'action',
  'resource/listSection/rowTo': 'path',
  'resource/panelSection/rows': 'field',
  'resource/columns': 'field',
  'resource/column/field': 'field',
  'resource/list/optional': 'field',
  'resource/list/tabs/count': 'identifier',
  'resource/list/filters': 'field',
  'resource/list/empty/action': 'action',
  'resource/list/rowTo': 'path',
  'resource/sort/field': 'field',
  'resource/actions': 'action',
  'resource/call': 'call',
  'resource/action/prompt': 'parameter',
  'resource/action/prerequisite/prompt': 'parameter',
  'resource/action/prerequisite/provides': 'identifier',
  'resource/action/shows': 'identifier',
  'resource/action/to': 'path',
  'resource/action/offerAfterSave': 'field',
  'schema/node/$ref': 'schema',
  'schema/node/required': 'field',
  'schema/node/x-above': 'field',
  'schema/node/x-unlike': 'field',
  'schema/node/x-events': 'event subject',
  'schema/option/$ref': 'schema',
  'schema/ui/propose/of': 'field',
  'schema/ui/choices/value': 'identifier',
  'schema/record/key': 'field',
  'schema/record/image': 'field',
  'schema/record/table': 'table',
  'schema/record/unique': 'field',
  'schema/record/unique/field': 'field',
  'schema/record/export/from': 'field',
  'schema/record/sets/table': 'table',
  'schema/fieldNames': 'field',
  'schema/states/field': 'field',
  'schema/states/moves/from': 'state',
  'schema/states/moves/to': 'state',
  'schema/states/moves/guard': 'guard',
  'set-up/path': 'planned path',
  'set-up/stage/needs': 'stage',
  'set-up/done/count': 'entity',
  'set-up/done/setting': 'settings page',
  'set-up/done/fact': 'store fact',
  'set-up/way/fact': 'store fact',
  'texts/section': 'identifier',
  'texts/takes': 'text',
  'texts/texts/variables': 'member',
  'whats-new/news/to': 'planned path',
  'cells/customer/email': 'field',
  'cells/link/to': 'path',
  'cells/number/ofField': 'field',
  'cells/products/image': 'field',
  'cells/products/lines': 'field',
  'fields/anchor-day/unitField': 'field',
  'fields/answers/call': 'call',
  'fields/answers/list': 'identifier',
  'fields/answers/value': 'identifier',
  'fields/answers-many/call': 'call',
  'fields/answers-many/list': 'identifier',
  'fields/answers-many/value': 'identifier',
  'fields/discount-value/typeField': 'field',
  'fields/flow-actions/call': 'call',
  'fields/frequency/unitField': 'field',
  'fields/image/call': 'call',
  'fields/interval/count': 'field',
  'fields/interval/unit': 'field',
  'fields/key-value/value': 'identifier',
  'fields/money/currencyField': 'field',
  'fields/permission-matrix/compare': 'call',
  'fields/product-picker/call': 'call',
  'fields/product-picker/products': 'identifier',
  'fields/product-picker/variants': 'identifier',
  'fields/template/call': 'call',
  'pages/analytics/page': 'analytics page',
  'pages/figures/call': 'call',
  'pages/figures/copy/field': 'identifier',
  'pages/figures/tiles/currencyField': 'identifier',
  'pages/figures/tiles/field': 'identifier',
  'pages/steps/call': 'call',
  'pages/steps/refresh': 'call',
  'pages/steps/steps/call': 'call',
  'pages/steps/steps/to': 'path',
  'pages/texts/categories': 'call',
  'pages/texts/exportFile': 'call',
  'pages/texts/importFile': 'call',
  'pages/texts/language': 'call',
  'pages/texts/languages': 'call',
  'pages/texts/list': 'call',
  'pages/texts/owner': 'identifier',
  'pages/texts/primary': 'path',
  'pages/texts/save': 'call',
  'panels/banners/banners/actions': 'action',
  'panels/banners/banners/icon': 'icon',
  'panels/banners/banners/rows': 'field',
  'panels/mail-frame/as': 'identifier',
  'panels/mail-frame/call': 'call',
  'panels/message-preview/call': 'call',
  'panels/next-step/here': 'stage',
  'panels/storefront/call': 'call',
  'panels/story/figures': 'field',
  'panels/story/health/icon': 'icon',
  'panels/story/log/call': 'call',
  'panels/story/log/section': 'section',
  'panels/versions/call': 'call',
  'panels/versions/restore': 'call',
  'panels/versions/schema': 'shown schema',
};

/** A string of a definition file that names something. */
export interface Reference {
  file: string;
  /** Keys and indices that lead to it. */
  path: (string | number)[];
  /** What it may name: usually one kind. */
  kinds: NameKind[];
  name: string;
  /** The place in the grammar that makes it one. */
  place: string;
}

const FOLDER: Readonly<Record<string, string>> = { widget: 'fields', cell: 'cells', panel: 'panels', page: 'pages' };
/** Lists of names.json by what their names are. */
const LISTS: Readonly<Record<string, NameKind>> = {
  calls: 'call',
  tables: 'call table',
  hosts: 'host',
  pagers: 'pager',
  params: 'parameter',
  codecs: 'codec',
  entities: 'entity',
  settings: 'settings page',
  tags: 'tag',
  resources: 'screen',
  fields: 'widget',
  cells: 'cell',
  panels: 'panel',
  pages: 'page',
  icons: 'icon',
  permissions: 'permission',
  modules: 'module',
  features: 'feature',
  planFeatures: 'plan feature',
};

/** Looks for references in definition files (path from the root -> text; schemas/meta among them) and texts of option schemas. */
export class ReferenceFinder {
  readonly #grammar: Grammar;
  readonly #options: Record<string, string>;
  readonly #places = new Map<object, string>();

  constructor(files: Record<string, string>, options: Record<string, string> = {}) {
    this.#options = Object.fromEntries(Object.entries(options).map(([file, text]) => [optionsFile(file), text]));
    this.#grammar = new Grammar({ ...files, ...this.#options });
  }

  /** Every place of the grammar where a string stands, with what it names if anything. `isFree`: any text may stand there. */
  places(metas: readonly string[]): { place: string; kind: NameKind | undefined; isFree: boolean }[] {
    const found = new Map<string, { place: string; kind: NameKind | undefined; isFree: boolean }>();
    for (const file of [...metas, ...Object.keys(this.#options)]) {
      this.#learn(file);
      for (const [node, place] of this.#places) {
        const one = membersOf(node);
        if (![one['type']].flat().includes('string') || 'enum' in one || 'const' in one) continue;
        found.set(place, { place, kind: REFERENCES[place], isFree: !('pattern' in one) && !('format' in one) });
      }
    }
    return [...found.values()];
  }

  /** The references of one file, in its order. */
  in(file: string, value: unknown): Reference[] {
    const meta = metaOf(file);
    if (!meta || file.startsWith('schemas/meta/')) return [];
    const found: Reference[] = [];
    this.#walk([this.#top(meta)], value, file, [], found);
    return found;
  }

  /** What a string at a place of a file may name, by the grammar alone: for an editor. Options of renderers are not looked into. */
  kindsAt(file: string, path: readonly (string | number)[]): NameKind[] {
    const meta = metaOf(file);
    if (!meta) return [];
    let nodes = this.#grammar.alternatives(this.#top(meta));
    for (const step of path)
      nodes = nodes.flatMap(node => this.#grammar.step(node, step)).flatMap(node => this.#grammar.alternatives(node));
    return nodes.flatMap(({ file: at, node }) => {
      this.#learn(at);
      return REFERENCES[this.#places.get(node) ?? at] ?? [];
    });
  }

  #top(file: string): Node {
    this.#learn(file);
    return { file, node: this.#grammar.document(file) };
  }

  #walk(start: readonly Node[], value: unknown, file: string, path: (string | number)[], found: Reference[]): void {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return;
    const nodes = start.flatMap(node => this.#grammar.alternatives(node));
    if (typeof value === 'string') {
      const kinds: NameKind[] = [];
      let first = '';
      for (const { file: at, node } of nodes) {
        this.#learn(at);
        const list = /names\.json#\/definitions\/(\w+)$/.exec(String(node['$ref'] ?? ''))?.[1];
        const place = this.#places.get(node) ?? at;
        const kind = REFERENCES[place] ?? (list === undefined ? undefined : LISTS[list]);
        if (kind === undefined || kinds.includes(kind)) continue;
        kinds.push(kind);
        first ||= place;
      }
      if (kinds.length) found.push({ file, path, kinds, name: value, place: first });
      return;
    }
    if (Array.isArray(value)) {
      value.forEach((item, i) =>
        this.#walk(
          nodes.flatMap(node => this.#grammar.step(node, i)),
          item,
          file,
          [...path, i],
          found,
        ),
      );
      return;
    }
    const members = membersOf(value);
    for (const [key, inner] of Object.entries(members)) {
      const options = key === 'options' ? this.#optionsOf(members) : undefined;
      this.#walk(options ? [options] : nodes.flatMap(node => this.#grammar.step(node, key)), inner, file, [...path, key], found);
    }
  }

  /** The schema of what stands in "options" beside the name of a renderer. */
  #optionsOf(members: Members): Node | undefined {
    for (const [key, folder] of Object.entries(FOLDER)) {
      const file = `schemas/meta/${folder}/${String(members[key])}.json`;
      if (typeof members[key] === 'string' && this.#options[file] !== undefined) return this.#top(file);
    }
    return undefined;
  }

  /** Gives every node of a file of the grammar its place. */
  #learn(file: string): void {
    const document = this.#grammar.document(file);
    if (this.#places.has(document)) return;
    const visit = (node: Members, place: string): void => {
      this.#places.set(node, place);
      for (const key of ['properties', 'patternProperties', 'definitions'])
        for (const [name, inner] of Object.entries(membersOf(node[key])))
          visit(membersOf(inner), key === 'patternProperties' ? place : `${place}/${name}`);
      for (const key of ['items', 'additionalProperties', 'then', 'else', 'propertyNames'])
        if (node[key] !== undefined && typeof node[key] !== 'boolean')
          for (const inner of [node[key]].flat()) visit(membersOf(inner), place);
      for (const key of ['anyOf', 'oneOf', 'allOf'])
        for (const inner of Array.isArray(node[key]) ? node[key] : []) visit(membersOf(inner), place);
    };
    visit(document, file.replace(/^schemas\/meta\//, '').replace(/\.json$/, ''));
  }
}

/** Option schemas stand among the files of the grammar: "renderers/pages/figures.options.json" -> "schemas/meta/pages/figures.json". */
const optionsFile = (file: string): string => file.replace(/^renderers\/(.*)\.options\.json$/, 'schemas/meta/$1.json');
