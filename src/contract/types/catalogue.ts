// Everything together, and the lists beside schemas, calls and screens: navigation, rights, plans, events, messages.
import type { ActionKind } from './action.ts';
import type { IntegrationEvent, IntegrationKind } from './integration.ts';
import type { ConditionKind, FormScreen, JsonObject, JsonValue, Resource, Schema, When } from './schema.ts';
import type { Call, CallTable, Host, Rate } from './call.ts';
import type { AnalyticsPage, Metric, Report } from './analytics.ts';

/** What a new record may begin with. */
export type Start = NonNullable<FormScreen['starts']>[string];

export interface Navigation {
  main: NavEntry[];
  lower: NavEntry[];
  search?: SearchSource[];
}
export type NavEntry = {
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
};
/** Records that the command palette finds by typing. `label` and `detail` are templates over their fields, as is `to`. */
export type SearchSource = {
  call: string;
  title: string;
  icon?: string;
  label: string;
  detail?: string;
  to: string;
};
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
  /** What the module is called. */
  moduleTitle?: string;
  dependsOn?: string[];
}
/** A plan of the product (schemas/common/plans.json); a plan of a higher rank has all that a lower one has. */
export type Plan = {
  id: number;
  name: string;
  rank: number;
  fixedCharge: string;
  transactionCharge: string;
  features: string[];
  subscriptionLimit?: number;
  flagged?: boolean;
};
/**
 * A popup that any store may get (schemas/common/popups.json). `library` has its words under widget version 2, where the button leads to
 * the widget library.
 */
export type Popup = {
  id: number;
  trigger: string;
  header: string;
  body: string;
  primary_cta_text: string;
  primary_cta_link: string;
  page?: string;
  widgetVersion?: 1 | 2;
  library?: { body: string; primary_cta_text: string };
};
/** A piece of news (schemas/common/whats-new.json), the newest first. */
export type News = {
  id: string;
  date: string;
  kind: 'NEW' | 'IMPROVED' | 'FIXED';
  title: string;
  text: string;
  to?: string;
  linkText?: string;
};

export interface Definitions {
  hosts: Record<string, Host>;
  /** How often an API token may make calls that say nothing else. */
  rates: { single: Rate; list: Rate };
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
  /** Roles that every new store begins with, by key. */
  readyRoles: Record<string, Start>;
  plans: Plan[];
  setUp: SetUp;
  popups: Popup[];
  news: News[];
  /** What can happen, by key (schemas/events). */
  events: Record<string, EventKind>;
  /** The e-mails, by key (schemas/messages). */
  messages: Record<string, MessageKind>;
  /** Other apps that a store may connect, by key (schemas/integrations). */
  integrations: Record<string, IntegrationKind>;
  /** What is sent to integrations, by the names that vendors know. */
  integrationEvents: Record<string, IntegrationEvent>;
  /** What can be asked of a subscription, by key (schemas/conditions). */
  conditions: Record<string, ConditionKind>;
  /** What can be done to a subscription, by key (schemas/actions). */
  actions: Record<string, ActionKind>;
  /** What every message may name, by path: "customer.firstName" (schemas/common/message-variables.json). */
  messageVariables: Record<string, MessageVariable>;
  /** The words that customers read, by category (schemas/texts). */
  texts: Record<string, TextCategory>;
  /** Figures (schemas/metrics), pages of them (schemas/analytics) and lists to take away (schemas/reports), by key. */
  metrics: Record<string, Metric>;
  analytics: Record<string, AnalyticsPage>;
  reports: Record<string, Report>;
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
  /** The topic of its webhooks. */
  webhook?: string;
}

export type MessageVariable = {
  title: string;
  /** What previews and the check fill it with. */
  sample: JsonValue;
  /** What its value is said as in the language of the e-mail, and its sample with it. */
  as?: 'day' | 'money' | 'frequency' | 'reason';
  /** Connected apps that fill it in; without one it is empty. */
  from?: 'loyalty';
};

/** One e-mail: who gets it, when, and its text in Liquid. */
export interface MessageKind {
  key: string;
  title: string;
  description: string;
  /** customer: the subscriber; admins: who is to hear about subscriptions; user: the person of the store it is addressed to. */
  audience: 'customer' | 'admins' | 'user';
  /** contract: about what its reader has, ordered or requested; advertising: its reader can end it with one press. */
  purpose: 'contract' | 'advertising';
  /** Of a gift: which of the two customers gets it. It stands with the e-mails of gifts. */
  gift?: 'giver' | 'recipient';
  /** Sent whenever it is asked for: a store can't switch it off. */
  always?: true;
  /** Of what its reader ends letters of this kind by a link in their foot and headers: of a chart. Advertising always has such a link. */
  ends?: 'chart';
  /** To a person of the team: its words are those of the admin in the language of its reader. */
  speaks?: true;
  /** After an event; absent: sent by the code that does what it tells of, in the same transaction. */
  when?: MessageTrigger;
  /** Filters of the subscriptions that its preview offers. */
  preview?: JsonObject;
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

// --- texts (schemas/texts) ---

export type TextComponent = 'INPUT' | 'TEXT_AREA' | 'RICH_TEXT' | 'IMAGE';
/** One text that customers read; a store may change and translate it. */
export interface TextKind {
  /** Unique among all categories. */
  key: string;
  label: string;
  /** The words of the product, in English. */
  default: string;
  component: TextComponent;
  /** Names of variables that it may hold: {{name}}. */
  variables: readonly string[];
  maxLength: number;
  /** The heading it stands under. */
  group: string;
}
export interface TextCategory {
  key: string;
  title: string;
  description: string;
  type: string;
  belongsTo: 'store' | 'theme' | 'widget';
  position: number;
  variables: Record<string, { title: string; sample: string }>;
  texts: Record<string, TextKind>;
  /** Of a theme: the texts of the store that it may say in its own words. They stand among `texts`. */
  takes: readonly string[];
  /** Of a theme: the section of the page that says these words, where it is one. */
  section: string;
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
  /** The words of its button where the store has a shop: it leads to what is sold there by subscription. */
  inShop?: string;
  /** Where it is done in some stores: the first whose fact holds takes the place of what the stage says for all. */
  ways?: SetUpWay[];
}
export interface SetUpWay {
  fact: string;
  description: string;
  button: string;
  to: string;
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
