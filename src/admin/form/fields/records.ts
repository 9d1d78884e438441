// Records that fields refer to: asked for together, kept while the page is open, shown as choices.
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { keyOf } from './options.ts';
import type { Choice } from './options.ts';
import type { EntityDisplay, FormServices } from './widget.ts';
import { t } from '../../../domain/text/t.ts';

type Known = JsonObject | 'asked' | 'gone';

class RecordCache {
  private readonly known = new Map<string, Known>();
  private readonly watchers = new Set<() => void>();
  private wanted = new Map<string, Set<JsonValue>>();
  private version = 0;
  private readonly services: FormServices;
  constructor(services: FormServices) {
    this.services = services;
  }

  watch = (then: () => void): (() => void) => {
    this.watchers.add(then);
    return () => this.watchers.delete(then);
  };
  stamp = (): number => this.version;
  get(of: string, id: JsonValue): Known | undefined {
    return this.known.get(`${of}:${keyOf(id)}`);
  }
  put(of: string, record: JsonObject): void {
    this.known.set(`${of}:${keyOf(record[this.services.looks(of).key] ?? record.id ?? null)}`, record);
  }

  /** Asks for what isn't known yet; all that one moment wants goes into one question per entity. */
  ask(of: string, ids: readonly JsonValue[]): void {
    const missing = ids.filter(id => this.get(of, id) === undefined);
    if (!missing.length) return;
    if (!this.wanted.size) queueMicrotask(() => void this.fetch());
    const set = this.wanted.get(of) ?? new Set();
    for (const id of missing) {
      set.add(id);
      this.known.set(`${of}:${keyOf(id)}`, 'asked');
    }
    this.wanted.set(of, set);
  }

  private async fetch(): Promise<void> {
    const wanted = [...this.wanted];
    this.wanted = new Map();
    await Promise.all(
      wanted.map(async ([of, ids]) => {
        try {
          for (const record of await this.services.many(of, [...ids])) this.put(of, record);
          for (const id of ids) if (this.get(of, id) === 'asked') this.known.set(`${of}:${keyOf(id)}`, 'gone');
        } catch {
          // Asked again when the field is drawn the next time; until then its key stands in for the name.
          for (const id of ids) if (this.get(of, id) === 'asked') this.known.delete(`${of}:${keyOf(id)}`);
        }
      }),
    );
    this.version += 1;
    for (const watcher of this.watchers) watcher();
  }
}

const recordCaches = new WeakMap<FormServices, RecordCache>();
const recordCacheOf = (services: FormServices): RecordCache => {
  let recordCache = recordCaches.get(services);
  if (!recordCache) recordCaches.set(services, (recordCache = new RecordCache(services)));
  return recordCache;
};

/** The records with these keys, in their order; undefined while one is on its way, null when it no longer exists. */
export function useRecords(services: FormServices, of: string, ids: readonly JsonValue[]): (JsonObject | null | undefined)[] {
  const recordCache = recordCacheOf(services);
  useSyncExternalStore(recordCache.watch, recordCache.stamp);
  const key = ids.map(keyOf).join('\n');
  useEffect(() => {
    recordCache.ask(of, ids);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `key` stands for the ids
  }, [recordCache, of, key]);
  return ids.map(id => {
    const known = recordCache.get(of, id);
    return known === 'asked' || known === undefined ? undefined : known === 'gone' ? null : known;
  });
}

/** Remembers records that were found in another way, so that they need not be asked for. */
export const remember = (services: FormServices, of: string, records: JsonObject[]): void => {
  for (const record of records) recordCacheOf(services).put(of, record);
};

/** A record as a choice of a list. */
export function choiceOf(record: JsonObject, looks: EntityDisplay, person = false): Choice {
  const value = record[looks.key] ?? record.id ?? null;
  const [picture, detail] = [looks.picture?.(record), looks.detail?.(record)];
  return {
    key: keyOf(value),
    value,
    title: looks.label(record) || String(value),
    ...(detail ? { detail } : {}),
    ...(picture ? { picture } : {}),
    ...(person ? { person } : {}),
  };
}

/** The chosen ids as choices, whatever is known about them so far. */
export function useChosen(services: FormServices, of: string, ids: readonly JsonValue[], person = false): Choice[] {
  const looks = services.looks(of);
  return useRecords(services, of, ids).map((record, index) => {
    const id = ids[index]!;
    if (record) return choiceOf(record, looks, person);
    return { key: keyOf(id), value: id, title: record === null ? t`Deleted ${looks.one} (${String(id)})` : '…' };
  });
}

/** Pages of records for a text, as choices. */
export function useLoad(
  services: FormServices,
  of: string,
  filter: JsonObject | undefined,
  person = false,
): (text: string, page: number) => Promise<{ choices: Choice[]; hasMore: boolean }> {
  const [load] = useState(() => async (text: string, page: number) => {
    const { items, hasMore } = await services.find(of, { page, pageSize: 25, ...(text ? { q: text } : {}), ...(filter ? { filter } : {}) });
    remember(services, of, items);
    const looks = services.looks(of);
    return { choices: items.map(item => choiceOf(item, looks, person)), hasMore };
  });
  return load;
}
