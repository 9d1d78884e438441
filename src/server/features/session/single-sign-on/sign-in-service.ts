// A store's sign-in service (OpenID Connect): the authorization code flow with PKCE, state and nonce by openid-client, over the one way to
// foreign servers.
import * as oidc from 'openid-client';
import { Refusal, type PublicContext } from '../../../platform/context.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { t } from '../../../../domain/text/t.ts';

/** What a store entered of its service. */
export interface SignInService {
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Where a person goes, and what is to be known when they come back. */
export interface Departure {
  url: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** Who came back. */
export interface Arrival {
  /** What the service calls the person for ever: "<issuer> <subject>". */
  subject: string;
  /** Undefined where the service names none. */
  email: string | undefined;
  isVerified: boolean;
  firstName: string;
  lastName: string;
}

type Server = Pick<PublicContext, 'config' | 'outgoing'>;

const BARE = new Set([204, 205, 304]);
const through =
  (outgoing: Outgoing): oidc.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await outgoing.send({
      method: method as 'GET' | 'POST',
      url,
      headers,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    });
    return new Response(BARE.has(answer.status) ? null : answer.body, { status: answer.status, headers: answer.headers });
  };

/** Clocks of two servers differ by no more than this (s). */
const TOLERANCE = 30;

/** Whether an address may be asked without encryption: where the configuration names its host, which is a network of one's own. */
export const mayBePlain = ({ config }: Pick<Server, 'config'>, address: string): boolean =>
  URL.canParse(address) && config.outgoingAllow.includes(new URL(address).hostname);

/**
 * Reads what a service says of itself. @throws Error of openid-client or `OutgoingError` where it does not answer as a service should
 */
export async function discover(server: Server, { issuer, clientId, clientSecret }: SignInService): Promise<oidc.Configuration> {
  const isPlain = mayBePlain(server, issuer);
  const fetched = through(server.outgoing);
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
    [oidc.customFetch]: fetched,
    ...(isPlain ? { execute: [oidc.allowInsecureRequests] } : {}),
  });
  const says = found.serverMetadata();
  // What the standard assumes of a service that does not say it.
  const isBasic = (says.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes('client_secret_basic');
  const configuration = new oidc.Configuration(
    says,
    clientId,
    { [oidc.clockTolerance]: TOLERANCE },
    isBasic ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret),
  );
  configuration[oidc.customFetch] = fetched;
  if (isPlain) oidc.allowInsecureRequests(configuration);
  // Signatures count, not only the line that the answer came over.
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Where a person signs in. `email`: what they typed here already. @throws Error as `discover` */
export async function depart(server: Server, service: SignInService, back: string, email: string | undefined): Promise<Departure> {
  const configuration = await discover(server, service);
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: back,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(email === undefined ? {} : { login_hint: email }),
  });
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain(server, url.href)))
    throw new Error(`The service signs in at ${url.protocol}//, which is not encrypted.`);
  return { url: url.href, state, nonce, verifier };
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
/** Names go into letters, so they hold no address. */
const nameIn = (value: unknown): string =>
  text(value)
    .replace(/[<>@:/\p{Cc}]/gu, '')
    .replace(/\.(?=\S)/g, ' ')
    .slice(0, 60);

/** Who came back to `back`, with what the service put into its address. @throws Error as `discover`, or where an answer can't be trusted */
export async function arrive(
  server: Server,
  service: SignInService,
  back: URL,
  { state, nonce, verifier }: Pick<Departure, 'state' | 'nonce' | 'verifier'>,
): Promise<Arrival> {
  const configuration = await discover(server, service);
  const tokens = await oidc.authorizationCodeGrant(configuration, back, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('There is no ID token.');
  const all: Record<string, unknown> =
    claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? { ...claims, ...(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
      : claims;
  const email = text(all.email) || undefined;
  return {
    subject: `${claims.iss} ${claims.sub}`,
    email,
    isVerified: all.email_verified === true,
    firstName: nameIn(all.given_name) || nameIn(all.name) || nameIn(email?.split('@')[0]),
    lastName: nameIn(all.given_name) ? nameIn(all.family_name) : '',
  };
}

/** What a person reads where a service did not do its part. */
export const unreachable = (host: string): Refusal =>
  new Refusal(
    502,
    'SIGN_IN_SERVICE',
    t`The sign-in service ${host} does not answer as it should. Try again in a moment, or ask the owner of your store.`,
  );
