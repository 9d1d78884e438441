// Who is calling, and whether they may: asked before anything of a body is read for them.
import type { IncomingMessage } from 'node:http';
import { allowsCall } from '../../../contract/access.ts';
import { isRead } from '../../../contract/calls.ts';
import type { Call } from '../../../contract/types.ts';
import type { Caller } from '../auth/sessions.ts';
import { scopeMissing, rateOf } from '../auth/scopes.ts';
import { isApiToken, takeRequest, tokenIn } from '../auth/api-tokens.ts';
import { tokenOf } from '../auth/tokens.ts';
import { Refusal } from '../context.ts';
import type { Services } from '../services.ts';
import { networkOf } from './client-address.ts';
import { unauthorized } from './error-responses.ts';
import { FailedAttempts } from './request-guards.ts';
import { t } from '../../../domain/text/t.ts';

/** Names the role whose view of the admin is looked at. */
export const ROLE_PREVIEW = 'x-perennial-role-preview';
const LOG_OUT = 'sign-in.logout';

/** A token that is wrong more often than this within a minute makes its address wait. */
const WRONG_TOKENS = 20;

type Needed = Pick<Services, 'sessions' | 'clientAddress' | 'definitions' | 'db'>;

/** The feature of the plan without which no token works. */
const API = 'api';

/** Why a caller may not make a call; undefined: they may. Persons are asked for their rights, programs for their scopes. */
export function refusalOf({ definitions }: Pick<Services, 'definitions'>, call: Call, { session, token }: Caller): Refusal | undefined {
  if (token) {
    const missing = scopeMissing(definitions, call, token.scopes);
    if (missing) return new Refusal(403, 'MISSING_SCOPE', missing);
  }
  const allowed = allowsCall(token ? { ...call, feature: API } : call, session);
  return allowed.ok ? undefined : new Refusal(403, allowed.code, allowed.message);
}

export class CallerCheck {
  readonly #services: Needed;
  readonly #failedAttempts = new FailedAttempts(WRONG_TOKENS);
  /** Requests that were counted against their token's rate: a large body is asked for twice. */
  readonly #counted = new WeakSet<IncomingMessage>();

  constructor(services: Needed) {
    this.#services = services;
  }

  /** Who is behind a request and may make the call. @throws Refusal 401, 429 after many wrong tokens or too many calls, 403 */
  async of(request: IncomingMessage, call: Call): Promise<Caller> {
    const given = tokenIn(request.headers);
    const caller = given ? await this.#services.sessions.caller(tokenOf(given)) : undefined;
    if (!caller) throw this.#stranger(request, given);
    const preview = request.headers[ROLE_PREVIEW];
    if (preview !== undefined && !caller.token && call.name !== LOG_OUT) return this.#asRole(caller, String(preview), call);
    const refused = refusalOf(this.#services, call, caller);
    if (refused) throw refused;
    const { token, store } = caller;
    if (token && !this.#counted.has(request)) {
      const { count, rate } = rateOf(this.#services.definitions, call);
      await this.#services.db.inStore(store.id, trx => takeRequest(trx, store.id, token.id, count, rate));
      this.#counted.add(request);
    }
    return caller;
  }

  /**
   * The person as people of a role see the admin: with that role's rights, and nothing can be changed. Only for owners and admins.
   */
  async #asRole(caller: Caller, roleId: string, call: Call): Promise<Caller> {
    if (caller.user.type === 'MEMBER') throw new Refusal(403, 'FORBIDDEN', t`Only the owner and admins can see the admin as another role.`);
    const shown = await this.#services.sessions.asRole(caller, roleId);
    if (!shown) throw new Refusal(404, 'ROLE_NOT_FOUND', t`The role whose view you look at is not there any more. Leave the preview.`);
    if (!isRead(call)) {
      const name = shown.session.rolePreview?.name ?? '';
      const message = t`You are looking at the admin as “${name}”. Leave the preview to change something.`;
      throw new Refusal(403, 'ROLE_PREVIEW', message);
    }
    const allowed = allowsCall(call, shown.session);
    if (!allowed.ok) throw new Refusal(403, allowed.code, allowed.message);
    return shown;
  }

  #stranger(request: IncomingMessage, given: string | undefined): Refusal {
    const wait = given ? this.#failedAttempts.note(networkOf(this.#services.clientAddress(request))) : 0;
    if (!wait) {
      const isProgram = request.headers['x-loop-token'] !== undefined || isApiToken(tokenOf(given ?? ''));
      return isProgram ? new Refusal(401, 'UNAUTHORIZED', t`Invalid token`) : unauthorized();
    }
    const message = t`Too many wrong sign-ins from this address. Wait a minute and try again.`;
    return new Refusal(429, 'TOO_MANY_REQUESTS', message, undefined, undefined, wait);
  }
}
