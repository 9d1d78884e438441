// What follows the onboarding form: the session is read again, now with the form filled in.
import type { Session } from '../../../contract/types.ts';
import { report } from '../../platform/transport/error-report.ts';
import { loadSession } from '../../platform/start/start-up.ts';

/** What went wrong is only logged: the person sees nothing of it (S299, S300). */
export function logFailure(error: unknown, source: string): void {
  console.warn(`${source}:`, error);
  report(error, { source, file: 'onboarding.ts' });
}

/**
 * The completion callback of the onboarding form (S191): gives the session as it is from now on. If it can't be read, that is only logged
 * (S300) and the present session goes on, with what is known of it: the form is saved.
 */
export async function completeOnboarding(before: Session): Promise<Session> {
  const next = await loadSession().catch((error: unknown) => {
    logFailure(error, 'completeOnboarding');
    return before;
  });
  return { ...next, store: { ...next.store, isOnboardingFormComplete: true } };
}
