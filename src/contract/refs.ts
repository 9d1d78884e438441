// Follows $ref once and for all: after loading, no reader of a schema meets one.
import { chartOptions } from './analytics.ts';
import { conditionsIn, conditionsSchema, type ConditionKind } from './conditions.ts';
import type { JsonObject, LinkOffer, Schema } from './types.ts';
import { atPointer, pointer } from './paths.ts';

/** A mistake met while loading; check.ts adds line and column. `wanted` and `among` serve the suggestion. */
export interface Mistake {
  file: string;
  pointer: string;
  message: string;
  wanted?: string;
  among?: Iterable<string>;
}
export type Report = (mistake: Mistake) => void;

/** "schemas/entities/order.json" + "../common/money.json" -> "schemas/common/money.json" */
export function resolvePath(from: string, to: string): string {
  const out = from.split('/').slice(0, -1);
  for (const step of to.split('/')) {
    if (step === '..') out.pop();
    else if (step !== '.' && step !== '') out.push(step);
  }
  return out.join('/');
}

/** Makes schemas without $ref out of parsed files (path -> document). The same place is resolved once and shared. */
export class References {
  readonly #files: Record<string, unknown>;
  readonly #report: Report;
  readonly #done = new Map<string, Schema>();
  readonly #open = new Set<string>();
  #conditions: Record<string, ConditionKind> | undefined;
  constructor(files: Record<string, unknown>, report: Report) {
    this.#files = files;
    this.#report = report;
  }

  /** The schema at a place of a file, with everything it refers to written out. */
  schema(file: string, place = ''): Schema {
    const id = `${file}#${place}`;
    const known = this.#done.get(id);
    if (known) return known;
    const raw = atPointer(this.#files[file], place);
    if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) return {};
    this.#open.add(id);
    const result = this.#resolve(file, place, raw as JsonObject & Schema);
    this.#open.delete(id);
    this.#done.set(id, result);
    return result;
  }

