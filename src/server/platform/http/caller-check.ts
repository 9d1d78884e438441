// Who is calling, and whether they may: asked before anything of a body is read for them.
import type { IncomingMessage } from 'node:http';
import { allowsCall } from '../../../contract/access.ts';
import type { Call } from '../../../contract/types.ts';
import type { Caller } from '../auth/sessions.ts';
import { tokenOf } from '../auth/tokens.ts';
import { Refusal } from '../context.ts';
import type { Services } from '../services.ts';
import { networkOf } from './client-address.ts';
import { unauthorized } from './error-responses.ts';
import { FailedAttempts } from './request-guards.ts';

/** A token that is wrong more often than this within a minute makes its address wait. */
const WRONG_TOKENS = 20;

export class CallerCheck {
  readonly #services: Pick<Services, 'sessions' | 'clientAddress'>;
  readonly #failedAttempts = new FailedAttempts(WRONG_TOKENS);

  constructor(services: Pick<Services, 'sessions' | 'clientAddress'>) {
    this.#services = services;
  }

  /** The person behind a request, who may make the call. @throws Refusal 401, 429 after many wrong tokens, 403 */
  async of(request: IncomingMessage, call: Call): Promise<Caller> {
    const { authorization } = request.headers;
    const caller = authorization ? await this.#services.sessions.caller(tokenOf(authorization)) : undefined;
    if (!caller) throw this.#stranger(request, authorization);
    const allowed = allowsCall(call, caller.session);
    if (!allowed.ok) throw new Refusal(403, allowed.code, allowed.message);
    return caller;
  }

  #stranger(request: IncomingMessage, authorization: string | undefined): Refusal {
    const wait = authorization ? this.#failedAttempts.note(networkOf(this.#services.clientAddress(request))) : 0;
    if (!wait) return unauthorized();
    const message = 'Too many wrong sign-ins from this address. Wait a minute and try again.';
    return new Refusal(429, 'TOO_MANY_REQUESTS', message, undefined, undefined, wait);
  }
}
