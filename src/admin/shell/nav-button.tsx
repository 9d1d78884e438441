// The button that opens the navigation where it is not drawn: a drawer under 768 px, the column at the left where it was put away.
import { Menu, PanelLeftOpen } from 'lucide-react';
import type { ReactElement } from 'react';
import { isNarrow, setNavClosed, useNavClosed } from '../platform/routing/navigation-state.ts';
import { t } from '../../domain/text/t.ts';

export function NavButton({ onDrawer }: { onDrawer: () => void }): ReactElement {
  const closed = useNavClosed();
  const open = (): void => {
    if (isNarrow()) {
      onDrawer();
      return;
    }
    setNavClosed(false);
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.p-nav-close')?.focus());
  };
  return (
    <button type="button" className="p-icon-btn p-topbar-menu" aria-label={t`Open navigation`} onClick={open}>
      {closed ? <PanelLeftOpen aria-hidden="true" className="p-wide" /> : null}
      <Menu aria-hidden="true" className={closed ? 'p-narrow' : undefined} />
    </button>
  );
}
