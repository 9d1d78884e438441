// A catalogue as large as the whole specification's: synthetic entities, calls and screens beside the product's own, as files. Three
// screens to an entity
// (list, new one, one that exists), by generic verbs alone, so that the server answers them.
import { restTables } from '../../src/contract/rest.ts';
import type { JsonObject, Navigation, Schema } from '../../src/contract/types.ts';

const WORDS = [
  'parcel',
  'voucher',
  'locker',
  'courier',
  'tasting',
  'roastery',
  'shelf',
  'ledger',
  'badge',
  'survey',
  'referral',
  'bundle',
  'ribbon',
  'harvest',
  'tariff',
  'depot',
];
const text = (value: unknown): string => JSON.stringify(value, null, 2);
const assumed = 'Synthetic: only its size matters.';

function entity(title: string, n: number): string {
  const fields = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [
      `${WORDS[(n + i) % WORDS.length]}${i}`,
      {
        title: `${title} ${WORDS[(n * 7 + i) % WORDS.length]}`,
        description: `What the ${WORDS[(n + i * 3) % WORDS.length]} of a ${title} says.`,
        type: i % 3 ? 'string' : 'integer',
        ...(i % 3 ? { maxLength: 60 + i } : {}),
      },
    ]),
  );
  return text({
    $schema: '../meta/entity.json',
    title,
    description: `${title}, one of many.`,
    type: 'object',
    additionalProperties: false,
    'x-record': {
      name: { one: title.toLowerCase(), many: `${title.toLowerCase()}s` },
      key: 'id',
      label: '{name}',
      filter: ['rating'],
      sort: ['name', 'updatedAt'],
      search: ['name'],
      export: { columns: ['id', 'name', 'rating'] },
    },
    required: ['id', 'name'],
    properties: {
      id: { title, type: 'integer', readOnly: true },
      version: { title: 'Version', type: 'integer', readOnly: true },
      name: { title: 'Name', type: 'string', minLength: 1, maxLength: 80 },
      rating: {
        title: 'Rating',
        type: 'string',
        default: 'GOOD',
        oneOf: [
          { const: 'GOOD', title: 'Good' },
          { const: 'POOR', title: 'Poor' },
        ],
      },
      ...fields,
      createdAt: { title: 'Created', type: 'string', format: 'date-time', readOnly: true },
      updatedAt: { title: 'Changed', type: 'string', format: 'date-time', readOnly: true },
    },
  });
}

const USUAL: [string, object][] = [
  ['list', { route: 'GET /list', does: 'list', page: 'page', sort: { field: 'name', order: 'ASC' } }],
  ['read', { route: 'GET /{id}', does: 'read' }],
  ['create', { route: 'POST /create', does: 'create' }],
  ['update', { route: 'PUT /{id}', does: 'update' }],
  ['delete', { route: 'DELETE /{id}', does: 'delete' }],
  ['export', { route: 'GET /export', does: 'export' }],
];
/** Further calls of the same verbs at other addresses. */
const further = (i: number): [string, object] => {
  const word = WORDS[i % WORDS.length] as string;
  return [
    [`list${word}${i}`, { route: `GET /list/${word}${i}`, does: 'list', page: 'page' }],
    [`read${word}${i}`, { route: `GET /{id}/${word}${i}`, does: 'read' }],
    [`change${word}${i}`, { route: `PUT /{id}/${word}${i}`, does: 'update' }],
  ][i % 3] as [string, object];
};

/** Files whose path a pattern with one group meets, parsed, by what the group found. */
const named = <T>(files: Readonly<Record<string, string>>, pattern: RegExp): Record<string, T> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([file, json]) => {
      const name = pattern.exec(file)?.[1];
      return name === undefined ? [] : [[name, JSON.parse(json) as T]];
    }),
  );

/** Lists that stand in the navigation, where they are asked for there. */
const IN_NAVIGATION = 8;

/**
 * Definition files with synthetic ones beside them, until there are so many calls and screens in all.
 * @param inNavigation the first lists stand in the navigation, below a section that has entries
 */
