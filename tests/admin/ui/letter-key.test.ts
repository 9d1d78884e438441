// Which key a shortcut means on the layouts of the world, and that no shortcut asks in another way.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { letterKey } from '../../../src/admin/ui/letter-key.ts';
import { shortcutOf } from '../../../src/admin/ui/shortcuts.ts';

describe('the letter of a shortcut', () => {
  it.each([
    ['ы', 'KeyS', false, 's'],
    ['Ы', 'KeyS', true, 'S'],
    ['σ', 'KeyS', false, 's'],
    ['ד', 'KeyS', false, 's'],
    ['ن', 'KeyK', false, 'k'],
    ['s', 'Semicolon', false, 's'], // Dvorak
    ['o', 'KeyS', false, 'o'], // Dvorak: no s
    ['a', 'KeyQ', false, 'a'], // AZERTY
    ['ş', 'Semicolon', false, 'ş'],
    ['/', 'KeyQ', false, '/'], // Hebrew
    ['?', 'Digit7', true, '?'],
    ['ArrowDown', 'ArrowDown', false, 'ArrowDown'],
  ])('%s at %s (Shift: %s) is %s', (key, code, shiftKey, letter) => {
    expect(letterKey({ key, code, shiftKey })).toBe(letter);
  });

  it('is that of the actions of records too', () => {
    expect(shortcutOf({ key: 'С', code: 'KeyC', shiftKey: true })).toBe('Shift+C');
  });

  it('is asked for in one way by all shortcuts', () => {
    const byKey =
      /\.key(?:\.to(?:Lower|Upper)Case\(\))?\s*[!=]==?\s*'[a-zA-Z]'|\['[a-z]',[^\]]*\]\.includes\(\w+\.key\)|switch \(\w+\.key\) \{[^}]*case '[a-z]':/;
    const files = ['src/admin', 'renderers', 'src/studio'].flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(name => (/\.tsx?$/.test(name) ? [`${folder}/${name}`] : [])),
    );
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter(file => byKey.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