  #resolve(file: string, place: string, raw: Schema): Schema {
    const { $ref, $schema: _schema, $comment: _comment, ...own } = raw as Schema & { definitions?: unknown };
    delete own.definitions;
    const inner = (key: string): Schema => this.schema(file, place + pointer([key]));
    const map = (key: 'properties', of: Record<string, Schema>): Record<string, Schema> =>
      Object.fromEntries(Object.keys(of).map(name => [name, this.schema(file, place + pointer([key, name]))]));
    const list = (key: string, of: Schema[]): Schema[] => of.map((_, i) => this.schema(file, place + pointer([key, i])));
    const result: Schema = { ...own };
    if (own.properties && typeof own.properties === 'object') result.properties = map('properties', own.properties);
    if (own.items && typeof own.items === 'object') result.items = inner('items');
    if (own.additionalProperties && typeof own.additionalProperties === 'object')
      result.additionalProperties = inner('additionalProperties');
    if (Array.isArray(own.oneOf)) result.oneOf = list('oneOf', own.oneOf);
    if (Array.isArray(own.anyOf)) result.anyOf = list('anyOf', own.anyOf);
    if (typeof own['x-events'] === 'string') result.oneOf = this.#eventOptions(own['x-events']);
    if (own['x-actions'] === 'link' || own['x-actions'] === 'campaign') result.oneOf = this.#linkOptions(own['x-actions']);
    else if (own['x-actions']) result.oneOf = [...this.#actionOptions(), ...(result.oneOf ?? [])];
    if (typeof own['x-conditions'] === 'string') {
      const set = conditionsSchema(own['x-conditions'], this.conditions());
      Object.assign(result, { ...set, ...result, 'x-ui': { widget: 'conditions', ...result['x-ui'] } });
    }
    if (own['x-topics'] === true) result.oneOf = this.#topicOptions();
    if (own['x-charts'] !== undefined) result.oneOf = chartOptions(this.#files, String(own['x-charts']));
    if (typeof $ref !== 'string') return result;

    const [path = '', fragment = ''] = $ref.split('#');
    const target = path === '' ? file : resolvePath(file, path);
    const here = place + '/$ref';
    if (this.#files[target] === undefined) {
      const folder = target.split('/').slice(0, -1).join('/');
      const among = Object.keys(this.#files).filter(name => name.startsWith(folder + '/'));
      this.#report({ file, pointer: here, message: `There is no file ${target}.`, wanted: target, among });
      return result;
    }
    if (atPointer(this.#files[target], fragment) === undefined) {
      const around = atPointer(this.#files[target], fragment.split('/').slice(0, -1).join('/'));
      const among = around !== null && typeof around === 'object' ? Object.keys(around) : [];
      this.#report({ file, pointer: here, message: `${target} has no ${fragment}.`, wanted: fragment.split('/').at(-1) ?? '', among });
      return result;
    }
    if (this.#open.has(`${target}#${fragment}`)) {
      this.#report({ file, pointer: here, message: `This $ref leads back to itself by way of ${target}; a schema can't contain itself.` });
      return result;
    }
    // What is stored and how it moves stays with the thing referred to; what it is called and its key come along.
    // Title, hints and errors given beside the $ref win over those behind it.
    const { 'x-states': _states, 'x-setting': _setting, $id: _id, ...base } = this.schema(target, fragment);
    const merged: Schema = { ...base, ...result };
    if (base['x-ui'] && result['x-ui']) merged['x-ui'] = { ...base['x-ui'], ...result['x-ui'] };
    if (base['x-errors'] && result['x-errors']) merged['x-errors'] = { ...base['x-errors'], ...result['x-errors'] };
    return merged;
  }

  /** The conditions of schemas/conditions by their keys. */
  conditions(): Record<string, ConditionKind> {
    return (this.#conditions ??= conditionsIn(this.#files, this));
  }

  /** The topics of webhooks as options of a field. */
  #topicOptions(): Schema[] {
    return Object.entries(this.#files).flatMap(([file, document]) =>
      file.startsWith('schemas/events/')
        ? Object.values((atPointer(document, '/events') ?? {}) as Record<string, { webhook?: string; title: string }>).flatMap(
            ({ webhook, title }) => (webhook ? [{ const: webhook, title }] : []),
          )
        : [],
    );
  }

  /** The actions of schemas/actions as options of a field. */
  #actionOptions(): Schema[] {
    return Object.entries(this.#files)
      .filter(([file]) => file.startsWith('schemas/actions/'))
      .map(([file, one]) => ({
        key: file.slice('schemas/actions/'.length, -'.json'.length),
        ...(one as { title?: string; order?: number }),
      }))
      .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
      .map(({ key, title }) => ({ const: key, title: title ?? key }));
  }

  /** The kinds of links of schemas/actions as options of a field, or those of campaigns. */
  #linkOptions(place: 'link' | 'campaign'): Schema[] {
    return Object.entries(this.#files)
      .filter(([file]) => file.startsWith('schemas/actions/'))
      .flatMap(([, one]) => Object.entries((atPointer(one, '/in/link') ?? {}) as unknown as Record<string, LinkOffer>))
      .filter(([, { campaign, quickAction }]) => (place === 'link' ? quickAction !== false : campaign === true))
      .sort(([, a], [, b]) => a.order - b.order)
      .map(([kind, { title, description }]) => ({ const: kind, title, description }));
  }

  /** The events of a file of schemas/events as options of a field, with their tones. */
  #eventOptions(name: string): Schema[] {
    const file = `schemas/events/${name}.json`;
    const events = atPointer(this.#files[file], '/events') ?? {};
    return Object.keys(events).map(key => {
      const {
        payload: _payload,
        personal: _personal,
        webhook: _webhook,
        ...option
      } = this.schema(file, `/events/${key}`) as Schema & JsonObject;
      return { const: key, ...option } as Schema;
    });
  }
}
