// Actions as buttons and as menus: grouped, dangerous ones apart and last, each with its shortcut; what can't be used says why.
import { Ellipsis } from 'lucide-react';
import { type ReactElement, useCallback } from 'react';
import { MenuButton, type MenuItem } from '../../ui/overlays/menu.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type PageAction, usePageActions } from '../../platform/routing/page-actions.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { type AvailableAction, placed } from './available-actions.ts';
import type { RecordActions } from './use-record-actions.tsx';
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

/** The actions of a page's head: the main one last, others beside it or in a menu; their shortcuts, and their place in the palette. */
export function ActionBar({
  actions: { offers, start },
  others = NONE,
  isSmall = false,
}: {
  actions: Pick<RecordActions, 'offers' | 'start'>;
  /** What else the page offers in the palette. */
  others?: readonly PageAction[];
  /** The menu's button has no words. */
  isSmall?: boolean;
}): ReactElement {
  usePageActions([
    ...offers.flatMap(offer => {
      const { id, title, icon, place, shortcut, tone } = offer.action;
      if (place === 'row') return [];
      return {
        ...{ id, title, run: () => start(offer) },
        ...(icon ? { icon } : {}),
        ...(offer.refusal !== undefined ? { refusal: offer.refusal } : {}),
        ...(shortcut ? { shortcut } : {}),
        ...(tone === 'critical' ? { tone } : {}),
      };
    }),
    ...others,
  ]);
  const inHead = placed(offers, 'head');
  useShortcuts(
    useCallback(
      shortcut => {
        const found = inHead.find(({ action }) => action.shortcut?.toLowerCase() === shortcut.toLowerCase());
        if (found?.refusal !== undefined) notify(found.refusal, { tone: 'info' });
        else if (found) start(found);
        return found !== undefined;
      },
      [inHead, start],
    ),
  );
  const buttons = inHead.filter(({ action }) => action.place === 'header' && !action.primary);
  const primary = inHead.filter(({ action }) => action.primary);
  const rest = inHead.filter(offer => !buttons.includes(offer) && !primary.includes(offer));
  return (
    <>
      {rest.length > 0 && (
        <MenuButton label={t`More actions`} className={isSmall ? 'p-btn f-more' : 'p-btn'} align="end" items={() => menuOf(rest, start)}>
          {!isSmall && <span>{t`More actions`}</span>}
          <Ellipsis aria-hidden="true" />
        </MenuButton>
      )}
      {[...buttons, ...primary].map(offer => (
        <ActionButton key={offer.action.id} offer={offer} onStart={() => start(offer)} />
      ))}
    </>
  );
}
const NONE: readonly PageAction[] = [];

/** The actions of one section: small buttons. */
export const SectionButtons = ({
  offers,
  onStart,
}: {
  offers: readonly AvailableAction[];
  onStart: RecordActions['start'];
}): ReactElement => (
  <>
    {offers.map(offer => (
      <ActionButton key={offer.action.id} offer={offer} small onStart={() => onStart(offer)} />
    ))}
  </>
);
