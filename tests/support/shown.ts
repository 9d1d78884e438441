// What the reading calls show with a right and without it: the bodies are compared field by field.
import { parse } from 'csv-parse/sync';
import { buildRequest, isRead } from '../../src/contract/request.ts';
import type { Call, JsonObject, JsonValue } from '../../src/contract/types.ts';
import { ask } from './ask.ts';
import { Rights } from './torture/rights-matrix.ts';
import type { TestServer } from './serve.ts';

/** An answer by the places in it ("data[].note"), each with all values that stand there; a file by its columns. */
export interface Shown {
  status: number;
  text: string;
  isCsv: boolean;
  places: Map<string, string>;
}

/** The values of every place, in order; members of lists share a place. */
function placesOf(body: JsonValue): Map<string, string> {
  const values = new Map<string, string[]>();
  const add = (place: string, value: string): void => {
    const all = values.get(place);
    if (all) all.push(value);
    else values.set(place, [value]);
  };
  const walk = (value: JsonValue, place: string): void => {
    // How many members an object has follows from those that are missing.
    if (Array.isArray(value)) {
      add(`${place}[]`, String(value.length));
      for (const one of value) walk(one, `${place}[]`);
    } else if (value !== null && typeof value === 'object')
      for (const [name, inner] of Object.entries(value)) walk(inner, place === '' ? name : `${place}.${name}`);
    else add(place, JSON.stringify(value));
  };
  walk(body, '');
  return new Map([...values].map(([place, all]) => [place, all.join(' ')]));
}

/** Tokens of links for customers are made at each read: the minute, and its signature. */
const tokensAlike = (text: string): string =>
  text.replaceAll(/([?&](?:merchantToken|token)=|"token":")[0-9a-f]{32}/g, (_, before: string) => `${before}…`);

/** Places that say which rights the person has, what they did last, what time it is, and which tasks of the set-up are theirs. */
const ABOUT_RIGHTS: Record<string, RegExp> = {
  'clock.now': /nowEpoch$/,
  'analytics.pageConfig': /lastUpdatedAt$/,
  'analytics.cohortConfig': /lastUpdatedAt$/,
  'start-up.session': /permissions\[\]\.access$/,
  'start-up.user': /permissions\[\]\.access$/,
  'users.list': /lastActiveAt$/,
  'alerts.unresolved': /canRefresh$/,
  'alerts.read': /canRefresh$/,
  'onboarding.storeInsights': /^data\.goalCategories/,
  'bundles.permissions': /^data\.(can[A-Z]\w+|features\[\])$/,
  // Which reports there are follows the rights; the list of files grows as files are asked for.
  'reports.all': /^data/,
  'reports.exports': /./,
};

/** All that a member sees by the calls that read. */
export class Looks {
  readonly rights: Rights;
  readonly calls: Call[];
  readonly #server: TestServer;
  readonly #inputs: Record<string, JsonObject>;
  /** Places whose values change from one look to the next by themselves, by call. */
  readonly #restless = new Map<string, Set<string>>();

  constructor(server: TestServer, inputs: Record<string, JsonObject>) {
    this.#server = server;
    this.#inputs = inputs;
    this.rights = new Rights(server);
    this.calls = this.rights.calls.filter(call => isRead(call) && !call.public);
  }

  /** Calls that can't be asked without an input, and have none. */
  get unasked(): string[] {
    return this.calls.filter(call => call.in.some(param => param.required) && !this.#inputs[call.name]).map(call => call.name);
  }

  get areas(): string[] {
    return this.rights.areas.map(area => area.permissionKey);
  }

  /** Everything may be changed but what `without` names. */
  async grant(...without: string[]): Promise<void> {
    await this.rights.set(Object.fromEntries(this.areas.map(area => [area, without.includes(area) ? 'NO_ACCESS' : 'WRITE'])));
  }

  inputOf(call: Call): JsonObject {
    return this.#inputs[call.name] ?? {};
  }

  async ask(call: Call, token: string, input = this.#inputs[call.name] ?? {}): Promise<Shown> {
    const request = buildRequest(this.#server.services.definitions, call, input);
    const { status, headers, text } = await ask(this.#server.url + request.url, {
      method: request.method,
      headers: { ...request.headers, authorization: token },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const type = headers.get('content-type') ?? '';
    const isCsv = type.startsWith('text/csv');
    const body = (
      isCsv
        ? parse(text, { bom: true, columns: true, relax_column_count: true })
        : type.includes('json')
          ? JSON.parse(tokensAlike(text))
          : text
    ) as JsonValue;
    return { status, text, isCsv, places: placesOf(body) };
  }

  /** What each call shows with every right. */
  async whole(token: string): Promise<Map<string, Shown>> {
    await this.grant();
    const all = new Map<string, Shown>();
    for (const call of this.calls) {
      const [first, second] = [await this.ask(call, token), await this.ask(call, token)];
      this.#restless.set(call.name, new Set(placesThatDiffer(first, second)));
      all.set(call.name, first);
    }
    return all;
  }

  /** Places of an answer that say something else than with every right; those that change by themselves or say the rights are left out. */
  differing(call: Call, whole: Shown, shown: Shown): string[] {
    const restless = this.#restless.get(call.name);
    return placesThatDiffer(whole, shown).filter(place => !restless?.has(place) && !ABOUT_RIGHTS[call.name]?.test(place));
  }
}

const placesThatDiffer = (a: Shown, b: Shown): string[] =>
  [...new Set([...a.places.keys(), ...b.places.keys()])].filter(place => a.places.get(place) !== b.places.get(place)).sort();
