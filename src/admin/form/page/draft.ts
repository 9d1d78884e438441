// What was typed survives a reload: kept in this tab for each record and version, offered when the form is opened again.
import { useCallback, useEffect, useState } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import { countChanges } from '../engine/changes.ts';
import { storageOwner } from '../../platform/session/storage-owner.ts';
import type { FormStore } from '../engine/store.ts';

const PREFIX = 'perennial.draft:';
/** One record's drafts of one person: "perennial.draft:1:1001/settings/general". */
const prefixOf = (name: string): string => `${PREFIX}${storageOwner()}/${name}`;
interface Draft {
  at: number;
  value: JsonObject;
}

const storage = (): Storage | undefined => {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
};

function readDraft(name: string, version: number): Draft | undefined {
  try {
    const kept = storage()?.getItem(`${prefixOf(name)}:${version}`);
    return kept ? (JSON.parse(kept) as Draft) : undefined;
  } catch {
    return undefined;
  }
}

/** Drops the drafts of older versions: they were made from something that is no longer there. */
function dropOthers(name: string, version: number): void {
  const kept = storage();
  if (!kept) return;
  for (const key of Object.keys(kept))
    if (key.startsWith(`${prefixOf(name)}:`) && key !== `${prefixOf(name)}:${version}`) kept.removeItem(key);
}

export interface OfferedDraft {
  at: Date;
  count: number;
  restore: () => void;
  drop: () => void;
}

/** Keeps a draft of the form while it has changes. Answers the one left from before, if it says something else than the record. */
export function useDraft(store: FormStore, name: string, version: number, isOn: boolean): OfferedDraft | undefined {
  const [offered, setOffered] = useState<Draft | undefined>(() => {
    const draft = isOn ? readDraft(name, version) : undefined;
    return draft && countChanges(store.schema, store.baseline, draft.value) ? draft : undefined;
  });
  useEffect(() => {
    if (!isOn) return;
    dropOthers(name, version);
    const key = `${prefixOf(name)}:${version}`;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      clearTimeout(timer);
      try {
        if (store.changeCount()) storage()?.setItem(key, JSON.stringify({ at: Date.now(), value: store.value } satisfies Draft));
        else storage()?.removeItem(key);
      } catch {
        /* the storage is full: the form works all the same */
      }
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
      stop();
      clearTimeout(timer);
      // The page was left after its question was answered: what isn't saved by now was given up.
      if (isOurs) storage()?.removeItem(key);
      window.removeEventListener('pagehide', onHide);
    };
  }, [store, name, version, isOn]);
  const restore = useCallback(() => {
    if (offered) store.put({ ...store.value, ...offered.value });
    setOffered(undefined);
  }, [offered, store]);
  const drop = useCallback(() => {
    storage()?.removeItem(`${prefixOf(name)}:${version}`);
    setOffered(undefined);
  }, [name, version]);
  return offered && { at: new Date(offered.at), count: countChanges(store.schema, store.baseline, offered.value), restore, drop };
}
