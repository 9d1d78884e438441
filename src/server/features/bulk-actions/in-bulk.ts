// A bulk action acts as the system.
import type { JsonObject } from '../../../contract/types.ts';
import { type EngineContext, mailsOf, type SubscriptionAction } from '../../engine/index.ts';

/** The engine's context for a bulk action: lines of the log name the system and the bulk id, e-mails leave only if they are wanted. */
export const inBulk = (context: EngineContext, action: SubscriptionAction, bulkId: number, input: JsonObject): EngineContext => ({
  ...context,
  source: 'System',
  userEmail: '',
  noteData: { bulkActionId: bulkId },
  mails: mailsOf(action, input),
});
