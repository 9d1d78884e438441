// The words of the definitions: what the JSON under schemas/ and resources/ may say, after loading ($refs resolved, defaults filled in).

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
  /** Records of other entities that keep one of these from being deleted: their field names it. `message` may say "{count}". */
  blockedBy?: { entity: string; field: string; message?: string }[];
  /** Named sets of records of other entities: the table that joins both, and the columns of owner, member and order in it. */
  sets?: Record<string, { of: string; table: string; owner: string; member: string; order?: string }>;
  /** Area and feature of the plan for the plain REST calls of an entity that no call table has. */
  permission?: string;
  feature?: string;
  /** What lists carry of a record, besides its key and version; absent: all of it. Reading one gives it whole. */
  listFields?: string[];
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
  /** Group on the index page: "Store", "Notifications", ... */
  group?: string;
  icon?: string;
  keywords?: string[];
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
  unit?: string;
  placeholder?: string;
  help?: string;
  tone?: Tone; // on an option (oneOf branch): colour of its badge
  width?: 'full' | 'half' | 'third';
  when?: When; // hidden unless it holds: then not required, not validated, not sent
  optional?: When; // a required field may be left empty while it holds
  of?: string; // the entity a reference points to
  permission?: string; // the area whose READ is needed to have the field at all, and whose WRITE to change it
  /** What lists (brief) and records (text, with fields) say in place of the value. */
  displayWhen?: { when: When; text: string; brief?: string }[];
  /** A read that lists the values a list is filtered by, and the members of its rows. */
  choices?: { call: string; value: string; title: string };
}
export type Tone = 'neutral' | 'success' | 'attention' | 'warning' | 'critical' | 'info';

// --- calls ---

export type Does =
  | 'list'
  | 'read'
  | 'create'
  | 'update'
  | 'delete'
  | 'get'
  | 'set'
  | 'move'
  | 'order'
  | 'count'
  | 'export'
  | 'start'
  | 'progress'
  | 'catalogue'
  | 'join'
  | 'leave'
  | 'query'
  | 'command';
export type HostName =
  | 'main'
  | 'app'
  | 'v2'
  | 'bulk'
  | 'apiService'
  | 'widgetEngine'
  | 'themeEngine'
  | 'reporting'
  | 'alertCentre'
  | 'user'
  | 'external'
  | 'rest';
export interface Host {
  name: HostName;
  config: string;
  prefix: string;
  out: string;
  ok?: string;
  pagers: Record<string, Pager>;
}
/** How a list is paged: the names of its parameters and where the answer says what comes next. */
export interface Pager {
  size?: string;
  page?: string;
  offset?: string;
  after?: string;
  before?: string;
  next?: string;
  previous?: string;
  total?: string;
  /** The total and the place in it stand in the Content-Range header of the answer: "suppliers 0-24/319". */
  contentRange?: true;
  maxSize?: number;
}
export interface Param {
  name: string;
  /** What the verb calls it, where the wire has another name: `collectionId as id`. */
  as?: string;
  schema: Schema;
  required: boolean;
}

