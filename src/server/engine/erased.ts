// What stands in the place of a person who was erased. The address is of a domain that can't exist (RFC 2606): nothing is ever sent to it.
import { invalidState, type Refusal } from '../platform/context.ts';
import { later, translated } from '../../domain/text/t.ts';

/** What a customer, and their subscriptions, are called from then on. */
export const ERASED_NAME = 'Erased customer';
const DOMAIN = '@erased.invalid';

/** The address in place of the one that a customer had. */
export const erasedEmail = (customerId: number): string => `customer-${customerId}${DOMAIN}`;
/** Whether an address is that of an erased customer. */
export const isErased = (email: string): boolean => email.endsWith(DOMAIN);

export const ERASED = later`This customer was erased. What is left of them can only be looked at.`;
/** @returns the refusal of whatever would change an erased customer or their subscriptions */
export const refuseErased = (): Refusal => invalidState(translated(ERASED));
