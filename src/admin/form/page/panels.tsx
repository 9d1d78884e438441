// Sections of a form that aren't fields: panels that follow what is being typed, such as a preview.
import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react';
import { type Chunk, useChunk } from '../../platform/chunk.ts';
import { panelChunks } from '../../platform/routing/page-code.ts';
import type { JsonObject, PanelSection, Section } from '../../../contract/types.ts';

/** What a panel gets; in a form `data` is the record with what is typed so far. */
export interface FormPanelProps {
  data: JsonObject;
  section: PanelSection;
  options: JsonObject;
  params: Record<string, string>;
  reload: () => void;
  /** In a settings page: the page as it is saved. */ saved?: JsonObject;
}

/** Draws a panel section; other kinds of sections belong to records and are left out. */
export function drawPanel(
  section: Section,
  data: JsonObject,
  params: Record<string, string>,
  reload: () => void,
  saved?: JsonObject,
): ReactNode {
  return 'panel' in section ? <Panel section={section} data={data} params={params} reload={reload} {...(saved ? { saved } : {})} /> : null;
}

/** False until the fields have been painted: panels follow them, so that what is worked out for a preview holds up no typing. */
function useAfterFirstFrame(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return painted;
}

function Panel({ section, data, params, reload, saved }: Omit<FormPanelProps, 'options'>) {
  const code = panelChunks[section.panel] as Chunk<{ default: ComponentType<FormPanelProps> }> | undefined;
  if (!code) throw new Error(`There is no renderers/panels/${section.panel}.tsx.`);
  const module = useChunk(code);
  const isTime = useAfterFirstFrame();
  return module && isTime ? (
    <module.default
      section={section}
      data={data}
      options={section.options ?? {}}
      params={params}
      reload={reload}
      {...(saved ? { saved } : {})}
    />
  ) : (
    <div className="p-card f-panel-wait" aria-hidden="true" />
  );
}
