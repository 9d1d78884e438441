// "?" shows the keys that work at the moment: those of the open page, gathered from what it offers, and those that work everywhere.
import { type ReactElement, useCallback, useState } from 'react';
import { chunk, useChunk } from '../../platform/chunk.ts';
import { useOfferedActions } from '../../platform/routing/page-actions.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import type { Shortcut, ShortcutGroup } from './shortcut-dialog.tsx';
import { t } from '../../../domain/text/t.ts';

const dialog = chunk(() => import('./shortcut-dialog.tsx'));
const isMac = /mac|iphone|ipad/i.test(navigator.platform);
const NAMES: Record<string, string> = isMac ? { Meta: '⌘', Control: '⌃', Shift: '⇧' } : { Control: 'Ctrl', Meta: 'Win' };

/** "Control+K Meta+K" names one combination for each kind of keyboard: the one of this machine, key by key. */
export function keysOf(text: string, onMac = isMac, names = NAMES): string[] {
  const ways = text.split(' ');
  const way = ways.find(one => one.startsWith('Meta+') === onMac) ?? ways[0] ?? '';
  return way.split('+').map(key => names[key] ?? key);
}

/** "Pause (P)": a hint without the key that it ends with. */
function hintOf(element: Element): string | undefined {
  const hint = element.getAttribute('data-tip');
  const end = hint?.endsWith(')') ? hint.lastIndexOf(' (') : -1;
  return end < 0 ? (hint ?? undefined) : hint?.slice(0, end);
}

/** What a control with a key is called: as it is read out, or by the hint that names the key too. */
const titleOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? hintOf(element) ?? element.getAttribute('placeholder') ?? element.textContent ?? '').trim();

/** Controls in view that a key presses. `aria-keyshortcuts` is what tells readers of the screen, so it is written in one place. */
function controls(within: ParentNode | null): Shortcut[] {
  return [...(within?.querySelectorAll('[aria-keyshortcuts]') ?? [])]
    .filter(element => element.getClientRects().length > 0 && element.getAttribute('aria-disabled') !== 'true')
    .map(element => ({ title: titleOf(element), keys: keysOf(element.getAttribute('aria-keyshortcuts') ?? '') }));
}

/** Each combination once, by what is named first. */
function each(shortcuts: readonly Shortcut[], taken = new Set<string>()): Shortcut[] {
  return shortcuts.filter(({ title, keys }) => {
    const key = keys.join('+');
    if (title === '' || taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}

/** Listens for "?". Stands once in the shell. */
export function ShortcutHelp(): ReactElement | null {
  const [groups, setGroups] = useState<ShortcutGroup[]>();
  const loaded = useChunk(groups ? dialog : undefined);
  const offered = useOfferedActions();
  const open = useCallback(() => {
    const taken = new Set(['?', 'Esc']);
    const ofActions = offered.flatMap(({ title, shortcut, refusal }) => (shortcut && !refusal ? [{ title, keys: keysOf(shortcut) }] : []));
    const ofPage = each([...ofActions, ...controls(document.querySelector('main'))], taken);
    const everywhere = each(controls(document), taken);
    setGroups([
      ...(ofPage.length ? [{ title: t`On this page`, shortcuts: ofPage }] : []),
      {
        title: t`Everywhere`,
        shortcuts: [...everywhere, { title: t`Show these shortcuts`, keys: ['?'] }, { title: t`Close what is open`, keys: ['Esc'] }],
      },
    ]);
  }, [offered]);
  useShortcuts(shortcut => {
    if (shortcut !== 'Shift+?' && shortcut !== '?') return false;
    open();
    return true;
  });
  return loaded && groups ? <loaded.ShortcutDialog groups={groups} onClose={() => setGroups(undefined)} /> : null;
}
