// Campaign parameters on the links of a letter, by which the store's analytics tell who came by e-mail.
import { escapeHtml } from './letter.ts';

export interface Utm {
  source: string;
  medium: string;
  campaign: string;
}

/** The address with the parameters that it does not have yet. */
export function tagged(address: string, utm: Utm): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  let isChanged = false;
  for (const [name, value] of Object.entries(utm) as [string, string][])
    if (value !== '' && !url.searchParams.has(`utm_${name}`)) {
      url.searchParams.append(`utm_${name}`, value);
      isChanged = true;
    }
  return isChanged ? url.href : address;
}

const unescape = (text: string): string => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** A letter whose links carry the parameters, in both parts. */
export const withUtm = <L extends { text: string; html: string }>(letter: L, utm: Utm): L =>
  Object.values(utm).every(value => value === '')
    ? letter
    : {
        ...letter,
        text: letter.text.replace(/^https?:\/\/\S+$/gm, address => tagged(address, utm)),
        html: letter.html.replace(/<a href="([^"]*)"/g, (_, address: string) => `<a href="${escapeHtml(tagged(unescape(address), utm))}"`),
      };
