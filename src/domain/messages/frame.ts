// The HTML around every letter: one column of at most 600 pixels, tables and inline styles, as common mail clients draw them.
import { escapeHtml as escape } from './letter.ts';

const COLUMN = 'width:100%;max-width:600px;background-color:#ffffff';
const FONT = 'font-family:Helvetica,Arial,sans-serif';

/** A whole HTML document of a letter. `html` is what renderLetter gave; `storeName` stands above it. */
export const framed = ({ subject, html, storeName }: { subject: string; html: string; storeName: string }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(subject)}</title>
</head>
<body style="margin:0;padding:0;background-color:#f4f4f1">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f4f4f1">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="${COLUMN}">
<tr><td style="padding:24px 32px 0;${FONT};font-size:14px;line-height:20px;color:#5c5f58">${escape(storeName)}</td></tr>
<tr><td style="padding:12px 32px 16px;${FONT};font-size:16px;line-height:24px;color:#1d211b">
${html}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
