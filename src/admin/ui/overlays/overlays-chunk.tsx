// The chunk behind menu.tsx, popover.tsx and dialog.tsx: MUI's menu, popover and dialog. Loaded
// when the page is idle or at the first click.
import MuiDialog from '@mui/material/Dialog';
import MuiMenu from '@mui/material/Menu';
import MuiMenuItem from '@mui/material/MenuItem';
import MuiPopover, { type PopoverActions } from '@mui/material/Popover';
import { X } from 'lucide-react';
import { type MouseEvent, type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../icons.tsx';
import { Mui } from '../theme/mui.tsx';
import type { MenuItem } from './menu.tsx';
import { guardDoubleClicks } from './double-click-guard.ts';
import { t } from '../../../domain/text/t.ts';

guardDoubleClicks(document);

export interface OverlayProps {
  anchor: HTMLElement;
  onClose: () => void;
  align?: 'start' | 'end';
}
const origins = (align: 'start' | 'end' = 'start') =>
  ({
    anchorOrigin: { vertical: 'bottom', horizontal: align === 'end' ? 'right' : 'left' },
    transformOrigin: { vertical: 'top', horizontal: align === 'end' ? 'right' : 'left' },
  }) as const;

export function MenuOverlay({ anchor, onClose, align, items, label }: OverlayProps & { items: MenuItem[]; label: string }): ReactElement {
  const choose =
    (item: MenuItem) =>
    (event: MouseEvent): void => {
      if (item.disabled) {
        event.preventDefault();
        return;
      }
      onClose();
      item.onSelect?.();
    };
  return (
    <Mui>
      <MuiMenu
        open
        anchorEl={anchor}
        onClose={onClose}
        {...origins(align)}
        slotProps={{ list: { 'aria-label': label }, paper: { role: 'region', 'aria-label': label } }}
      >
        {items.map((item, i) => {
          if (item.kind === 'separator') return <li key={i} className="p-menu-sep" role="separator" />;
          if (item.kind === 'head')
            return (
              <li key={i} className="p-menu-head" role="presentation">
                {item.title}
              </li>
            );
          const inside: ReactNode = (
            <>
              {item.icon !== undefined && <Icon name={item.icon} />}
              <span className="p-grow">{item.title}</span>
              {item.hint && <span className="p-hint">{item.hint}</span>}
              {item.checked && <Icon name="check" />}
            </>
          );
          const common = {
            key: i,
            className: 'p-overlay-item',
            onClick: choose(item),
            'data-tone': item.tone,
            selected: false,
            ...(item.disabled ? { 'aria-disabled': true, 'data-tip': item.disabled } : {}),
            ...(item.checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': item.checked }),
          };
          const { key, ...rest } = common;
          if (item.to !== undefined && !item.disabled)
            return (
              <MuiMenuItem key={key} {...rest} component={Link} to={item.to}>
                {inside}
              </MuiMenuItem>
            );
          if (item.href !== undefined && !item.disabled)
            return (
              <MuiMenuItem key={key} {...rest} component="a" href={item.href} target="_blank" rel="noopener noreferrer">
                {inside}
              </MuiMenuItem>
            );
          return (
            <MuiMenuItem key={key} {...rest}>
              {inside}
            </MuiMenuItem>
          );
        })}
      </MuiMenu>
    </Mui>
  );
}

export function PopoverOverlay({
  anchor,
  onClose,
  align,
  label,
  children,
}: OverlayProps & { label: string; children: ReactNode }): ReactElement {
  const action = useRef<PopoverActions>(null);
  const box = useRef<HTMLDivElement>(null);
  // What is inside may grow or change (a list that loads, one editor after another): the box is placed again.
  useEffect(() => {
    if (!box.current) return;
    const watcher = new ResizeObserver(() => action.current?.updatePosition());
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  return (
    <Mui>
      <MuiPopover
        open
        anchorEl={anchor}
        onClose={onClose}
        action={action}
        {...origins(align)}
        slotProps={{ paper: { role: 'dialog', 'aria-label': label } }}
      >
        <div ref={box}>{children}</div>
      </MuiPopover>
    </Mui>
  );
}

export interface DialogOverlayProps {
  title: ReactNode;
  children: ReactNode;
  onClose: () => void;
  /** The buttons at the bottom, the primary one last. */
  foot?: ReactNode;
  size?: 's' | 'm' | 'l';
  role?: 'dialog' | 'alertdialog';
  /** While work is under way: neither Esc nor the backdrop closes it. */
  busy?: boolean;
}
const WIDTHS = { s: 440, m: 600, l: 880 };
export function DialogOverlay({
  title,
  children,
  onClose,
  foot,
  size = 's',
  role = 'dialog',
  busy = false,
}: DialogOverlayProps): ReactElement {
  const id = useId();
  return (
    <Mui>
      <MuiDialog
        open
        onClose={() => {
          if (!busy) onClose();
        }}
        aria-labelledby={id}
        slotProps={{ paper: { role, style: { maxWidth: WIDTHS[size] } } }}
        closeAfterTransition={false}
      >
        <div className="p-dialog-head">
          <h2 id={id}>{title}</h2>
          {!busy && (
            <button type="button" className="p-icon-btn p-icon-btn-s" aria-label={t`Close`} onClick={onClose}>
              <X aria-hidden="true" />
            </button>
          )}
        </div>
        <div className="p-dialog-body">{children}</div>
        {foot && <div className="p-dialog-foot">{foot}</div>}
      </MuiDialog>
    </Mui>
  );
}
