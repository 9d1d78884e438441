// Sections of a form that aren't fields: panels that follow what is being typed, such as a preview.
import type { ComponentType, ReactNode } from 'react';
import { type Chunk, chunk, useChunk } from '../chunk.ts';
import type { JsonObject, PanelSection, Section } from '../../contract/types.ts';

/** What a panel gets; in a form `data` is the record with what is typed so far. */
export interface FormPanelProps { data: JsonObject; section: PanelSection; options: JsonObject; params: Record<string, string>; reload: () => void }

const files = import.meta.glob<{ default: ComponentType<FormPanelProps> }>('/renderers/panels/*.tsx');
const panels: Record<string, Chunk<{ default: ComponentType<FormPanelProps> }>> = Object.fromEntries(Object.entries(files).map(([file, load]) => [file.replace(/^.*\/|\.tsx$/g, ''), chunk(load)]));

/** Draws a panel section; other kinds of sections belong to records and are left out. */
export function drawPanel(section: Section, data: JsonObject, params: Record<string, string>, reload: () => void): ReactNode {
  return 'panel' in section ? <Panel section={section} data={data} params={params} reload={reload} /> : null;
}

function Panel({ section, data, params, reload }: { section: PanelSection; data: JsonObject; params: Record<string, string>; reload: () => void }) {
  const code = panels[section.panel];
  if (!code) throw new Error(`There is no renderers/panels/${section.panel}.tsx.`);
  const module = useChunk(code);
  return module ? <module.default section={section} data={data} options={section.options ?? {}} params={params} reload={reload} /> : <div className="p-card f-panel-wait" aria-hidden="true" />;
}
