// Single sign-on as its owner sets it up: the addresses that the service and the team get, and a look whether the service answers.
import type { JsonValue } from '../../../../contract/types.ts';
import { t } from '../../../../domain/text/t.ts';
import { ssoAddress } from '../../../platform/auth/login-links.ts';
import { Refusal, ownTransactions, type Context } from '../../../platform/context.ts';
import { backAddress, serviceOf } from '../single-sign-on/flow.ts';
import { discover, unreachable } from '../single-sign-on/sign-in-service.ts';

/** Where the service sends people back to, and where the team signs in. */
export const addresses = (context: Context): Promise<JsonValue> =>
  Promise.resolve({ redirect: backAddress(context), signIn: ssoAddress(context.config.publicUrl ?? context.address, context.storeId) });

/** Reads what the saved service says of itself. @throws Refusal 409 while single sign-on is off, 502 where it does not answer */
export const check = ownTransactions(async (context: Context): Promise<JsonValue> => {
  const found = await context.transaction(serviceOf);
  if (!found) throw new Refusal(409, 'INVALID_STATE', t`Save the sign-in service first.`);
  try {
    await discover(context, found.service);
  } catch (error) {
    const refusal = unreachable(new URL(found.service.issuer).host);
    throw new Refusal(refusal.status, refusal.code, `${refusal.message} ${error instanceof Error ? error.message : ''}`.trim());
  }
  return { isReached: true };
});
