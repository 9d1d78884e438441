/** Small rules for text that people type and read. */

/** Cuts text to at most `longest` visible characters, the last of them an ellipsis (D283). */
export function ellipsis(text: string, longest: number): string {
  if (longest < 1) return '';
  if (text.length <= longest) return text;
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (characters.length <= longest) return text;
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`;
}
