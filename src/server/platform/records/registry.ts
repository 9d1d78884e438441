// What features add to the generic verbs by name, and where a name of a definition is looked up.
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Context } from '../context.ts';
import type { RuleContext, Rules } from './rules.ts';
import type { Guard } from './verbs.ts';

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

/** What no schema of a settings page can say. `page` fits its schema, has its defaults and nothing that is hidden. */
export interface SettingRules {
  /** What is wrong with a page: two of its fields together, or with what else the store has. */
  validate?(page: JsonObject, context: Pick<RuleContext, 'store'>): FieldError[];
  /** A sentence about a page that was saved and may not do what was meant; null when there is none. */
  warn?(page: JsonObject, context: Pick<RuleContext, 'trx' | 'storeId'>): Promise<string | null>;
}

export interface Registry {
  guards: Record<string, Guard>;
  /** By entity. */
  rules: Record<string, Rules>;
  /** By the name of the settings page. */
  settingRules: Record<string, SettingRules>;
  /** By kind. One that is started elsewhere is only followed. */
  runs: Record<string, SystemRun | 'STARTED_ELSEWHERE'>;
  /** Lists of the definitions or the system, by name. */
  catalogues: Record<string, (context: RuleContext, input: JsonObject) => Promise<JsonValue> | JsonValue>;
  /** Documents that are no settings page: the session. */
  documents: Record<string, (context: RuleContext) => Promise<JsonObject>>;
}
