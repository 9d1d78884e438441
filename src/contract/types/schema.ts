// What a schema and a screen may say, after loading ($refs resolved, defaults filled in).

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** READ or WRITE are granted; NO_ACCESS is the absence of both (S213, S320). */
export type Access = 'NO_ACCESS' | 'READ' | 'WRITE';

/** Lines that must all hold. A key is a sibling field, a root field ("/shipping/method") or a fact ("@plan.id"); see condition.ts. */
export type Lines = { [key: string]: JsonValue | Schema };
/** `when`: one map of lines, or a list of maps of which one must hold. */
export type When = Lines | Lines[];

/** JSON Schema draft-07, a closed list of keywords, plus our six. */
export interface Schema {
  $schema?: string;
  $id?: string;
  $comment?: string;
  $ref?: string;
  title?: string;
  description?: string;
  default?: JsonValue;
  examples?: JsonValue[];
  type?: SchemaType | SchemaType[];
  const?: JsonValue;
  enum?: JsonValue[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  minProperties?: number;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  contentEncoding?: 'base64';
  /** email, uri, date, date-time, time and ours: money (decimal string), epoch (seconds), timezone, color, html. */
  format?: string;
  /** Bounds of the formats that compare: money, date, date-time, time ("formatMinimum": "0" means not negative). */
  formatMinimum?: string;
  formatMaximum?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  readOnly?: boolean;
  writeOnly?: boolean;
  /**
   * Fields beside it: the number must be greater than theirs, the value another one (or none of its list). Only where both hold something.
   */
  /** A public identifier that is made with the record. */
  'x-id'?: 'hex32' | 'nano';
  'x-above'?: string;
  'x-unlike'?: string;
  'x-record'?: RecordHints;
  'x-states'?: StateHints;
  'x-setting'?: SettingHints;
  'x-ui'?: UiHints;
  /** The sentence for each failed keyword: { "minimum": "Choose between 0 and 16 retries." } */
  'x-errors'?: Record<string, string>;
  /** The options are the events of this file of schemas/events. */
  'x-events'?: string;
  /** The options are the topics of webhooks. */
  'x-topics'?: true;
  /** The options are the components of pages of figures (schemas/analytics), those pages, the metrics on them, or the reports. */
  'x-charts'?: 'components' | 'metrics' | 'pages' | 'reports';
  /** Of a scope of API tokens: the calls that it opens, see scopes.ts. */
  'x-scope'?: { calls: string[]; areas?: string[]; storefront?: true };
  /** Who writes the value gives something by it and must hold that: a kind that a feature knows (grants.ts), or areas. */
  'x-grants'?: string | Record<string, 'READ' | 'WRITE'>;
  /** Of a record or page: while it holds, nothing in it has an effect, so what it had of others' grants may stay. */
  'x-idle'?: When;
  /** A set of the conditions (schemas/conditions) that this feature may use; `x-catalogue` is what it becomes. */
  'x-conditions'?: string;
  /** The actions of schemas/actions are among the options. */
  'x-actions'?: true | 'link' | 'campaign';
  'x-catalogue'?: Record<string, ConditionKind>;
  /** Bounds that hold under a condition, each with its sentence; see limits.ts. */
  'x-limits'?: Limit[];
}
/** Without `when` it always holds. */
export interface Limit {
  when?: When;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  multipleOf?: number;
  message: string;
}
export type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

export interface RecordHints {
  /** Singular and plural in running text: { one: "subscription", many: "subscriptions" }. */
  name: { one: string; many: string };
  key: string; // the field that identifies a record, "id" by default
  label: string; // template over fields: "{firstName} {lastName}"
  detail?: string; // template that tells records of the same name apart in pickers: "{email}"
  image?: string; // field holding an image for pickers
  /** A relational table; absent: a document in `records`. */
  table?: string;
  /** field -> column, for relational tables, where it is not the snake_case of the field. */
  columns?: Record<string, string>;
  filter?: string[];
  sort?: string[];
  search?: string[];
  /**
   * Fields whose value must be unique in the store, or among the records that have the same values in the fields of `within`; case is
   * ignored.
   */
  unique?: (string | { field: string; within: string[] })[];
  /** Columns of the CSV file where none are chosen, and those that are written from another field than they show. */
  export?: { columns: string[]; from?: Record<string, string> };
  /** Named sets of records of other entities: the table that joins both, and the columns of owner, member and order in it. */
  sets?: Record<string, { of: string; table: string; owner: string; member: string; order?: string }>;
  /** Area and feature of the plan for the plain REST calls of an entity that no call table has. */
  permission?: string;
  feature?: string;
  /** What lists carry of a record, besides its key and version; absent: all of it. Reading one gives it whole. */
  listFields?: string[];
  notCopied?: string[]; // fields that a copy does not take over, besides those that are read only
  /** The name under which its texts are translated ("SELLING_PLAN"). */
  localised?: string;
  /** Entities it is worked out from: what makes those stale makes it stale too. */
  from?: string[];
}
export interface StateHints {
  field: string;
  /** action -> move; the action is the name of a call of the same entity. */
  moves: Record<string, Move>;
}
export interface Move {
  from: (string | null)[];
  to: string;
  guard?: string;
  error?: string;
  title?: string;
  $comment?: string;
}
export interface SettingHints {
  category: string;
  type: string;
  permission: string;
  feature?: string;
  group?: string; // on the index page: "Store", "Notifications", ...
  icon?: string;
  keywords?: string[];
  localisedAs?: string; // its texts are translated among those of this entity's records, whose fields it has, as record 0
  sections?: FieldsSection[];
  /** Panels beside the form that follow what is typed. */
  side?: PanelSection[];
  /** Buttons of the page, such as applying a setting to what exists already; calls by their full names, with `id` and `title`. */
  actions?: Action[];
}
export interface UiHints {
  widget?: string; // the name of a file in renderers/fields
  cell?: string; // the name of a file in renderers/cells, for the value in lists and records
  options?: JsonObject; // checked against <widget>.options.json
  secret?: boolean; // sealed at rest; records hold its mask
  unit?: string;
  placeholder?: string;
  help?: string;
  tone?: Tone; // on an option (oneOf branch): colour of its badge
  width?: 'full' | 'half' | 'third';
  when?: When; // hidden unless it holds: then not required, not validated, not sent
  optional?: When; // a required field may be left empty while it holds
  of?: string; // the entity a reference points to
  loose?: true; // what is named may be deleted all the same
  translatable?: true; // customers read it: kept in every language of the store
  propose?: { as: Proposal; of: string[] }; // the text that forms propose for it, from fields beside it
  permission?: string; // the area whose READ is needed to have the field at all, and whose WRITE to change it
  /** What lists (brief) and records (text, with fields) say in place of the value. */
  displayWhen?: { when: When; text: string; brief?: string }[];
  /** A read that lists the values a list is filtered by, and the members of its rows. */
  choices?: { call: string; value: string; title: string };
}
/** How a form makes the text it proposes; src/domain/text/proposals.ts says what each gives. */
export type Proposal = 'slug' | 'delivered' | 'interval';
export type Tone = 'neutral' | 'success' | 'attention' | 'warning' | 'critical' | 'info';

// --- calls ---

// --- screens ---

export type Resource = {
  route: string; // "subscriptions", "subscriptions/[id]", from the file's path
  title: string;
  of?: string;
  calls?: string;
  icon?: string;
  module?: string;
  feature?: string;
  permission?: string;
  when?: When;
  /** A whole screen drawn by renderers/pages/<name>. */
  page?: string;
  options?: JsonObject;
  /** Its place in the index of settings, for a screen that the navigation does not name. */
  card?: { group: string; description: string; keywords?: string[] };
  /** Pages that belong together, as tabs of each of them. */
  pages?: { title: string; to: string }[];
  list?: ListScreen;
  record?: RecordScreen;
  form?: FormScreen;
  actions?: Action[];
};
export interface ListScreen {
  columns: Column[];
  tabs?: Tab[];
  search?: string;
  filters?: string[];
  sort?: { field: string; order: 'ASC' | 'DESC' };
  /** Columns that are there but not shown at first. */
  optional?: string[];
  empty?: { title: string; text: string; action?: string };
  export?: boolean;
  views?: boolean;
  bulk?: Action[];
  rowTo?: string;
  order?: boolean;
  pageSize?: number;
  rowActions?: Action[];
  call?: string;
  /** While a row in view meets this, the list is read again every few seconds. */
  refreshWhile?: When;
}
export interface Column {
  field: string;
  title?: string;
  cell?: string;
  width?: number;
  align?: 'start' | 'end';
  options?: JsonObject;
  /** The area whose READ it takes to have the column at all; the server keeps what is in it to itself. */
  permission?: string;
  /** Of a list: it gives way where the page is too narrow for all columns, the lowest number first. */
  collapsePriority?: number;
}
export interface Tab {
  title: string;
  filter?: JsonObject;
  count?: string;
  /** Columns of the list that are in view here at first, in other words where they say so, and the order of the rows. */
  columns?: Column[];
  sort?: { field: string; order: 'ASC' | 'DESC' };
}
export interface RecordScreen {
  title: string;
  subtitle?: string;
  badge?: string;
  main: Section[];
  side?: Section[];
  /**
   * What shows an action's effect before it is confirmed: a read that takes the record's key, `action` and `params`, and the panel that
   * draws its answer.
   */
  preview?: { call: string; panel: string };
  /** While the record meets this, it is read again every few seconds, and with it the rows of its sections. */
  refreshWhile?: When;
}
export interface FormScreen {
  sections: Section[];
  side?: Section[];
  title?: string;
  /** The words of the button that makes a record; left out they name the entity. */
  submit?: string;
  created?: string;
  /** Members of the answer that a dialog shows when the record was made, each to be copied. */
  shows?: string[];
  /** While the condition of the record holds, it is shown and can't be changed; the text says why. */
  lockedWhen?: { when: When; text: string };
  /** The write whose input the form is, where no call of the table does "create" with the record itself. */
  call?: string;
  /** Of a file that has a list as well: actions of the page of a record, besides deleting it. */
  actions?: Action[];
  /** Parameter of the address -> the field that it fills: "?customer=12". */ from?: Record<string, string>;
  /** What a new record may begin with, by name. */ starts?: Record<string, { title: string; description?: string; values: JsonObject }>;
}
export type Section = FieldsSection | ListSection | PanelSection;
interface SectionBase {
  title?: string;
  description?: string;
  when?: When;
  permission?: string;
  closed?: boolean;
  id?: string;
  /** Of a form: the tab that it stands in. */ tab?: string;
}
export interface FieldsSection extends SectionBase {
  fields: string[];
  /** Offers to put its fields back to their standard values. */ reset?: boolean;
  columns?: number;
  action?: string;
}
export interface ListSection extends SectionBase {
  columns: Column[];
  call: string;
  with?: With;
  empty?: string;
  /** Where the first column of a row leads: "/subscriptions/{id}". */ rowTo?: string;
  rowActions?: Action[];
  /** So many rows are shown at first, the others on demand. */ show?: number;
}
export interface PanelSection extends SectionBase {
  panel: string;
  call?: string;
  with?: With;
  options?: JsonObject;
  /** Actions of the rows that the panel draws; `rows` is the field of the record that holds them, where the call does not answer them. */
  rows?: string;
  rowActions?: Action[];
}
/** What fills a call's parameters: a literal, or "{field}" of the record, "{/path}", "{@fact}", "{row.field}". */
export type With = Record<string, JsonValue>;
export interface Action {
  call: string;
  id: string;
  title: string;
  icon?: string;
  with?: With;
  when?: When;
  tone?: Tone;
  primary?: boolean;
  /** Consequence in words; a dialog asks before it runs. Parameters left open are asked for in the same dialog. */
  confirm?: string;
  confirmTitle?: string;
  submit?: string;
  prompt?: string[];
  done?: string;
  /** What the dialog says in place of `confirm` where it is done to many rows at once. */
  confirmMany?: string;
  /** What the dialog of a record's action says in place of `confirm` while a condition holds; the first that holds counts. */
  confirmWhen?: { when: When; text: string }[];
  /**
   * Another call that is asked for in the same dialog and made first: a card goes to its vault, whose session the action's call then takes.
   * `gives`: parameter -> path in the answer.
   */
  prerequisite?: { call: string; prompt?: string[]; provides: Record<string, string> };
  /** Members of its answer that a dialog shows when it is done, each to be copied. */
  shows?: string[];
  /** Its dialog shows what it would do (the record's `preview`), while what it asks for is typed. */
  preview?: boolean;
  /** The button of that dialog that changes nothing: never a word that the other button says too. */
  dismiss?: string;
  /** The action that undoes this one, offered in the notice that follows. */
  undo?: string;
  undoWith?: With;
  /** The file of schemas/actions that gave the button to the screen. */
  from?: string;
  shortcut?: string;
  /** Its call answers a file, which is saved under this name where the answer gives none. */
  download?: string;
  to?: string;
  /** It only leads to `to`; its call says who may. */ linkOnly?: boolean;
  place?: 'header' | 'menu' | 'row' | 'section' | 'empty';
  group?: string;
  /** On a settings page: a save that changed one of these fields asks whether to do it. */
  offerAfterSave?: string[];
}

// --- conditions on subscriptions (schemas/conditions) ---

export type Takes = 'one' | 'two' | 'several';
export interface ConditionOperator {
  /** Known to the evaluator by its name: EQ, IN. */
  name: string;
  title: string;
  takes: Takes;
}
/** What can be asked of a subscription. */
export interface ConditionKind {
  key: string;
  title: string;
  group: string;
  /** The name of the kind: "number", "things". */
  kind: string;
  fact: string;
  /** The area that the caller must be able to read. */
  permission?: string;
  operators: readonly ConditionOperator[];
  /** The schema of one value. */
  value: Schema;
  /** In flows only behind these events; none: always. */
  events: readonly string[];
  in: readonly string[];
}
export type ConditionRow = {
  conditionKey: string;
  operator: string;
  value: JsonValue;
};
export type ConditionSet = {
  match: 'ALL' | 'ANY';
  rows: ConditionRow[];
};
