// The verb of calls that act on a subscription.
import { handlerOfCall } from '../../engine/index.ts';

export const verbs = { act: handlerOfCall };
