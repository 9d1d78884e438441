// Pictures that people upload: what mail clients and browsers draw, without metadata, never what was uploaded as it is.
import { Abandoned, Apart } from '../../platform/apart/apart.ts';
import { invalid, type Context } from '../../platform/context.ts';
import { later, t, translated } from '../../../domain/text/t.ts';
import type { DrawnPicture, PictureDone, PictureRefusal } from './picture-process.ts';

const MOST_BYTES = 2 * 1024 * 1024;

const apart = new Apart<string, PictureDone>(import.meta.url, 'picture-process', { timeoutMs: 10_000, waitingOfOne: 4, waiting: 32 });

const wrong = (message: string) => invalid([{ pointer: '/content', rule: 'image', message }]);
const REFUSALS: Readonly<Record<PictureRefusal, string>> = {
  KIND: later`Use a PNG, JPG, SVG, GIF or WebP image.`,
  PIXELS: later`Use an image of at most 40 megapixels.`,
  BROKEN: later`This image is broken. Save it again and upload the new file.`,
  LOADS: later`This SVG loads other files or declares entities. Save it as a plain SVG or as PNG and upload that.`,
  ELABORATE: later`This image takes too much work to draw. Save it as PNG and upload that.`,
};

/**
 * Redraws a picture in a process of its own, one at a time. Call it outside of transactions.
 * @throws Refusal 422 for what is too large, no picture, or too much work; 429 when too many wait
 */
export async function drawPicture(storeId: number, base64: string): Promise<DrawnPicture> {
  if (Buffer.byteLength(base64, 'base64') > MOST_BYTES) throw wrong(t`Use an image smaller than 2 MB`);
  const done = await apart.run(base64, storeId).catch((error: unknown): PictureDone => {
    if (error instanceof Abandoned) return { refused: 'ELABORATE' };
    throw error;
  });
  if ('refused' in done) throw wrong(translated(REFUSALS[done.refused]));
  return done;
}

/** Keeps a picture so that everybody may see it, and answers its address: the same picture has the same one. */
export async function keepPicture(context: Context, name: string, { content, sha256, ending, type }: DrawnPicture): Promise<string> {
  await context.trx
    .insertInto('files')
    .values({
      store_id: context.storeId,
      name: name.replace(/[\\/]/g, '_').slice(0, 255),
      content_type: type,
      size: content.length,
      sha256,
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
      is_public: true,
      created_by: context.user.email,
      created_at: context.now(),
    })
    .onConflict(conflict => conflict.columns(['store_id', 'sha256']).where('is_public', '=', true).doNothing())
    .execute();
  return `/media/${context.storeId}/${sha256}.${ending}`;
}
