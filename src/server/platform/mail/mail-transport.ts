// Who carries mail away: an SMTP server, or none (mail is read in the outbox then).
import { createTransport } from 'nodemailer';
import type { Attachment } from './attachments.ts';
import { severityOf, textIn, type Verdict } from '../../../domain/messages/mail-report.ts';

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
  /** Where it comes back to if it can't be delivered (the sender of the envelope); absent: to the shared sender. */
  returnPath?: string;
  /** Of letters that their reader can end: where that is done with one press (RFC 8058), and by everybody else on a page. */
  unsubscribe?: string;
  /** What it is signed with (DKIM), where it comes from an own domain. */
  signature?: Signature;
  attachments?: readonly Attachment[];
}

/** As the library takes them: pictures of the letter stand in it, files beside it. */
const attachedTo = (attachments: readonly Attachment[]) =>
  attachments.map(({ name, contentType, cid, content }) => ({
    filename: name,
    contentType,
    content: Buffer.from(content),
    ...(cid === undefined ? {} : { cid, contentDisposition: 'inline' as const }),
  }));

/**
 * The port to mail. `carry` resolves when the message was taken over, rejects to be tried again, with ServerAway for all that waits, or
 * with PermanentFailure never.
 */
export interface MailTransport {
  carry(letter: Letter): Promise<void>;
  close(): void;
}
/** The mail server said that it will never take this message (5xx). */
export class PermanentFailure extends Error {
  /** What that says about the recipient's address, where it was the address that was refused. */
  readonly refused: Pick<Verdict, 'returned' | 'detail'> | undefined;
  constructor(message: string, refused?: Pick<Verdict, 'returned' | 'detail'>, options?: ErrorOptions) {
    super(message, options);
    this.refused = refused;
  }
}

/** No line to the mail server, or it does not let us in: it says nothing about the letter. For the log: which server, and why. */
export class ServerAway extends Error {
  readonly server: string;
  readonly code: string;
  constructor(message: string, at: { server: string; code: string }, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServerAway';
    this.server = at.server;
    this.code = at.code;
  }
}

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

/** What nodemailer tells of a refusal. */
interface SmtpError {
  /** Its own: EAUTH, EDNS, ETIMEDOUT, ESOCKET. */
  code?: string;
  message?: string;
  /** Of a socket: what the system was to do, and the code of its answer (ECONNREFUSED). */
  syscall?: string;
  errno?: string | number;
  responseCode?: number;
  response?: string;
  /** The command that was refused: "RCPT TO". */
  command?: string;
  /** Of an error about one recipient among several. */
  recipient?: string;
}
/** Why the server is away: what the system or the server said; undefined where it is there. */
function awayBy({ code, message = '', syscall, responseCode }: SmtpError): string | undefined {
  if (code === 'EAUTH') return `EAUTH${responseCode ? ` ${responseCode}` : ''}`;
  const isBefore = code === 'EDNS' || syscall === 'connect' || /^(Connection timeout|Greeting never received)/.test(message);
  return isBefore ? (/\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? code ?? 'UNKNOWN') : undefined;
}

/** A refusal, as the outbox takes it. */
function failureOf(error: unknown, server: string): Error {
  const { responseCode: code, response = '', command, recipient } = error as SmtpError;
  const away = awayBy(error as SmtpError);
  if (away !== undefined) {
    const message = away.startsWith('EAUTH')
      ? 'The mail server refuses user or password of SMTP_URL.'
      : "The mail server can't be reached.";
    return new ServerAway(message, { server, code: away }, { cause: error });
  }
  if (code === undefined || code < 500)
    return new Error(code ? `The mail server answered ${code}.` : "The mail server can't be reached.", { cause: error });
  const isOfAddress = recipient !== undefined || command === 'RCPT TO';
  const refused = isOfAddress ? { returned: severityOf('', response), detail: textIn(response) } : undefined;
  return new PermanentFailure(`The mail server refused the message (${code}).`, refused, { cause: error });
}

/** RFC 8058 wants both signed. */
const SIGNED =
  'From:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post';
const unsubscribeHeaders = (href: string): Record<string, string> => ({
  'List-Unsubscribe': `<${href}>`,
  // By a press in the mail program alone; RFC 8058 wants a secure address for it.
  ...(href.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
});

/** An SMTP server, e.g. smtps://user:password@mail.example.com:465. */
export function smtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport(url, { from });
  const shared = senderOf(from);
  const server = new URL(url).host;
  return {
    async carry({ recipient, subject, text, html, messageId, attachments = [], from: own, ...letter }) {
      const { replyTo, bcc, signature, returnPath, unsubscribe } = letter;
      try {
        const { rejectedErrors = [] } = await transport.sendMail({
          to: { name: '', address: recipient },
          ...(own ? { from: { ...shared, ...own } } : {}),
          ...(replyTo ? { replyTo } : {}),
          ...(bcc?.length ? { bcc: bcc.map(address => ({ name: '', address })) } : {}),
          // Mail servers check our right to send (SPF) at the domain of this address, which is ours whatever the letter comes from; and
          // undeliverable mail comes back to it.
          envelope: { from: returnPath ?? shared.address, to: [recipient, ...(bcc ?? [])] },
          ...(signature ? { dkim: { ...signature, headerFieldNames: SIGNED } } : {}),
          ...(unsubscribe ? { headers: unsubscribeHeaders(unsubscribe) } : {}),
          subject,
          text,
          ...(html ? { html } : {}),
          ...(attachments.length ? { attachments: attachedTo(attachments) } : {}),
          messageId: `<${messageId}@${from.replace(/^.*@|>$/g, '')}>`,
        });
        // Where a hidden copy was taken, the refusal of the recipient is no error yet.
        const refused = rejectedErrors.find(error => (error as SmtpError).recipient === recipient);
        if (refused) throw refused;
      } catch (error) {
        throw failureOf(error, server);
      }
    },
    close: () => transport.close(),
  };
}
