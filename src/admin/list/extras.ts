// Everything of the list that opens at a click, in one chunk.
export { FieldChooser, FilterEditor } from './filter-editor.tsx';
export { DaysEditor } from './days-editor.tsx';
export { ColumnChooser } from './column-chooser.tsx';
export { SaveViewDialog, RenameViewDialog } from './view-dialogs.tsx';
export { BulkRun } from './bulk-run.tsx';
export { ExportRun } from './export-run.tsx';
