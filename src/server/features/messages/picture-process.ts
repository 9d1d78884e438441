// The process in which uploaded pictures are read and drawn.
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { serveApart } from '../../platform/apart/serve-apart.ts';
import { LONGEST_SIDE, svgRefusal, type SvgRefusal } from './svg.ts';

// One picture has one core, so that the others answer requests meanwhile.
sharp.concurrency(1);

const MOST_PIXELS = 40_000_000;

export interface DrawnPicture {
  content: Uint8Array;
  /** Of the content, in hexadecimal digits. */
  sha256: string;
  ending: 'png' | 'jpg' | 'gif';
  type: string;
}
export type PictureRefusal = SvgRefusal | 'KIND' | 'PIXELS';
export type PictureDone = DrawnPicture | { refused: PictureRefusal };

const FORMATS: readonly (readonly [format: string, start: RegExp])[] = [
  ['png', /^\x89PNG\r\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['webp', /^RIFF[^]{4}WEBP/],
  ['svg', /^(?:\xef\xbb\xbf)?\s*<[^]*?<?svg[\s>]/],
];

/** By what the file begins with: no other reader gets to see it. */
const formatOf = (given: Buffer): string | undefined =>
  FORMATS.find(([, start]) => start.test(given.subarray(0, 4096).toString('latin1')))?.[0];

const drawn = (content: Buffer, ending: DrawnPicture['ending'], type: string): DrawnPicture => ({
  content,
  sha256: createHash('sha256').update(content).digest('hex'),
  ending,
  type,
});

/** Redraws a picture: without metadata, no larger than is shown, never what was uploaded as it is. */
async function draw(base64: string): Promise<PictureDone> {
  const given = Buffer.from(base64, 'base64');
  const format = formatOf(given);
  if (!format) return { refused: 'KIND' };
  if (format === 'svg') {
    const refused = svgRefusal(given.toString('utf8'));
    if (refused) return { refused };
  }
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error' as const };
  // How large an SVG says it is costs nothing: it is drawn smaller.
  const isSvg = format === 'svg';
  const head = await sharp(given, isSvg ? { ...options, limitInputPixels: false } : options)
    .metadata()
    .catch(() => undefined);
  if (!head || head.format !== format) return { refused: 'BROKEN' };
  const { width, height, density = 72, pages = 1 } = head;
  if (!isSvg && width * height * pages > MOST_PIXELS) return { refused: 'PIXELS' };
  const isGif = format === 'gif';
  // An SVG is drawn in the size in which it is kept, not in a larger one that is made smaller then.
  const scale = isSvg ? Math.min(1, LONGEST_SIDE / Math.max(width, height)) : 1;
  const scaled = sharp(given, { ...options, animated: isGif, ...(scale < 1 ? { density: Math.max(1, density * scale) } : {}) })
    .rotate()
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true });
  try {
    if (isGif) return drawn(await scaled.gif().toBuffer(), 'gif', 'image/gif');
    if (format === 'jpeg') return drawn(await scaled.jpeg({ quality: 85 }).toBuffer(), 'jpg', 'image/jpeg');
    return drawn(await scaled.png().toBuffer(), 'png', 'image/png');
  } catch {
    return { refused: 'BROKEN' };
  }
}

serveApart(draw);
