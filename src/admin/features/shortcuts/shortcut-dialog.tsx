// The keys that work at the moment, in groups.
import type { ReactElement } from 'react';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import './shortcuts.css';
import { t } from '../../../domain/text/t.ts';

export interface Shortcut {
  title: string;
  /** The keys that are pressed together: ["Ctrl", "K"]. */
  keys: string[];
}
export interface ShortcutGroup {
  title: string;
  shortcuts: Shortcut[];
}

export function ShortcutDialog({ groups, onClose }: { groups: ShortcutGroup[]; onClose: () => void }): ReactElement {
  return (
    <Dialog
      title={t`Keyboard shortcuts`}
      onClose={onClose}
      foot={
        <button type="button" className="p-btn" onClick={onClose}>
          {t`Close`}
        </button>
      }
    >
      <div className="sc-groups">
        {groups.map(group => (
          <section key={group.title} aria-label={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.shortcuts.map(({ title, keys }) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>
                    {keys.map(key => (
                      <kbd key={key} className="p-kbd">
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
