// The system runs of subscriptions and customers, by their kind.
export { SYSTEM_ACTIONS as runs } from './updates/system-updates.ts';
