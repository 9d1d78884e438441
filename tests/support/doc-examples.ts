// The complete examples of the pages under docs/: code blocks below a line that names their file.
/** Path from the root -> text, of every code block that stands below a line such as "**`schemas/settings/points.json`**". */
export function exampleFiles(page: string): Record<string, string> {
  const blocks = page.matchAll(/^\*\*`([^`\n]+)`\*\*[^\n]*\n+```\w+\n([\s\S]*?)^```$/gm);
  return Object.fromEntries([...blocks].map(([, path, text]) => [path as string, text as string]));
}
