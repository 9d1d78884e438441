// What mail servers report about an e-mail that was sent: that it could not be delivered (RFC 3464), or that its reader called it spam
// (RFC 5965). What the codes mean is RFC 3463.

/** HARD: no e-mail will ever reach the address. SOFT: this one did not. COMPLAINT: its reader reported it as spam. */
export type Returned = 'HARD' | 'SOFT' | 'COMPLAINT';

/** A report as a reader of MIME gives it. */
export interface Report {
  /** Its own headers, names in small letters. */
  headers: readonly { key: string; value: string }[];
  /** Its parts besides those for people, by their type in small letters. */
  parts: readonly { type: string; text: string }[];
}
/** What a report says about one recipient. */
export interface Verdict {
  returned: Returned;
  /** Addresses of the recipient in small letters, as the sender and the last server wrote them; empty where the report hides them. */
  recipients: readonly string[];
  /** What the other mail server wrote, in one line of at most 300 characters. */
  detail: string;
}

type Fields = ReadonlyMap<string, string>;

function fieldOf(line: string): [string, string][] {
  const [, name, value = ''] = /^([\w-]+)[ \t]*:(.*)$/.exec(line) ?? [];
  return name === undefined ? [] : [[name.toLowerCase(), value.trim()]];
}
/** Groups of "Name: value" with an empty line between them; a line that begins with a space goes on with the one above. */
function groupsOf(text: string): Fields[] {
  const groups = [new Map<string, string>()];
  for (const line of text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+(?=\S)/g, ' ')
    .split('\n'))
    if (line.trim() === '') groups.push(new Map());
    else for (const [name, value] of fieldOf(line)) groups.at(-1)?.set(name, value);
  return groups.filter(fields => fields.size > 0);
}

/** "rfc822; <Ana@Example.com>" -> "ana@example.com" */
const addressIn = (value = ''): string[] => {
  const found = value.split(/[\s;<>,"]/).find(part => part.indexOf('@') > 0 && !part.endsWith('@'));
  return found === undefined ? [] : [found.toLowerCase()];
};
/** What a server wrote, in one line. */
export const textIn = (value = ''): string =>
  value
    .replace(/^[\w-]+\s*;\s*/, '')
    .replace(/\s+/g, ' ')
    .slice(0, 300);

const CODE = /\b([45])\.(\d{1,3})\.(\d{1,3})\b/;
/**
 * Codes that speak of the address itself: there is none (also of its domain), or its mailbox is closed. All else (full, too large, refused
 * for what it says or who sends it) may be over with the next e-mail.
 */
const OF_ADDRESS = /^5\.(?:1\.(?:[0-6]|10)|2\.1|4\.4)$/;
/**
 * Answers of SMTP itself that speak of the mailbox, where a server names no more exact code. Relays refuse what they may not pass on, or
 * take for spam, with the same numbers.
 */
const MAILBOX_CODE = /\b(?:550|551|553)\b/;
const OF_MAILBOX = /\b(?:users?|mailbox|recipient|address(?:es)?|account|unrouteable)\b/i;
const OF_SENDER = /\b(?:relay\w*|spam|policy|blocked|blacklist\w*|blocklist\w*|reputation|sender)\b/i;

function speaksOfMailbox(answer: string): boolean {
  const code = MAILBOX_CODE.exec(answer);
  return code !== null && OF_MAILBOX.test(answer.slice(code.index + code[0].length));
}

/** What a refusal says about the address: by its code (RFC 3463), else by the words of the server. */
export function severityOf(status: string, answer: string): 'HARD' | 'SOFT' {
  const own = CODE.exec(status)?.[0];
  const more = CODE.exec(answer)?.[0];
  const code = own === undefined || own.endsWith('.0.0') ? (more ?? own) : own;
  if (code === undefined || code === '5.0.0') return speaksOfMailbox(answer) && !OF_SENDER.test(answer) ? 'HARD' : 'SOFT';
  return OF_ADDRESS.test(code) ? 'HARD' : 'SOFT';
}

function ofDelivery(text: string): Verdict[] {
  return groupsOf(text).flatMap(fields => {
    if (!/^failed\b/i.test(fields.get('action') ?? '')) return [];
    const [status = '', diagnostic = ''] = [fields.get('status'), fields.get('diagnostic-code')];
    return {
      returned: severityOf(status, diagnostic),
      recipients: [...new Set([...addressIn(fields.get('original-recipient')), ...addressIn(fields.get('final-recipient'))])],
      detail: textIn(diagnostic) || status,
    };
  });
}

/** Kinds of feedback by which a reader says that they do not want such e-mails; the others tell of viruses, or that it was no spam. */
const UNWANTED = /^(?:abuse|fraud)$/i;
function ofFeedback(text: string): Verdict[] {
  const [fields] = groupsOf(text);
  const kind = fields?.get('feedback-type') ?? '';
  return UNWANTED.test(kind)
    ? [{ returned: 'COMPLAINT', recipients: addressIn(fields?.get('original-rcpt-to')), detail: textIn(fields?.get('user-agent')) }]
    : [];
}

/** What a report says, by recipient; empty for what is no report, and for one of a delay or of success. */
export const verdictsOf = ({ parts }: Report): Verdict[] =>
  parts.flatMap(({ type, text }) =>
    /^message\/(?:global-)?delivery-status$/.test(type) ? ofDelivery(text) : type === 'message/feedback-report' ? ofFeedback(text) : [],
  );

/** Headers that name the address a report was sent to. */
const TO = ['x-original-to', 'delivered-to', 'envelope-to', 'x-envelope-to', 'to'];
/** Headers of the e-mail that came back by which its sender knows it. */
const OWN = ['return-path', 'message-id'];

/**
 * Where a report may name the e-mail that it is about, the surest first: the address that the mail server has for it (`to`), the
 * report's own headers, and the e-mail that came back with it.
 */
export function traces({ headers, parts }: Report, to = ''): string[] {
  const own = TO.flatMap(name => headers.filter(({ key }) => key === name).map(({ value }) => value));
  const returned = parts.flatMap(({ type, text }) => {
    if (type === 'message/feedback-report') return groupsOf(text)[0]?.get('original-mail-from') ?? [];
    if (!/^(?:message\/(?:rfc822|global)|(?:text|message)\/(?:rfc822|global)-headers)$/.test(type)) return [];
    const fields = groupsOf(text.trimStart())[0];
    return OWN.flatMap(name => fields?.get(name) ?? []);
  });
  return [to, ...own, ...returned].filter(Boolean);
}
