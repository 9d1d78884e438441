// The articles of other languages, as scripts/help-plugin.ts makes them.
declare module 'virtual:perennial/help' {
  /** Code of a language -> its articles by their ids. */
  const others: Record<string, () => Promise<{ default: Record<string, { title: string; keywords: string; html: string; text: string }> }>>;
  export default others;
}
