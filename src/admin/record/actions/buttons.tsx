// Actions as buttons and as menus: grouped, dangerous ones apart and last, each with its shortcut; what can't be used says why.
import { Ellipsis } from 'lucide-react';
import type { ReactElement } from 'react';
import { MenuButton, type MenuItem } from '../../ui/overlays/menu.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { JsonObject } from '../../../contract/types.ts';
import type { AvailableAction } from './available-actions.ts';
import { t } from '../../../domain/text/t.ts';

/** The second press of a double click does nothing: what stands there by then may be another order, or the way back. */
export function ActionButton({
  offer,
  onStart,
  small = false,
  look,
}: {
  offer: AvailableAction;
  onStart: () => void;
  small?: boolean;
  look?: 'primary' | 'plain';
}): ReactElement {
  const { action, refusal } = offer;
  const kind = look ?? (action.primary ? 'primary' : undefined);
  const style = kind ? ` p-btn-${kind}` : action.tone === 'critical' ? ' p-btn-danger-plain' : '';
  return (
    <button
      type="button"
      className={`p-btn${small ? ' p-btn-s' : ''}${style}`}
      {...(refusal !== undefined
        ? { 'aria-disabled': true, 'data-tip': refusal }
        : action.shortcut
          ? { 'data-tip': `${action.title} (${action.shortcut})`, 'aria-keyshortcuts': action.shortcut }
          : {})}
      onClick={event => {
        if (refusal === undefined && event.detail < 2) onStart();
      }}
    >
      {action.icon && <Icon name={action.icon} />}
      {action.title}
    </button>
  );
}

/** Offers as the items of a menu: by their groups in the order they come, critical ones after a line at the end. */
export function menuOf(offers: readonly AvailableAction[], onStart: (offer: AvailableAction) => void): MenuItem[] {
  const item = (offer: AvailableAction): MenuItem => ({
    title: offer.action.title,
    onSelect: () => onStart(offer),
    ...(offer.action.icon ? { icon: offer.action.icon } : {}),
    ...(offer.refusal !== undefined ? { disabled: offer.refusal } : {}),
    ...(offer.action.shortcut ? { hint: offer.action.shortcut } : {}),
    ...(offer.action.tone === 'critical' ? { tone: 'critical' as const } : {}),
  });
  const calm = offers.filter(({ action }) => action.tone !== 'critical');
  const groups = [...new Set(calm.map(({ action }) => action.group ?? ''))];
  const titled = groups.filter(Boolean).length > 1;
  const items = groups.flatMap((group, i): MenuItem[] => {
    const inside = calm.filter(({ action }) => (action.group ?? '') === group).map(item);
    return [
      ...(i > 0 ? [{ kind: 'separator' as const }] : []),
      ...(group && titled ? [{ kind: 'head' as const, title: group }] : []),
      ...inside,
    ];
  });
  const dangerous = offers.filter(({ action }) => action.tone === 'critical').map(item);
  return [...items, ...(items.length && dangerous.length ? [{ kind: 'separator' as const }] : []), ...dangerous];
}

/** The "…" of a row. */
export function RowMenu({
  name,
  offers,
  onStart,
}: {
  row: JsonObject;
  name: string;
  offers: () => AvailableAction[];
  onStart: (offer: AvailableAction) => void;
}): ReactElement {
  return (
    <MenuButton
      label={t`Actions for ${name}`}
      className="p-icon-btn p-icon-btn-s"
      align="end"
      items={() => menuOf(offers().map(plainGroup), onStart)}
    >
      <Ellipsis aria-hidden="true" />
    </MenuButton>
  );
}
/** In a row's menu the group names the section, not a part of the menu. */
const plainGroup = (offer: AvailableAction): AvailableAction => ({
  ...offer,
  action: { ...offer.action, group: undefined } as AvailableAction['action'],
});