/** One line of the wire, defaults filled in. `name` is "<table>.<key>", e.g. "subscription-contract.pause". */
export interface Call {
  name: string;
  table: string;
  key: string;
  host: HostName;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  does: Does;
  of: string;
  /** Path, query and body members, in one flat list; `body` is set instead where the body is one schema. */
  in: Param[];
  body?: Schema;
  /** In the admin, of an update that takes less than its record has: the names of its fields. */
  takes?: string[];
  query?: string[]; // of a write: these go to the query
  /** Another call that this one is the same as, under a route of its own. */
  like?: string;
  /** Among several calls of a verb for an entity, the one that screens use; without one, the first. */
  main?: boolean;
  /** Values that the records of the call have: they narrow lists and reads, and are what a create gives. */
  where?: JsonObject;
  /** Of a list, export or count: sort and order where none is asked for. */
  sort?: { field: string; order: 'ASC' | 'DESC' };
  /** Of a list without pages: so many records at most. */
  limit?: number;
  /** Of get and set: the fields of the document that the call is about. */
  part?: string[];
  /** Of get, read, start and progress: the form of the answer, with "{path}" for values of the document, record or run. */
  answer?: JsonValue;
  /** Of a read with `answer`: it is no whole record, so that no screen opens one by it. */
  isPart?: true;
  /** Of start and progress: the kinds of system run. */
  runs?: string[];
  /** Of count: the screen whose tabs are counted. */
  screen?: string;
  /** Of catalogue: which one. */
  catalogue?: string;
  /** Of get: a document of a feature's documents.ts, where it is not the one that `of` names. */
  document?: string;
  /** Of get and set: settings as a list of entries { category, type, key, value, … }. */
  entries?: true;
  /** Of list, join and leave: the set of the owner's entity, "selling-plan-group.collections". */
  set?: string;
  wrap?: string; // the body is sent under this key
  out: string;
  total?: string;
  ok?: string;
  page?: string;
  invalidates: string[];
  poll?: { call: string; path: string; values: JsonValue[]; with?: JsonObject };
  encode?: string;
  decode?: string;
  permission?: string; // area; READ for reads, WRITE for writes
  feature?: string; // plan feature that must be there
  public?: boolean; // no token needed (sign-in)
  title?: string;
  assumed?: string;
}
export interface CallTable {
  name: string;
  title: string;
  host: HostName;
  base: string;
  permission?: string;
  of?: string;
  calls: Record<string, Call>;
}

// --- resources: screens ---

export interface Resource {
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
  list?: ListScreen;
  record?: RecordScreen;
  form?: FormScreen;
  actions?: Action[];
}
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
}
export interface FormScreen {
  sections: Section[];
  side?: Section[];
  title?: string;
  created?: string;
  /** The write whose input the form is, where no call of the table does "create" with the record itself. */
  call?: string;
  /** Of a file that has a list as well: actions of the page of a record, besides deleting it. */
  actions?: Action[];
  /** Parameter of the address -> the field that it fills: "?customer=12". */
  from?: Record<string, string>;
}
export type Section = FieldsSection | ListSection | PanelSection;
interface SectionBase {
  title?: string;
  description?: string;
  when?: When;
  permission?: string;
  closed?: boolean;
  id?: string;
}
export interface FieldsSection extends SectionBase {
  fields: string[];
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
  /** Its dialog shows what it would do (the record's `preview`), while what it asks for is typed. */
  preview?: boolean;
  /** The button of that dialog that changes nothing: never a word that the other button says too. */
  dismiss?: string;
  /** The action that undoes this one, offered in the notice that follows. */
  undo?: string;
  undoWith?: With;
  shortcut?: string;
  to?: string;
  /** It only leads to `to`; its call says who may. */ linkOnly?: boolean;
  place?: 'header' | 'menu' | 'row' | 'section';
  group?: string;
  /** On a settings page: a save that changed one of these fields asks whether to do it. */
  offerAfterSave?: string[];
}

export interface Navigation {
  main: NavEntry[];
  lower: NavEntry[];
  search?: SearchSource[];
}
export interface NavEntry {
  id: string;
  title: string;
  to: string;
  icon?: string;
  module?: string;
  feature?: string;
  permission?: string;
  when?: When;
  /**
   * When its page opens by its address, in place of `when` of the entry and of its section: a page that makes what the section waits for.
   */
  openWhen?: When;
  /** A plan feature that must be there. */
  plan?: string;
  /** Reached from its section's page and the palette; not drawn at the left. */
  unlisted?: boolean;
  /** A call that notes that the entry was chosen. */
  track?: string;
  /** The page that this address leads on to ("/alerts" -> "/alerts/open"). */
  redirectTo?: string;
  isNew?: boolean;
  hidden?: boolean;
  badge?: string;
  items?: NavEntry[];
  external?: boolean;
  /** No screen yet: one sentence on what it will hold, shown in its place. */
  planned?: string;
  /** What can be done until then, and where; of a section it holds for all its entries that have none. */
  today?: { text: string; to: string };
}
/** Records that the command palette finds by typing. `label` and `detail` are templates over their fields, as is `to`. */
export interface SearchSource {
  call: string;
  title: string;
  icon?: string;
  label: string;
  detail?: string;
  to: string;
}
/** A fact about the session that conditions may name: "@store.widgetVersion". */
export interface FactDefinition {
  name: string;
  schema: Schema;
}

