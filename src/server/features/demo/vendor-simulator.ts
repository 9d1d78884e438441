// Stands in for the servers of other apps, at an address of this machine: a demo connects to them as a store would, and tests look at what
// they got. Each app is at /<key>. Credentials with "invalid-" are refused, those with "timeout-" get no answer, all others are accepted.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { isoDay } from '../../../domain/calendar/calendar.ts';
import type { Config } from '../../platform/config.ts';
import { startLoyalty } from './loyalty-simulator.ts';
import { providerAnswer } from './payment-simulator.ts';
import { StripeCharges } from './stripe-simulator.ts';

export interface VendorRequest {
  /** The key of the app. */
  app: string;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  body: string;
}
export interface VendorSimulator {
  url: string;
  /** The last requests, the newest at the end. */
  received: VendorRequest[];
  /** Charges at Stripe, with what only time does there. */
  stripe: StripeCharges;
  close(): Promise<void>;
}
export interface VendorOptions {
  /** Another status for a request that would be accepted. */
  answer?: (request: VendorRequest) => number | undefined;
}

/** Requests that are remembered. */
const KEPT = 500;
const MOST_BYTES = 1_000_000;

const credentials = ({ headers, path }: VendorRequest): string => {
  const { authorization = '', ...others } = headers;
  const basic = authorization.startsWith('Basic ') ? Buffer.from(authorization.slice(6), 'base64').toString() : authorization;
  return [basic, path, ...Object.entries(others).flatMap(([name, value]) => (name.startsWith('x-') ? String(value) : []))].join(' ');
};
/** What apps answer besides points: Klaviyo whose key it is ("pk_of-<public key>-…"), Zapiet a calendar without Sundays and Christmas. */
function ownAnswer({ app, path, headers }: VendorRequest): { status: number; body: object } | undefined {
  if (app === 'klaviyo' && path === '/api/accounts') {
    const [, key] = /pk_of-(\w+)/.exec(headers.authorization ?? '') ?? [];
    return key === undefined
      ? undefined
      : { status: 200, body: { data: [{ type: 'account', id: key, attributes: { public_api_key: key } }] } };
  }
  if (app !== 'zapiet' || !path.endsWith('/calendar')) return undefined;
  const tomorrow = isoDay(Date.now() + 86_400_000, 'UTC');
  return { status: 200, body: { minDate: tomorrow, maxDate: null, disabled: [1, [Number(tomorrow.slice(0, 4)), 11, 25]] } };
}
const textOf = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body));
const inHtml = (text: string): string => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

/** The page where a connection is approved, with the ways back. */
function approvalPage(app: string, query: URLSearchParams): string | undefined {
  const back = query.get('redirect_uri') ?? '';
  if (!/^https?:\/\//.test(back) || !URL.canParse(back)) return undefined;
  const to = (more: Record<string, string>): string => {
    const url = new URL(back);
    for (const [name, value] of Object.entries({ ...more, state: query.get('state') ?? '' })) url.searchParams.set(name, value);
    return inHtml(url.href);
  };
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${inHtml(app)}</title><h1>${inHtml(app)}, simulated</h1>
<p>Perennial asks for access to your account.</p>
<p><a id="approve" href="${to({ code: `valid-access-of-${app}` })}">Approve and return</a></p>
<p><a id="deny" href="${to({ error: 'access_denied' })}">Deny and return</a></p></html>`;
}

export async function startVendorSimulator({ answer }: VendorOptions = {}): Promise<VendorSimulator> {
  const received: VendorRequest[] = [];
  const loyalty = startLoyalty();
  const charges = new StripeCharges();
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      if (body.length < MOST_BYTES) body += part;
    });
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://vendor');
      const [, app = '', ...rest] = url.pathname.split('/');
      const got: VendorRequest = {
        app,
        method: request.method ?? '',
        path: `/${rest.join('/')}`,
        query: url.searchParams,
        headers: request.headers,
        body,
      };
      const page = rest.at(-1) === 'authorize' ? approvalPage(app, url.searchParams) : undefined;
      if (page) {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
        return;
      }
      const hosted = app === 'stripe' ? (charges.pages.page(got) ?? charges.bank(got)) : undefined;
      if (hosted) {
        if ('redirect' in hosted) response.writeHead(303, { location: hosted.redirect }).end();
        else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(hosted.html);
        return;
      }
      received.push(got);
      if (received.length > KEPT) received.shift();
      const given = credentials(got);
      if (given.includes('timeout-')) {
        request.socket.destroy();
        return;
      }
      const wanted = given.includes('invalid-') ? 401 : answer?.(got);
      const points = wanted === undefined ? (ownAnswer(got) ?? providerAnswer(got, charges) ?? loyalty(got, url.searchParams)) : undefined;
      const status = wanted ?? points?.status ?? (got.method === 'GET' ? 200 : 202);
      response
        .writeHead(status, { 'content-type': typeof points?.body === 'string' ? 'application/xml' : 'application/json' })
        .end(points ? textOf(points.body) : status < 300 ? '{}' : '{"error":"refused"}');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // It keeps no process alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stripe: charges,
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The configuration of a demo, with a simulator for the apps that its store connects; any other one as it is. */
export async function withVendors(config: Config): Promise<Config> {
  if (!config.demo || config.vendorUrl) return config;
  const { url } = await startVendorSimulator();
  return { ...config, vendorUrl: url, outgoingAllow: [...config.outgoingAllow, new URL(url).host] };
}
