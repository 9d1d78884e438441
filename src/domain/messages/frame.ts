// The HTML around every letter: one column of at most 600 pixels, tables and inline styles, as common mail clients draw them.
import { languageAttributes } from '../text/direction.ts';
import { BUTTON, LINK, RULE, escapeHtml as escape } from './letter.ts';

/** How the e-mails of a store look (/settings/notifications/branding). */
export interface Brand {
  /** Absolute address of a picture; empty: the name of the store stands there. */
  logoUrl: string;
  /** In pixels. */
  logoWidth: number;
  /** Colours as #rrggbb. */
  primaryColor: string;
  buttonTextColor: string;
  backgroundColor: string;
  fontFamily: keyof typeof FONTS;
  footerText: string;
  socialLinks: readonly { network: keyof typeof NETWORKS; url: string }[];
  /** Where pictures of our own are found ("/media/…"); empty: nowhere. */
  base: string;
}

/** Fonts that every device has. */
export const FONTS = {
  HELVETICA: 'Helvetica,Arial,sans-serif',
  VERDANA: 'Verdana,Geneva,sans-serif',
  TREBUCHET: "'Trebuchet MS',Helvetica,sans-serif",
  GEORGIA: "Georgia,'Times New Roman',serif",
  TIMES: "'Times New Roman',Times,serif",
  COURIER: "'Courier New',Courier,monospace",
} as const;
export const NETWORKS = {
  INSTAGRAM: 'Instagram',
  FACEBOOK: 'Facebook',
  TIKTOK: 'TikTok',
  YOUTUBE: 'YouTube',
  X: 'X',
  PINTEREST: 'Pinterest',
  LINKEDIN: 'LinkedIn',
  WEBSITE: 'Website',
} as const;

export const PLAIN: Brand = {
  logoUrl: '',
  logoWidth: 140,
  primaryColor: '#1f5132',
  buttonTextColor: '#ffffff',
  backgroundColor: '#f4f4f1',
  fontFamily: 'HELVETICA',
  footerText: '',
  socialLinks: [],
  base: '',
};

/** What is drawn behind and in the letter; dark: as clients that turn mail dark show it. */
const SCHEMES = {
  light: { page: '#ffffff', text: '#1d211b', soft: '#5c5f58', rule: '#e4e5e0' },
  dark: { page: '#1f221e', text: '#ecece8', soft: '#b4b7af', rule: '#3a3d38' },
};
export type Scheme = keyof typeof SCHEMES;

/** The colour with so much white in it that it can be read on the dark page. */
function onDark(colour: string): string {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour)?.slice(1) ?? [];
  return `#${parts.map(part => Math.round(parseInt(part, 16) * 0.4 + 153).toString(16)).join('')}`;
}

const COLUMN = 'width:100%;max-width:600px';
const PICTURE = 'border:0;height:auto;max-width:100%';

export interface Framing {
  subject: string;
  /** What renderLetter gave. */
  html: string;
  /** The language of its words: "de". */
  language: string;
  storeName: string;
  brand?: Brand;
  scheme?: Scheme;
  /** Address of a picture of one pixel, by which the store sees that the letter was opened. */
  pixel?: string;
  /** Of letters about subscriptions: the way to the customer's own pages. */
  account?: { href: string; words: string };
  /** Of advertising: the link that ends it. */
  unsubscribe?: { href: string; words: string };
}

/** A whole HTML document of a letter. */
export function framed({
  subject,
  html,
  language,
  storeName,
  brand = PLAIN,
  scheme = 'light',
  pixel,
  account,
  unsubscribe,
}: Framing): string {
  const { page, text, soft, rule } = SCHEMES[scheme];
  const isDark = scheme === 'dark';
  const back = isDark ? '#121411' : brand.backgroundColor;
  const link = isDark ? onDark(brand.primaryColor) : brand.primaryColor;
  const font = `font-family:${FONTS[brand.fontFamily]}`;
  const body = html
    .replaceAll('<img src="/', `<img src="${escape(brand.base)}/`)
    .replaceAll(`style="${RULE}`, `style="${RULE.replace(/#\w+/, rule)}`)
    .replaceAll(`style="${LINK}`, `style="${LINK.replace(PLAIN.primaryColor, link)}`)
    .replaceAll(
      `style="${BUTTON}`,
      `style="${BUTTON.replace(PLAIN.primaryColor, brand.primaryColor).replace(PLAIN.buttonTextColor, brand.buttonTextColor)}`,
    );
  const heading = 'margin:0;font-size:24px;line-height:32px;font-weight:bold';
  const column = `${COLUMN};background-color:${page};border-radius:12px`;
  const head = brand.logoUrl
    ? `<img src="${escape(brand.logoUrl)}" width="${brand.logoWidth}" alt="${escape(storeName)}" style="${PICTURE}">`
    : escape(storeName);
  return `<!doctype html>
<html ${languageAttributes(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(subject)}</title>
</head>
<body ${languageAttributes(language)} style="margin:0;padding:0;background-color:${back}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${back}">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="${column}">
<tr><td style="padding:32px 32px 0;${font};font-size:14px;line-height:20px;color:${soft}">${head}</td></tr>
<tr><td style="padding:24px 32px 0;${font};color:${text}"><h1 style="${heading}">${escape(subject)}</h1></td></tr>
<tr><td style="padding:16px 32px 16px;${font};font-size:16px;line-height:24px;color:${text}">
${body}
</td></tr>
${foot({ brand, ways: [account, unsubscribe] }, `padding:0 32px 32px;${font};font-size:13px;line-height:20px;color:${soft}`, link)}</table>
${pixel ? `<img src="${escape(pixel)}" width="1" height="1" alt="" style="border:0">` : ''}</td></tr>
</table>
</body>
</html>
`;
}

/** Below the letter: the store's own lines, where else it is found, the way to the customer's pages, and the end of such letters. */
function foot(
  { brand: { footerText, socialLinks }, ways }: { brand: Brand; ways: readonly Framing['unsubscribe'][] },
  style: string,
  colour: string,
): string {
  const link = (href: string, words: string): string => `<a href="${escape(href)}" style="color:${colour}">${escape(words)}</a>`;
  const links = socialLinks.map(({ network, url }) => link(url, NETWORKS[network])).join(' &#183; ');
  const lines = [
    footerText.trim().split('\n').map(escape).join('<br>'),
    links,
    ...ways.map(way => way && link(way.href, way.words)),
  ].filter(Boolean);
  return lines.length ? `<tr><td style="${style}">${lines.join('<br>')}</td></tr>\n` : '';
}
