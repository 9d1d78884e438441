// What a panel gets on a record's page, and the panels by name: renderers/panels/<name>.tsx, loaded when a section names one.
import type { ComponentType } from 'react';
import type { JsonObject, JsonValue, PageInfo, PanelSection, Schema } from '../../contract/types.ts';
import type { Chunk } from '../platform/chunk.ts';
import { panelChunks } from '../platform/routing/page-code.ts';
import type { AvailableAction } from '../form/actions/available-actions.ts';

export interface PanelProps {
  /** The answer of the section's call; the record itself where it has none. */
  data: JsonValue;
  pageInfo: PageInfo | undefined;
  /** Fetches the next rows; undefined where all are there. */
  more: (() => void) | undefined;
  isLoadingMore: boolean;
  record: JsonObject;
  schema: Schema | undefined;
  section: PanelSection;
  options: JsonObject;
  /** Fetches the section's data again (the record, where it has no call). */
  reload: () => void;
  /** Runs an action of the screen by its id, with a row for what it stands on. */
  run: (actionId: string, row?: JsonObject) => void;
  /** What the screen offers now of an action, by its id; undefined: nothing. */
  offer: (actionId: string, row?: JsonObject) => AvailableAction | undefined;
  start: (offer: AvailableAction, row?: JsonObject) => void;
  /** The actions of the section's rows for one row, in order. */
  actionsOfRow: (row: JsonObject) => AvailableAction[];
  params: Record<string, string>;
}
export interface PanelModule {
  default: ComponentType<PanelProps>;
  /** Drawn without a card around it, and nothing at all where the component draws nothing. */
  bare?: boolean;
  /** Its card has no padding: the panel reaches to the edges. */
  flush?: boolean;
}

export const panelChunk = (name: string): Chunk<PanelModule> | undefined => panelChunks[name] as Chunk<PanelModule> | undefined;