/** A permission area of the catalogue (schemas/common/permissions.json). */
export interface PermissionArea {
  permissionKey: string;
  label: string;
  loopModuleKey: string;
  loopFeatureKey: string | null;
  availableAccessMode: ('READ' | 'WRITE')[];
  isHidden: boolean;
  dependsOn?: string[];
}
/** A plan of the product (schemas/common/plans.json); a plan of a higher rank has all that a lower one has. */
export interface Plan {
  id: number;
  name: string;
  rank: number;
  fixedCharge: string;
  transactionCharge: string;
  features: string[];
  subscriptionLimit?: number;
  flagged?: boolean;
}
/**
 * A popup that any store may get (schemas/common/popups.json). `library` has its words under widget version 2, where the button leads to
 * the widget library.
 */
export interface Popup {
  id: number;
  trigger: string;
  header: string;
  body: string;
  primary_cta_text: string;
  primary_cta_link: string;
  page?: string;
  widgetVersion?: 1 | 2;
  library?: { body: string; primary_cta_text: string };
}
/** A piece of news (schemas/common/whats-new.json), the newest first. */
export interface News {
  id: string;
  date: string;
  kind: 'NEW' | 'IMPROVED' | 'FIXED';
  title: string;
  text: string;
  to?: string;
  linkText?: string;
}

export interface Definitions {
  hosts: Record<string, Host>;
  ambient: string[];
  calls: Record<string, Call>;
  tables: Record<string, CallTable>;
  entities: Record<string, Schema>;
  settings: Record<string, Schema>;
  common: Record<string, Schema>;
  resources: Record<string, Resource>;
  navigation: Navigation;
  facts: Record<string, FactDefinition>;
  /** The named parameters of calls (schemas/common/params.json). */
  params: Record<string, Schema>;
  permissions: Record<string, PermissionArea>;
  plans: Plan[];
  setUp: SetUp;
  popups: Popup[];
  news: News[];
  /** What can happen, by key (schemas/events). */
  events: Record<string, EventKind>;
  /** The e-mails, by key (schemas/messages). */
  messages: Record<string, MessageKind>;
  /** What every message may name, by path: "customer.firstName" (schemas/common/message-variables.json). */
  messageVariables: Record<string, MessageVariable>;
}

// --- events (schemas/events) and messages (schemas/messages) ---

/** One kind of event. The payload holds ids, enums, numbers and dates; what it holds of a person is named under `personal`. */
export interface EventKind {
  key: string;
  title: string;
  /** What it happens to: "subscription", "customer". */
  subject: string;
  payload: readonly string[];
  /** Members of the payload that are removed when a person is erased. */
  personal: readonly string[];
}

export interface MessageVariable {
  title: string;
  /** What previews and the check fill it with. */
  sample: JsonValue;
}

/** One e-mail: who gets it, when, and its text in Liquid. */
export interface MessageKind {
  key: string;
  title: string;
  description: string;
  /** customer: the subscriber; admins: who is to hear about subscriptions; user: the person of the store it is addressed to. */
  audience: 'customer' | 'admins' | 'user';
  /** After an event; absent: sent by the code that does what it tells of, in the same transaction. */
  when?: MessageTrigger;
  subject: string;
  /** Paragraphs; those that come out empty are left out. Lines that begin with "- " are a list, a line that is an address a link. */
  body: readonly string[];
  variables: Record<string, MessageVariable>;
}
export interface MessageTrigger {
  event: string;
  /** So long after the event: "2 hours". */
  delay?: string;
  /** Between these times of the store's day it waits for the end: { "from": "21:00", "to": "08:00" }. */
  quiet?: { from: string; to: string };
}

// --- setting up (schemas/common/set-up.json) ---

