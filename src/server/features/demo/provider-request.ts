// What a simulated payment provider is asked, and answers.
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../contract/types.ts';

/** A request to the app that its address names. */
export interface ProviderRequest {
  app: string;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}
export interface ProviderAnswer {
  status: number;
  /** JSON, or the text of an XML document. */
  body: JsonObject | string;
}
