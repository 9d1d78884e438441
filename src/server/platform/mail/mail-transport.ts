// Who carries mail away: an SMTP server, or nobody (the outbox is where it is read).
import { createTransport } from 'nodemailer';

/** What a letter is signed with; the private key as PEM. */
export interface Signature {
  domainName: string;
  keySelector: string;
  privateKey: string;
}
export interface Letter {
  recipient: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** Another sender than the shared one: a name, an address on an own domain, or both. */
  from?: { name?: string; address?: string };
  replyTo?: string;
  /** Hidden copies. */
  bcc?: readonly string[];
  /** What it is signed with (DKIM), where it comes from an own domain. */
  signature?: Signature;
}

/** The port to mail. `carry` resolves when the message was taken over, rejects to be tried again, or with PermanentFailure never. */
export interface MailTransport {
  carry(letter: Letter): Promise<void>;
  close(): void;
}
/** The mail server said that it will never take this message (5xx). */
export class PermanentFailure extends Error {}

/** Mail stays in the outbox and counts as delivered: development, demos, tests. */
export const outboxOnly: MailTransport = { carry: async () => undefined, close: () => undefined };

/** "Perennial <no-reply@perennial.example>" -> its name and address. */
export function senderOf(from: string): { name: string; address: string } {
  const at = from.lastIndexOf('<');
  return at < 0
    ? { name: '', address: from.trim() }
    : {
        name: from.slice(0, at).trim(),
        address: from
          .slice(at + 1)
          .replace('>', '')
          .trim(),
      };
}

/** An SMTP server, e.g. smtps://user:password@mail.example.com:465. */
export function smtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport(url, { from });
  const shared = senderOf(from);
  return {
    async carry({ recipient, subject, text, html, messageId, from: own, replyTo, bcc, signature }) {
      try {
        await transport.sendMail({
          to: { name: '', address: recipient },
          ...(own ? { from: { ...shared, ...own } } : {}),
          ...(replyTo ? { replyTo } : {}),
          ...(bcc?.length ? { bcc: bcc.map(address => ({ name: '', address })) } : {}),
          // Mail servers check our right to send (SPF) at the domain of this address, which is ours whatever the letter comes from; and
          // undeliverable mail comes back to it.
          envelope: { from: shared.address, to: [recipient, ...(bcc ?? [])] },
          ...(signature ? { dkim: signature } : {}),
          subject,
          text,
          ...(html ? { html } : {}),
          messageId: `<${messageId}@${from.replace(/^.*@|>$/g, '')}>`,
        });
      } catch (error) {
        const code = (error as { responseCode?: number }).responseCode;
        if (code !== undefined && code >= 500)
          throw new PermanentFailure(`The mail server refused the message (${code}).`, { cause: error });
        throw new Error(code ? `The mail server answered ${code}.` : "The mail server can't be reached.", { cause: error });
      }
    },
    close: () => transport.close(),
  };
}
