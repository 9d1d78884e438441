// A box that floats at an element, in the browser's top layer, so that no scrolling table or dialog cuts it off.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { useLatest } from '../engine/hooks.ts';

export interface PopoverProps {
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
  /** At least as wide as the anchor. */
  wide?: boolean;
  className?: string;
  role?: string;
  label?: string;
  /** Takes the focus when it opens and gives it back when it closes. */
  takesFocus?: boolean;
}

const GAP = 4;
const EDGE = 8;

export function Popover({ anchor, onClose, children, wide = false, className = '', role, label, takesFocus = false }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const close = useLatest(onClose);

  useLayoutEffect(() => {
    const element = box.current;
    const at = anchor.current;
    if (!element || !at) return;
    const before = document.activeElement as HTMLElement | null;
    element.showPopover();
    const place = () => {
      const rect = at.getBoundingClientRect();
      element.style.minWidth = wide ? `${rect.width}px` : '';
      element.style.maxHeight = '';
      const below = window.innerHeight - rect.bottom - GAP - EDGE;
      const above = rect.top - GAP - EDGE;
      const wanted = element.scrollHeight;
      const goesUp = wanted > below && above > below;
      element.style.maxHeight = `${Math.max(120, goesUp ? above : below)}px`;
      const { height, width } = element.getBoundingClientRect();
      element.style.top = `${goesUp ? rect.top - GAP - height : rect.bottom + GAP}px`;
      element.style.left = `${Math.max(EDGE, Math.min(rect.left, window.innerWidth - width - EDGE))}px`;
    };
    place();
    if (takesFocus) element.querySelector<HTMLElement>('[autofocus], input, button, [tabindex]')?.focus();
    const watcher = new ResizeObserver(place);
    watcher.observe(element);
    watcher.observe(at);
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      watcher.disconnect();
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
      const hadFocus = element.contains(document.activeElement);
      if (element.matches(':popover-open')) element.hidePopover();
      if (takesFocus && hadFocus) before?.focus();
    };
  }, [anchor, wide, takesFocus]);

  useEffect(() => {
    const outside = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!box.current?.contains(target) && !anchor.current?.contains(target)) close.current();
    };
    document.addEventListener('pointerdown', outside, true);
    return () => document.removeEventListener('pointerdown', outside, true);
  }, [anchor, close]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <div ref={box} popover="manual" className={`f-popover ${className}`} role={role} aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
