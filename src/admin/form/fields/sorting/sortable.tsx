// A list of items that can be dragged once the code for that is there; until then the same list without.
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { GripVertical } from 'lucide-react';
import { chunk } from '../../../platform/chunk.ts';
import type { Draggable } from './sorting.tsx';
import type { FormStore } from '../../engine/store.ts';
import { t } from '../../../../domain/text/t.ts';

const sorting = chunk(() => import('./sorting.tsx'));

export interface SortableProps {
  keys: readonly string[];
  store: FormStore;
  box: RefObject<HTMLDivElement | null>;
  onMove: (from: number, to: number) => void;
  /** Draws one item; `sort` is there once items can be dragged. */
  renderItem: (index: number, sort: Draggable | undefined) => ReactNode;
}

interface Focused {
  id: string;
  start: number | null;
  end: number | null;
}

export function Sortable({ keys, store, box, onMove, renderItem }: SortableProps) {
  const [module, setModule] = useState<ReturnType<typeof sorting.get>>();
  const focused = useRef<Focused>(undefined);
  const arm = useCallback(() => {
    if (module || keys.length < 2) return;
    void sorting.load().then(
      loaded => {
        // Wrapping the items redraws them: what was typed is handed on before, and the focus put back after.
        store.flush();
        const active = document.activeElement;
        if (active instanceof HTMLElement && box.current?.contains(active) && active.id) {
          const text = active as HTMLInputElement;
          focused.current = { id: active.id, start: text.selectionStart ?? null, end: text.selectionEnd ?? null };
        }
        setModule(loaded);
      },
      () => undefined,
    );
  }, [module, keys.length, store, box]);
  useLayoutEffect(() => {
    const was = focused.current;
    focused.current = undefined;
    const element = was && (document.getElementById(was.id) as HTMLInputElement | null);
    if (!was || !element) return;
    element.focus({ preventScroll: true });
    if (was.start !== null) element.setSelectionRange(was.start, was.end);
  });

  const onPointer = (event: React.PointerEvent) => {
    if (event.pointerType !== 'mouse' || (event.target as HTMLElement).closest('.f-handle')) arm();
  };
  const list = module ? (
    <module.SortList keys={keys} onMove={onMove}>
      {keys.map((key, index) => (
        <module.SortItem key={key} id={key}>
          {sort => renderItem(index, sort)}
        </module.SortItem>
      ))}
    </module.SortList>
  ) : (
    keys.map((_key, index) => renderItem(index, undefined))
  );
  return (
    <div className="f-sortable" onPointerOver={onPointer} onPointerDown={onPointer}>
      {list}
    </div>
  );
}

/** What an item is dragged by; arrow keys move it too. */
export function Handle({ name, index, count, sort }: { name: string; index: number; count: number; sort: Draggable | undefined }) {
  return (
    <button
      type="button"
      className="f-handle"
      {...sort?.handle}
      aria-label={t`Move ${name}, ${index + 1} of ${count}. Use the arrow keys.`}
      disabled={count < 2}
    >
      <GripVertical size={16} aria-hidden="true" />
    </button>
  );
}
