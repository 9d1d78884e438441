// The rows a person has chosen: kept while one pages, gone when what the list shows changes. Shift takes everything between.
import type { RaRecord } from 'react-admin';
import { useCallback, useMemo, useState } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import type { ListOf } from '../use-list.ts';

type Id = RaRecord['id'];
export interface Selection {
  ids: ReadonlySet<Id>;
  toggle: (id: Id, range: boolean) => void;
  /** All rows of the shown page, on or off. */
  page: (on: boolean) => void;
  clear: () => void;
}
export interface Selected {
  selected: Map<Id, JsonObject>;
  selection: Selection;
  setSelected: (rows: Map<Id, JsonObject>) => void;
  /** Not only the rows of the page: every row that matches. */
  allMatching: boolean;
  setAllMatching: (all: boolean) => void;
}

export function useSelection(list: ListOf): Selected {
  const [selected, setRows] = useState<Map<Id, JsonObject>>(new Map());
  const [allMatching, setAllMatching] = useState(false);
  const [anchor, setAnchor] = useState<Id>();
  const { page: _page, after: _after, before: _before, ...shown } = list.input;
  const key = JSON.stringify(shown);
  const [last, setLast] = useState(key);
  if (last !== key) {
    setLast(key);
    setRows(new Map());
    setAllMatching(false);
  }
  const setSelected = useCallback((rows: Map<Id, JsonObject>) => {
    setRows(rows);
    setAllMatching(false);
  }, []);
  const rows = list.rows;
  const toggle = useCallback(
    (id: Id, range: boolean) => {
      setAllMatching(false);
      setAnchor(id);
      setRows(before => {
        const next = new Map(before);
        const all = rows ?? [];
        const on = !before.has(id);
        const [a, b] = [all.findIndex(row => row.id === anchor), all.findIndex(row => row.id === id)];
        const between = range && a >= 0 && b >= 0 ? all.slice(Math.min(a, b), Math.max(a, b) + 1) : all.slice(b, b + 1);
        for (const row of between)
          if (on) next.set(row.id, row as JsonObject);
          else next.delete(row.id);
        return next;
      });
    },
    [rows, anchor],
  );
  const selection = useMemo<Selection>(
    () => ({
      ids: new Set(selected.keys()),
      toggle,
      page: on =>
        setSelected(
          new Map(
            [...selected]
              .filter(([id]) => !rows?.some(row => row.id === id))
              .concat(on ? (rows ?? []).map(row => [row.id, row as JsonObject]) : []),
          ),
        ),
      clear: () => setSelected(new Map()),
    }),
    [selected, toggle, rows, setSelected],
  );
  return { selected, selection, setSelected, allMatching, setAllMatching };
}
