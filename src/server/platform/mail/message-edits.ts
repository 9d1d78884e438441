// What a store changes about its messages: switched off, or words of its own. Kept in the settings document "messages", by key.
import type { JsonObject, MessageKind } from '../../../contract/types.ts';
import { renderLetter, type Letter } from '../../../domain/messages/letter.ts';

/** The settings document that holds them; every version of it stays in its history. */
export const MESSAGES = 'messages';

/** The entity whose texts the words of e-mails are in other languages, by their keys. */
export const TEMPLATE = 'email-template';

/** One message of a store. What is left out is as its file says. */
export type MessageEdit = {
  isOff?: boolean;
  /** Liquid, as in the file. */
  subject?: string;
  /** Liquid; an empty line between paragraphs. */
  body?: string;
  version: number;
  /** ISO instant of the store's clock. */
  updatedAt: string;
  updatedBy: string;
};
export type MessageEdits = Readonly<Record<string, MessageEdit>>;

/** The edits in a settings document. */
export const editsOf = (document: JsonObject): MessageEdits => document as MessageEdits;

/** Whether a store does not want this message; one that is sent on request can't be switched off. */
export const isSwitchedOff = ({ always }: Pick<MessageKind, 'always'>, edit: MessageEdit | undefined): boolean =>
  !always && edit?.isOff === true;

/** The paragraphs of a body as one text, as people edit it. */
export const bodyText = ({ body }: Pick<MessageKind, 'body'>): string => body.join('\n\n');

/** A message in the words of the store. */
export const withEdit = (message: MessageKind, edit: MessageEdit | undefined): MessageKind => ({
  ...message,
  subject: edit?.subject ?? message.subject,
  body: edit?.body === undefined ? message.body : [edit.body],
});

/**
 * The letter in the words of the store. Words of its own that can't be filled in (work beyond the limits, a value that is not there this
 * time) give way to those of the file: the customer gets the e-mail in any case. `primary` is the language that the store writes its own
 * words in.
 */
export function letterOf(message: MessageKind, edit: MessageEdit | undefined, values: object, primary?: string): Letter {
  if (edit?.subject === undefined && edit?.body === undefined) return renderLetter(message, values);
  try {
    return renderLetter(withEdit(message, edit), values, edit.body === undefined ? undefined : primary);
  } catch {
    return renderLetter(message, values);
  }
}
