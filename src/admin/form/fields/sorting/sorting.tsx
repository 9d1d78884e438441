// Dragging items of an array into another order. A chunk of its own: loaded when a hand comes near a handle.
import { closestCenter, DndContext, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import type { DragEndEvent } from '@dnd-kit/core';
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import type { CSSProperties, HTMLAttributes, ReactNode, Ref } from 'react';

export interface Draggable {
  ref: Ref<HTMLDivElement>;
  style: CSSProperties;
  isDragging: boolean;
  handle: HTMLAttributes<HTMLButtonElement>;
}

// Positions are announced by the array itself, for the mouse and the keyboard alike.
const silent = {
  announcements: { onDragStart: () => undefined, onDragOver: () => undefined, onDragEnd: () => undefined, onDragCancel: () => undefined },
  screenReaderInstructions: { draggable: '' },
};

export function SortList({
  keys,
  onMove,
  children,
}: {
  keys: readonly string[];
  onMove: (from: number, to: number) => void;
  children: ReactNode;
}) {
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) onMove(keys.indexOf(String(active.id)), keys.indexOf(String(over.id)));
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd} accessibility={silent}>
      <SortableContext items={keys as string[]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

export function SortItem({ id, children }: { id: string; children: (sort: Draggable) => ReactNode }) {
  const { setNodeRef, transform, transition, isDragging, listeners } = useSortable({ id });
  const flat = transform ? { ...transform, x: 0, scaleX: 1, scaleY: 1 } : null;
  return children({
    ref: setNodeRef,
    isDragging,
    style: { transform: CSS.Transform.toString(flat), transition },
    handle: (listeners ?? {}) as HTMLAttributes<HTMLButtonElement>,
  });
}
