// A button that opens a menu, and one that opens a popover. What they open arrives with the float chunk.
import { type ButtonHTMLAttributes, type ReactElement, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { type Chunk, chunk, useChunk } from '../../platform/chunk.ts';

export interface MenuItem {
  title?: string;
  icon?: string;
  kind?: 'separator' | 'head';
  onSelect?: () => void;
  /** A page of the admin, or an address that opens in a new tab. */
  to?: string;
  href?: string;
  tone?: 'critical';
  /** Why it can't be used now; shown as its tooltip. */
  disabled?: string;
  hint?: string;
  /** Of a choice between several: the one that holds now. */
  checked?: boolean;
}

/** Menus, popovers and dialogs; warmed by the shell. */
export const overlaysChunk = chunk(() => import('./overlays-chunk.tsx'));

type Button = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'children'> & {
  label: string;
  children: ReactNode;
  align?: 'start' | 'end';
};

function useOverlay(): { button: React.RefObject<HTMLButtonElement | null>; open: boolean; show: () => void; hide: () => void } {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  return { button, open, show: useCallback(() => setOpen(true), []), hide: useCallback(() => setOpen(false), []) };
}

/** `<MenuButton label="Store" className="p-btn" items={[…]}>Juniper</MenuButton>`; items may be a function, called when it opens. */
export function MenuButton({ items, label, align, children, ...rest }: Button & { items: MenuItem[] | (() => MenuItem[]) }): ReactElement {
  const { button, open, show, hide } = useOverlay();
  return (
    <>
      <button
        type="button"
        aria-label={label}
        {...rest}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={show}
        onPointerEnter={() => void overlaysChunk.load().catch(() => undefined)}
      >
        {children}
      </button>
      {open && (
        <OpenMenu
          anchor={button.current}
          items={typeof items === 'function' ? items() : items}
          label={label}
          onClose={hide}
          {...(align ? { align } : {})}
        />
      )}
    </>
  );
}
function OpenMenu({
  anchor,
  ...rest
}: {
  anchor: HTMLElement | null;
  items: MenuItem[];
  label: string;
  onClose: () => void;
  align?: 'start' | 'end';
}): ReactElement | null {
  const overlays = useChunk(overlaysChunk);
  return overlays && anchor ? <overlays.MenuOverlay anchor={anchor} {...rest} /> : null;
}

/**
 * `<PopoverButton label="Columns" className="p-btn" button="Columns">{close => …}</PopoverButton>`. It opens when the chunk that its
 * content `needs` is there.
 */
export function PopoverButton({
  button: face,
  label,
  align,
  needs,
  isOpenAtFirst = false,
  children,
  ...rest
}: Omit<Button, 'children'> & {
  button: ReactNode;
  needs?: Chunk<unknown>;
  isOpenAtFirst?: boolean;
  children: (close: () => void) => ReactNode;
}): ReactElement {
  const { button, open, show, hide } = useOverlay();
  useEffect(() => {
    if (isOpenAtFirst) show();
  }, [isOpenAtFirst, show]);
  const isReady = useChunk(open ? needs : undefined) !== undefined || needs === undefined;
  const soon = (): void => {
    for (const one of [overlaysChunk, needs]) void one?.load().catch(() => undefined);
  };
  return (
    <>
      <button
        type="button"
        aria-label={label}
        {...rest}
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={show}
        onPointerEnter={soon}
      >
        {face}
      </button>
      {open && isReady && (
        <Popover anchor={button.current} label={label} onClose={hide} {...(align ? { align } : {})}>
          {children(hide)}
        </Popover>
      )}
    </>
  );
}

/** A popover at an element that is there already. */
export function Popover({
  anchor,
  ...rest
}: {
  anchor: HTMLElement | null;
  label: string;
  onClose: () => void;
  align?: 'start' | 'end';
  children: ReactNode;
}): ReactElement | null {
  const overlays = useChunk(overlaysChunk);
  return overlays && anchor ? <overlays.PopoverOverlay anchor={anchor} {...rest} /> : null;
}
