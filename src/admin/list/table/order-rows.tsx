// Rows that are put in order by dragging or, with the grip in focus, by the keyboard (Space lifts, arrows move, Space drops).
import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical } from 'lucide-react';
import type { RaRecord } from 'react-admin';
import { type ComponentProps, createContext, type ReactElement, type ReactNode, useContext, useMemo } from 'react';
import type { RowElementProps } from './row.tsx';
import { t } from '../../../domain/text/t.ts';

/** What screen readers say of it: the library's own words, in the person's language. */
const SPOKEN: ComponentProps<typeof DndContext>['accessibility'] = {
  screenReaderInstructions: {
    draggable: [
      t`To pick up a draggable item, press the space bar.`,
      t`While dragging, use the arrow keys to move the item.`,
      t`Press space again to drop the item in its new position, or press escape to cancel.`,
    ].join(' '),
  },
  announcements: {
    onDragStart: ({ active }) => t`Picked up draggable item ${active.id}.`,
    onDragOver: ({ active, over }) =>
      over
        ? t`Draggable item ${active.id} was moved over droppable area ${over.id}.`
        : t`Draggable item ${active.id} is no longer over a droppable area.`,
    onDragEnd: ({ active, over }) =>
      over ? t`Draggable item ${active.id} was dropped over droppable area ${over.id}` : t`Draggable item ${active.id} was dropped.`,
    onDragCancel: ({ active }) => t`Dragging was cancelled. Draggable item ${active.id} was dropped.`,
  },
};

/** Around the table: tells the new order of the ids when a row was dropped elsewhere. */
export function OrderArea({
  ids,
  onOrder,
  children,
}: {
  ids: RaRecord['id'][];
  onOrder: (ids: RaRecord['id'][], moved: RaRecord['id']) => void;
  children: ReactNode;
}): ReactElement {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const drop = ({ active, over }: DragEndEvent): void => {
    if (!over || active.id === over.id) return;
    const next = ids.filter(id => id !== active.id);
    next.splice(ids.indexOf(over.id), 0, active.id);
    onOrder(next, active.id);
  };
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop} accessibility={SPOKEN}>
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

type Handle = Pick<ReturnType<typeof useSortable>, 'attributes' | 'listeners' | 'setActivatorNodeRef'>;
const HandleContext = createContext<Handle | undefined>(undefined);

/** A row that moves with the pointer. */
export function OrderRow({ row, props, children }: { row: RaRecord; props: RowElementProps; children: ReactNode }): ReactElement {
  const { setNodeRef, transform, transition, isDragging, attributes, listeners, setActivatorNodeRef } = useSortable({ id: row.id });
  const handle = useMemo(() => ({ attributes, listeners, setActivatorNodeRef }), [attributes, listeners, setActivatorNodeRef]);
  return (
    <HandleContext.Provider value={handle}>
      <tr
        {...props}
        ref={setNodeRef}
        style={{ transform: CSS.Translate.toString(transform), transition }}
        data-dragging={isDragging || undefined}
      >
        {children}
      </tr>
    </HandleContext.Provider>
  );
}

export function Grip({ name }: { name: string }): ReactElement {
  const handle = useContext(HandleContext);
  const {
    role: _role,
    'aria-roledescription': described,
    ...attributes
  } = handle?.attributes ?? { role: 'button', 'aria-roledescription': 'sortable' };
  return (
    <button
      type="button"
      className="l-grip"
      aria-label={t`Move ${name}`}
      aria-roledescription={described}
      ref={handle?.setActivatorNodeRef}
      {...attributes}
      {...handle?.listeners}
    >
      <GripVertical size={14} aria-hidden="true" />
    </button>
  );
}
