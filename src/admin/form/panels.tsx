// Sections of a form that aren't fields: panels that follow what is being typed, such as a preview.
import type { ComponentType, ReactNode } from 'react';
import { type Chunk, useChunk } from '../chunk.ts';
import { panelChunks } from '../page-code.ts';
import type { JsonObject, PanelSection, Section } from '../../contract/types.ts';

/** What a panel gets; in a form `data` is the record with what is typed so far. */
export interface FormPanelProps { data: JsonObject; section: PanelSection; options: JsonObject; params: Record<string, string>; reload: () => void }

/** Draws a panel section; other kinds of sections belong to records and are left out. */
export function drawPanel(section: Section, data: JsonObject, params: Record<string, string>, reload: () => void): ReactNode {
  return 'panel' in section ? <Panel section={section} data={data} params={params} reload={reload} /> : null;
}

function Panel({ section, data, params, reload }: { section: PanelSection; data: JsonObject; params: Record<string, string>; reload: () => void }) {
  const code = panelChunks[section.panel] as Chunk<{ default: ComponentType<FormPanelProps> }> | undefined;
  if (!code) throw new Error(`There is no renderers/panels/${section.panel}.tsx.`);
  const module = useChunk(code);
  return module ? <module.default section={section} data={data} options={section.options ?? {}} params={params} reload={reload} /> : <div className="p-card f-panel-wait" aria-hidden="true" />;
}
