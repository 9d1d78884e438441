// Which key a shortcut means. A letter is the one that is printed on the key in Latin letters; layouts that write none (Cyrillic, Greek,
// Hebrew, Arabic …) have them at the places of the standard keyboard, and are meant by their place.

/** "s", "S", "/", "ArrowDown": the key as shortcuts name it, whatever layout is on. Dvorak and the like keep their own letters. */
export function letterKey({ key, code = '', shiftKey }: { key: string; code?: string; shiftKey: boolean }): string {
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  if (place === undefined || key.length > 2 || /^[\p{ASCII}\p{Script=Latin}]/u.test(key)) return key;
  return shiftKey ? place : place.toLowerCase();
}
