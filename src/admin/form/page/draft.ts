// What was typed survives whatever takes the page away (a reload, a session that ends): it stays in this tab and is offered again.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import { countChanges } from '../engine/changes.ts';
import { draftStorage } from '../../platform/session/draft-storage.ts';
import type { FormStore } from '../engine/store.ts';

interface Draft {
  at: number;
  /** What the form held, and what it began with: what differs was typed. */
  value: JsonObject;
  base: JsonObject;
}

const placeOf = (name: string) => draftStorage<Draft>(`form/${name}`);

/** The record as it is now with what was typed: members that were not touched stay as another person may have saved them since. */
function withTyped(now: JsonObject, { value, base }: Draft): JsonObject {
  const names = new Set([...Object.keys(base), ...Object.keys(value)]);
  const typed = [...names].filter(name => JSON.stringify(value[name]) !== JSON.stringify(base[name]));
  const merged = { ...now };
  for (const name of typed) {
    const one = value[name];
    if (one === undefined) delete merged[name];
    else merged[name] = one;
  }
  return merged;
}

export interface OfferedDraft {
  at: Date;
  count: number;
  restore: () => void;
  drop: () => void;
}

/**
 * Keeps a draft of the form while it has changes, whichever way the page goes, and answers the one left from before, if it says something
 * else than the record. Only saving, discarding and `giveUp` (the person chose to leave without saving) end it.
 */
export function useDraft(
  store: FormStore,
  name: string,
  isOn: boolean,
  isLeaving: () => boolean,
): { draft: OfferedDraft | undefined; giveUp: () => void } {
  const [offered, setOffered] = useState<Draft | undefined>(() => {
    const draft = isOn ? placeOf(name).read() : undefined;
    return draft && countChanges(store.schema, store.baseline, withTyped(store.baseline, draft)) ? draft : undefined;
  });
  const isGivenUp = useRef(false);
  useEffect(() => {
    if (!isOn) return;
    const place = placeOf(name);
    isGivenUp.current = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      clearTimeout(timer);
      if (store.changeCount() && !isGivenUp.current && !isLeaving())
        place.write({ at: Date.now(), value: store.value, base: store.baseline });
      else place.clear();
    };
    let last = store.value;
    let isOurs = false;
    const stop = store.subscribe('*', () => {
      if (store.value === last) return;
      last = store.value;
      isOurs = true;
      clearTimeout(timer);
      timer = setTimeout(write, 400);
    });
    const onHide = () => {
      store.flush();
      if (isOurs) write();
    };
    window.addEventListener('pagehide', onHide);
    return () => {
      onHide();
      stop();
      clearTimeout(timer);
      window.removeEventListener('pagehide', onHide);
    };
  }, [store, name, isOn, isLeaving]);
  const restore = useCallback(() => {
    if (offered) store.put(withTyped(store.value, offered));
    setOffered(undefined);
  }, [offered, store]);
  const drop = useCallback(() => {
    placeOf(name).clear();
    setOffered(undefined);
  }, [name]);
  const giveUp = useCallback(() => {
    isGivenUp.current = true;
  }, []);
  const draft = offered && {
    at: new Date(offered.at),
    count: countChanges(store.schema, store.baseline, withTyped(store.baseline, offered)),
    restore,
    drop,
  };
  return { draft, giveUp };
}
