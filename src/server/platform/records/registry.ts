// What features add to the generic verbs by name, and where a name of a definition is looked up.
import type { Call, JsonObject, JsonValue } from '../../../contract/types.ts';
import type { ChartInput } from '../analytics/chart.ts';
import type { Listed, ListedPlace } from '../analytics/listed-rows.ts';
import type { GrantKind } from '../auth/grant-kinds.ts';
import type { Context, Reply } from '../context.ts';
import type { RuleContext, Rules, SettingRules } from './rules.ts';

/** What a catalogue may use: that of rules, and what the installation was set up with. */
export type CatalogueContext = RuleContext & Pick<Context, 'config'>;

/** Work on many records in the name of the store: who may start it, what it is given, which job does it. */
export interface SystemRun {
  permission: string;
  feature?: string;
  /** The job's queue. */
  queue: string;
  /** What the run is given. @throws Refusal when it can't be started */
  input?(context: Context): Promise<JsonObject>;
  /** The line of the account log. */
  describe(input: JsonObject): string;
  /** The answer's message; by default that it has started and goes on by itself. */
  message?: string;
}

/** Says why a move may not happen, or nothing. `record` is the locked record, `input` what the call was given. */
export type Guard = (
  context: Context,
  record: JsonObject,
  input: JsonObject,
) => string | undefined | void | Promise<string | undefined | void>;

export interface VerbCall {
  call: Call;
  input: JsonObject;
  /** The body as it came, for read-only members. */
  raw: JsonObject;
  registry: Registry;
}
export type Verb = (context: Context, given: VerbCall) => Promise<JsonValue | Reply>;

export interface Registry {
  guards: Record<string, Guard>;
  /** What values give to others, by the kind that `x-grants` names. */
  grants: Record<string, GrantKind>;
  /** By entity. */
  rules: Record<string, Rules>;
  /** By the name of the settings page. */
  settingRules: Record<string, SettingRules>;
  /** By kind. One that is started elsewhere is only followed. */
  runs: Record<string, SystemRun | 'STARTED_ELSEWHERE'>;
  /** Lists of the definitions or the system, by name. */
  catalogues: Record<string, (context: CatalogueContext, input: JsonObject) => Promise<JsonValue> | JsonValue>;
  /** Documents that are no settings page: the session. */
  documents: Record<string, (context: Context) => Promise<JsonObject>>;
  /** Figures of a chart that no metric can say, by name. */
  charts: Record<string, (context: Context, input: ChartInput) => Promise<JsonObject>>;
  /** The rows behind such figures, under the name of their source; undefined for a figure that has none. */
  chartRows: Record<string, (context: Context, input: ChartInput, place: ListedPlace) => Promise<Listed | undefined>>;
}
