// Everything of the list that opens at a click, in one chunk.
export { FieldChooser, FilterEditor } from './filters/filter-editor.tsx';
export { DaysEditor } from './filters/days-editor.tsx';
export { ColumnChooser } from './table/column-chooser.tsx';
export { SaveViewDialog, RenameViewDialog } from './views/view-dialogs.tsx';
export { ExportRun } from './actions/export-run.tsx';
