// What follows the onboarding form: the session is read again, now with the form filled in, and the dashboard shows.
import { report } from './report.ts';
import { currentSession, setSession } from './session.tsx';
import { loadSession } from './start-up.ts';

const FILE = 'onboarding.ts';

/** What went wrong is only logged: the person is told nothing (S299, S300). */
export function logFailure(error: unknown, source: string): void {
  // oxlint-disable-next-line no-console -- the one place where a failure is only logged
  console.warn(`${source}:`, error);
  report(error, { source, file: FILE });
}

/**
 * The completion callback of the onboarding form (S191): the session as it is from now on. If it can't be read, that is only logged (S300)
 * and the session at hand goes on, with what is known of it: the form is saved.
 * @param show leads to the dashboard; it runs before the frame is drawn, so that no other page shows in between (S192)
 */
export async function completeOnboarding(show: () => Promise<void> | void): Promise<void> {
  const before = currentSession();
  const next = await loadSession().catch((error: unknown) => {
    logFailure(error, 'completeOnboarding');
    return before && { ...before, store: { ...before.store, isOnboardingFormComplete: true } };
  });
  await show();
  if (next) setSession({ ...next, store: { ...next.store, isOnboardingFormComplete: true } });
}
