// The definitions of a project on disk, with everything that is wrong with them.
import type { Definitions, Problem } from '../src/contract/types.ts';
import { loadDocuments } from '../src/contract/load.ts';
import { readDefinitionFiles } from '../src/server/definitions.ts';

export function checkProject(root: string): { definitions: Definitions; problems: Problem[] } {
  const problems: Problem[] = [];
  const documents: Record<string, unknown> = {};
  for (const [file, text] of Object.entries(readDefinitionFiles(root))) {
    try { documents[file] = JSON.parse(text); } catch (error) { problems.push({ file, line: 1, column: 1, pointer: '', message: (error as Error).message }); }
  }
  const definitions = loadDocuments(documents, one => problems.push({ file: one.file, line: 1, column: 1, pointer: one.pointer, message: one.message }));
  return { definitions, problems };
}
