// A real OpenID Connect provider (oidc-provider, which others publish: tests/judges) on this machine, and the browser of a person who
// signs in there.
import http from 'node:http';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { ensureJudges } from '../../scripts/ensure.mjs';

/** What the provider says of a person, by the name they sign in with. */
export type Accounts = Record<string, Record<string, string | boolean>>;

export interface SignInServer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  accounts: Accounts;
  /** Goes where the admin led, signs in as a person of `accounts` (undefined: turns away), and gives the address that they come back to. */
  visit(url: string, login: string | undefined): Promise<URL>;
  close(): Promise<void>;
}

/** @param redirect where its people come back to */
export async function startSignInServer(redirect: string): Promise<SignInServer> {
  const folder = join(ensureJudges(), 'node_modules', 'oidc-provider');
  const { Provider } = (await import(pathToFileURL(join(folder, 'lib', 'index.js')).href)) as {
    Provider: new (issuer: string, configuration: object) => { callback(): http.RequestListener };
  };
  const server = http.createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['perennial', 'a-secret-of-the-judge'];
  const accounts: Accounts = {};
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirect] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
    cookies: { keys: ['of the judge'] },
  });
  server.on('request', provider.callback());

  return {
    issuer,
    clientId,
    clientSecret,
    accounts,
    async visit(start, login) {
      const cookies = new Map<string, string>();
      let body: URLSearchParams | undefined;
      for (let url = new URL(start), steps = 0; steps < 12; steps++) {
        const answer = await fetch(url, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
          ...(body ? { method: 'POST', body } : {}),
        });
        body = undefined;
        for (const one of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
          if (value) cookies.set(name, value);
          else cookies.delete(name);
        }
        const text = await answer.text();
        const to = answer.headers.get('location');
        if (to) {
          url = new URL(to, url);
          if (url.origin !== issuer) return url;
        } else if (login === undefined) url = new URL(/href="([^"]*\/abort)"/.exec(text)?.[1] ?? '', url);
        else if (text.includes('name="prompt" value="login"')) body = new URLSearchParams({ prompt: 'login', login, password: 'any' });
        else if (text.includes('name="prompt" value="consent"')) body = new URLSearchParams({ prompt: 'consent' });
        else throw new Error(`${answer.status} ${text.slice(0, 500)}`);
      }
      throw new Error('It leads nowhere.');
    },
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
