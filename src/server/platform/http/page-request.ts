// What a page for customers is called with: the request, and what it works with of the services.
import type { Definitions } from '../../../contract/types.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { StoreLog } from '../db/engine.ts';
import type { FullGateway } from '../gateway/gateway.ts';
import type { HostedPages } from '../gateway/hosted-pages.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { SecretBox } from '../outgoing/secret-box.ts';
import type { EntityMapping } from '../records/entity-mapping.ts';
import type { VisitCounts } from '../records/visit-counts.ts';
import type { Shares } from './shares.ts';

/** What a page works with, of the services. */
export interface PageServices {
  readonly db: Database;
  readonly definitions: Definitions;
  readonly config: Config;
  readonly gateway: FullGateway;
  readonly hostedPages: HostedPages;
  /** Calls other servers; never inside a transaction. */
  readonly outgoing: Outgoing;
  readonly secrets: SecretBox;
  /** Who may have how much of the machine's time; a page has its place before it is asked for anything. */
  readonly shares: Shares;
  /** Counts visits of links without a row that they all wait for. */
  readonly visits: VisitCounts;
  readonly log: StoreLog;
  /** Work that goes on behind the answer; the server ends after it. */
  background(work: Promise<unknown>): void;
  /** Sends what waits in the outbox. */
  readonly mailer: { kick(): void };
  /** All pages that are served. */
  readonly pages?: readonly { readonly path: string }[];
  shape(entity: string): EntityMapping;
}

/** The browser of a page that everybody may open. */
export interface Visitor {
  /** What the page's own cookie holds; '' where the browser has none. */
  cookie: string;
  /** Its languages in their order, as the header Accept-Language says them. */
  languages: string;
  /** The network it comes from, as limits count it. */
  network: string;
  /** What it says that it is. */
  agent: string;
}

export interface PageRequest {
  params: Readonly<Record<string, string>>;
  /** Of a page without a secret only what the page names (`PublicPage.asks`), so that no secret can come to be in it. */
  query: Readonly<Record<string, string>>;
  visitor?: Visitor;
  /** What was filled in, of a form that is posted. */
  form: Readonly<Record<string, string>>;
}