/** The tasks of the set-up score, by tab and module, and the stages of onboarding. */
export interface SetUp {
  tabs: { name: string; modules: SetUpModule[] }[];
  stages: SetUpStage[];
}
export interface SetUpModule {
  key: string;
  title: string;
  tasks: SetUpTask[];
}
export interface SetUpTask {
  key: string;
  name: string;
  description: string;
  button: string;
  to: string;
  /** Area that must be readable, feature of the plan, facts: without them the task is not shown. */
  permission?: string;
  feature?: string;
  when?: When;
  done: Done;
}
export interface SetUpStage {
  key: string;
  title: string;
  description: string;
  button: string;
  to: string;
  done: Done;
  needs: string[];
  canSkip: boolean;
}
/** What is true in the store's data when something is done: records of an entity, a settings page that was saved, or a named fact. */
export interface Done {
  count?: string;
  where?: Record<string, JsonValue>;
  least?: number;
  setting?: string;
  when?: When;
  fact?: string;
}

/** The answer of storeInsights (S262): one tab of the set-up score. */
export interface GoalCategory {
  name: string;
  uniqueModules: string[];
  subEntities: GoalTask[];
  completionCount: number;
  completionPercentage: number;
}
export interface GoalTask {
  moduleKey: string;
  module: string;
  subModuleKey: string;
  name: string;
  description: string;
  isCompleted: boolean;
  isNew: boolean;
  buttonCtaText: string;
  buttonRedirectURL: string;
}

// --- the session, as the start-up call answers it; facts and access are computed from it ---

export interface Permission {
  permissionKey: string;
  access: Access;
  availableAccessMode: ('READ' | 'WRITE')[];
  isHidden: boolean;
  loopModuleKey: string;
  loopFeatureKey: string | null;
  label?: string;
  dependsOn?: string[];
}
export interface SessionUser {
  userId: number;
  firstName: string;
  lastName: string;
  email: string;
  loopUserType: 'ADMIN' | 'MEMBER' | 'OWNER' | 'LOOP_USER';
  userShopifyId: number | null;
  myshopifyDomain: string;
  storeId: number;
  permissions: Permission[];
}
export interface Session {
  user: SessionUser;
  store: {
    storeId: number;
    name: string;
    email: string;
    myshopify_domain: string;
    plan_name: string;
    country_name: string;
    country_code: string;
    currency_code: string;
    timezone: string;
    shop_owner: string;
    customer_count: number;
    order_count: number;
    createdAt: string;
    storefrontWidgetVersion: number;
    isOnboardingFormComplete: boolean;
    isDemo: boolean;
    now: string;
    shop_data: JsonObject;
  };
  /** `minimumPlans`: plan feature -> rank of the lowest plan that has it (S230). */
  plan: {
    billing_plan_id: number;
    name: string;
    fixed_charge: string;
    transaction_charge: string;
    createdAt: string;
    features: string[];
    minimumPlans: Record<string, number>;
    rank: number;
  };
  scopes: string[];
  featureSwitches: string[];
  isReferralEligible: boolean;
  alertCount: number;
  hasGiftWidget: boolean;
  /** Which banners will be there, so that they stand in the first drawing and move nothing; the calls of the banners decide. */
  banners?: { isFreePlanLimitExceeded: boolean; isEligible: boolean };
}

// --- answers ---

export interface FieldError {
  pointer: string;
  rule: string;
  message: string;
}
/** Every refusal has this form. */
export interface ErrorAnswer {
  success: false;
  code: string;
  message: string;
  requestId: string;
  errors?: FieldError[];
  /** A write with an old version: what the server has now. */
  conflict?: { current: JsonObject; version: number; yourVersion: number; changedBy?: string; changedAt?: string };
}
export interface OkAnswer {
  success: true;
  message: string;
  code: 'SUCCESS';
  data: JsonValue;
  pageInfo?: PageInfo;
}
export interface PageInfo {
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  nextCursor?: string | null;
  previousCursor?: string | null;
  total?: number;
  /** the total is a floor: "10,000+" */ totalIsCapped?: boolean;
}

/** One mistake in a definition file. */
export interface Problem {
  file: string;
  line: number;
  column: number;
  pointer: string;
  message: string;
  suggestion?: string;
}