export function withLargeCatalogue(
  files: Readonly<Record<string, string>>,
  { calls, screens, inNavigation = false }: { calls: number; screens: number; inNavigation?: boolean },
): Record<string, string> {
  const all = { ...files };
  const isScreen = (file: string): boolean => /^resources\/(?!navigation\.json)/.test(file);
  const countCalls = (): number =>
    Object.entries(files)
      .filter(([file]) => /^schemas\/calls\/(?!_)/.test(file))
      .reduce((sum, [, json]) => sum + Object.keys((JSON.parse(json) as { calls: object }).calls).length, 0) + countRest();
  // Screens that name no table have plain REST calls, which stand in no file.
  const countRest = (): number => {
    const entities = named<Schema>(files, /^schemas\/entities\/(.+)\.json$/);
    const shown = Object.fromEntries(
      Object.entries(files)
        .filter(([file]) => isScreen(file))
        .map(([file, json]) => [file, JSON.parse(json) as JsonObject]),
    );
    return Object.values(restTables(shown, entities, () => undefined)).reduce((sum, table) => sum + Object.keys(table.calls).length, 0);
  };
  // A report is a screen with two calls of its own.
  const reports = Object.keys(files).filter(file => file.startsWith('schemas/reports/')).length;
  // A file with a list and a form is three screens, but for those that have a file of their own.
  const routesOf = (file: string): string[] => {
    const { list, form } = JSON.parse(files[file] as string) as { list?: object; form?: object };
    const route = file.replace(/\.json$/, '');
    return list && form ? [route, `${route}/create`, `${route}/[id]`] : [route];
  };
  let screensLeft = screens - new Set(Object.keys(files).filter(isScreen).flatMap(routesOf)).size - reports;
  // An action on the record that names no call has one of its own.
  const ofActions = Object.entries(files).filter(([file, json]) => {
    if (!file.startsWith('schemas/actions/')) return false;
    const { call, in: places } = JSON.parse(json) as { call?: string; in: object };
    return call === undefined && 'record' in places;
  }).length;
  let callsLeft = calls - countCalls() - 2 * reports - ofActions;
  const groups = Math.ceil(screensLeft / 3);
  const navigation = JSON.parse(files['resources/navigation.json'] ?? '{"main":[],"lower":[]}') as Navigation;
  const section = navigation.main.find(({ items }) => items?.length);
  for (let n = 0; n < groups; n++) {
    const word = WORDS[n % WORDS.length] as string;
    const name = `${word}-${String.fromCharCode(97 + (n % 26))}${n}`;
    const title = `${word[0]?.toUpperCase()}${word.slice(1)} ${n}`;
    const route = `${name}s`;
    if (inNavigation && n < IN_NAVIGATION) section?.items?.push({ id: name, title: `${title}s`, to: `/${route}` });
    const table = `${name}s`;
    all[`schemas/entities/${name}.json`] = entity(title, n);
    const many = n === groups - 1 ? callsLeft : Math.round(callsLeft / (groups - n));
    callsLeft -= many;
    const lines = [...USUAL, ...Array.from({ length: Math.max(0, many - USUAL.length) }, (_, i) => further(i))].slice(0, many);
    all[`schemas/calls/${table}.json`] = text({
      $schema: '../meta/calls.json',
      title: `${title}s`,
      host: 'main',
      base: `/api/${table}`,
      permission: 'generalSettings',
      of: name,
      calls: Object.fromEntries(lines.map(([key, line]) => [key, { ...line, title: `${key} of ${title}`, assumed }])),
    });
    const up = '../'.repeat(route.split('/').length);
    const head = { of: name, calls: table, permission: 'generalSettings' };
    const fields = ['name', 'rating', ...Array.from({ length: 8 }, (_, i) => `${WORDS[(n + i) % WORDS.length]}${i}`)];
    const form = { title: '{name}', sections: [{ id: 'all', title: 'All of it', fields }] };
    // The last one may be without a screen to make a record, so that there are as many as are asked for.
    const isWhole = screensLeft >= 3;
    const screensOfOne: [string, object][] = [
      [
        `resources/${route}.json`,
        {
          $schema: `${up}schemas/meta/resource.json`,
          title: `${title}s`,
          ...head,
          icon: 'package',
          list: {
            columns: [{ field: 'name', width: 220 }, ...fields.slice(1).map(field => ({ field })), { field: 'updatedAt' }],
            tabs: [{ title: 'All' }, { title: 'Good', filter: { rating: ['GOOD'] } }],
            search: `Search ${title}s`,
            filters: ['rating'],
            empty: { title: 'None yet', text: 'Add the first one.', ...(isWhole ? { action: 'create' } : {}) },
            export: true,
          },
          ...(isWhole
            ? { actions: [{ id: 'create', call: 'create', title: 'Add', icon: 'plus', primary: true, to: `/${route}/create` }] }
            : {}),
        },
      ],
      [
        `resources/${route}/create.json`,
        {
          $schema: `${up}../schemas/meta/resource.json`,
          title: `New ${title}`,
          ...head,
          form: { ...form, title: `New ${title}`, created: `/${route}/{id}` },
        },
      ],
      [`resources/${route}/[id].json`, { $schema: `${up}../schemas/meta/resource.json`, title, ...head, form }],
    ];
    const add = isWhole ? screensOfOne : [screensOfOne[0]!, screensOfOne[2]!];
    for (const [file, screen] of add.slice(0, screensLeft)) all[file] = text(screen);
    screensLeft -= Math.min(screensLeft, add.length);
  }
  if (inNavigation) all['resources/navigation.json'] = text(navigation);
  return all;
}
