// What of a sent e-mail is shown to whom.

const INSTEAD = '(the link of this e-mail is only for whom it was sent to)';

/** A text part without the addresses in it. */
export const withoutLinks = (text: string): string => text.replace(/https?:\/\/\S+/g, INSTEAD);

/** The HTML of a letter whose links lead nowhere. */
export const withoutTargets = (html: string): string =>
  html.replace(/<a href="[^"]*"/g, '<a href="#"').replace(/https?:\/\/[^\s<"]+/g, INSTEAD);
