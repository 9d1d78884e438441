// Pictures that people upload for e-mails: what mail clients draw, without metadata, never what was uploaded as it is.
import { createHash } from 'node:crypto';
import { invalid, type Context } from '../../platform/context.ts';
import { t } from '../../../domain/text/t.ts';

const MOST_BYTES = 2 * 1024 * 1024;
const MOST_PIXELS = 40_000_000;
/** No e-mail shows more; a logo is 300 wide, twice that on sharp screens. */
const LONGEST_SIDE = 1200;
/** The kinds that are read, as sharp names them. An SVG becomes a PNG: mail clients draw none, and it may hold scripts. */
const KINDS = ['png', 'jpeg', 'gif', 'svg', 'webp'];

const wrong = (message: string) => invalid([{ pointer: '/content', rule: 'image', message }]);

/**
 * Keeps a picture so that everybody may see it, and answers its address: the same picture has the same one.
 * @throws Refusal 422 for what is too large, or no picture
 */
export async function keepPicture(context: Context, name: string, base64: string): Promise<string> {
  const given = Buffer.from(base64, 'base64');
  if (given.length > MOST_BYTES) throw wrong(t`Use an image smaller than 2 MB`);
  const { content, ending, type } = await drawn(given);
  const sha256 = createHash('sha256').update(content).digest('hex');
  await context.trx
    .insertInto('files')
    .values({
      store_id: context.storeId,
      name: name.replace(/[\\/]/g, '_').slice(0, 255),
      content_type: type,
      size: content.length,
      sha256,
      content,
      is_public: true,
      created_by: context.user.email,
      created_at: context.now(),
    })
    .onConflict(conflict => conflict.columns(['store_id', 'sha256']).where('is_public', '=', true).doNothing())
    .execute();
  return `/media/${context.storeId}/${sha256}.${ending}`;
}

async function drawn(given: Buffer): Promise<{ content: Buffer; ending: 'png' | 'jpg' | 'gif'; type: string }> {
  // Loaded with the first picture: nothing else needs it.
  const { default: sharp } = await import('sharp');
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error' as const };
  const head =
    given.length === 0
      ? undefined
      : await sharp(given, options)
          .metadata()
          .catch(() => undefined);
  if (!head?.format || !KINDS.includes(head.format)) throw wrong(t`Use a PNG, JPG, SVG or GIF image.`);
  if (head.width * head.height > MOST_PIXELS) throw wrong(t`Use an image of at most 40 megapixels.`);
  const isGif = head.format === 'gif';
  const scaled = sharp(given, { ...options, animated: isGif })
    .rotate()
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true });
  try {
    if (isGif) return { content: await scaled.gif().toBuffer(), ending: 'gif', type: 'image/gif' };
    if (head.format === 'jpeg') return { content: await scaled.jpeg({ quality: 85 }).toBuffer(), ending: 'jpg', type: 'image/jpeg' };
    return { content: await scaled.png().toBuffer(), ending: 'png', type: 'image/png' };
  } catch {
    throw wrong(t`This image is broken. Save it anew and upload it again.`);
  }
}
