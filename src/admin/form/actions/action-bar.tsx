// The actions of a page's head: one primary button, the rest in a menu, dangerous ones at its end.
import { Ellipsis } from 'lucide-react';
import { MenuButton } from '../../ui/overlays/menu.tsx';
import type { MenuItem } from '../../ui/overlays/menu.tsx';
import { Icon } from '../../ui/icons.tsx';
import { usePageActions } from '../../platform/routing/page-actions.ts';
import type { OfferedAction } from './use-actions.tsx';
import { t } from '../../../domain/text/t.ts';

const item = ({ action, refusal, run }: OfferedAction): MenuItem => ({
  title: action.title,
  onSelect: run,
  ...(action.icon ? { icon: action.icon } : {}),
  ...(refusal ? { disabled: refusal } : {}),
  ...(action.tone === 'critical' ? { tone: 'critical' as const } : {}),
});

export function ActionBar({ actions }: { actions: OfferedAction[] }) {
  const inHead = actions.filter(({ action }) => action.place !== 'row' && action.place !== 'section');
  usePageActions(
    actions
      .filter(({ action }) => action.place !== 'row')
      .map(({ action, refusal, run }) => ({
        id: action.id,
        title: action.title,
        run,
        ...(action.icon ? { icon: action.icon } : {}),
        ...(refusal !== undefined ? { refusal } : {}),
        ...(action.tone === 'critical' ? { tone: 'critical' as const } : {}),
      })),
  );
  const buttons = inHead.filter(({ action }) => action.primary || action.place === 'header');
  const rest = inHead.filter(one => !buttons.includes(one));
  const [calm, dangerous] = [
    rest.filter(({ action }) => action.tone !== 'critical'),
    rest.filter(({ action }) => action.tone === 'critical'),
  ];
  const items: MenuItem[] = [
    ...calm.map(item),
    ...(calm.length && dangerous.length ? [{ kind: 'separator' as const }] : []),
    ...dangerous.map(item),
  ];
  return (
    <>
      {items.length > 0 && (
        <MenuButton label={t`More actions`} className="p-btn f-more" align="end" items={items}>
          <Ellipsis aria-hidden="true" />
        </MenuButton>
      )}
      {buttons.map(({ action, refusal, run }) => (
        <button
          key={action.id}
          type="button"
          className={action.primary ? 'p-btn p-btn-primary' : 'p-btn'}
          aria-disabled={refusal !== undefined || undefined}
          data-tip={refusal}
          onClick={refusal === undefined ? run : undefined}
        >
          {action.icon && <Icon name={action.icon} />}
          {action.title}
        </button>
      ))}
    </>
  );
}

/** The actions of one section of a form, which name it by `group`: small buttons below its description. */
export function SectionButtons({ actions, section }: { actions: OfferedAction[]; section: string }) {
  const own = actions.filter(({ action }) => action.place === 'section' && action.group === section);
  if (own.length === 0) return null;
  return (
    <div className="f-about-actions">
      {own.map(({ action, refusal, run }) => (
        <button
          key={action.id}
          type="button"
          className="p-btn p-btn-s"
          aria-disabled={refusal !== undefined || undefined}
          data-tip={refusal}
          onClick={refusal === undefined ? run : undefined}
        >
          {action.icon && <Icon name={action.icon} />}
          {action.title}
        </button>
      ))}
    </div>
  );
}
