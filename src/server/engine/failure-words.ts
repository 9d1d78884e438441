// Why a payment failed, in words for customers.
import { failureCategory, type FailureKey } from '../../domain/recovery/failure-codes.ts';
import type { Speech } from '../platform/mail/speech.ts';

/** "card_declined" -> "failureCardDeclined", the text of schemas/texts/emails.json. */
export const failureText = (key: string): string => `failure_${key}`.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The explanation in the language of a message; in that of the product where it has no text of its own. */
export const whyFailed = (say: Speech, key: FailureKey): string => say.phrase(failureText(key)) ?? failureCategory(key).customerText;
