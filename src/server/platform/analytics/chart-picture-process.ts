// The process in which charts of letters become pictures that mail programs show: those draw no SVG, but all of them PNG.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveApart } from '../apart/serve-apart.ts';

// A machine may have no fonts at all, and then draws boxes.
process.env.FONTCONFIG_FILE = join(dirname(fileURLToPath(import.meta.url)), 'fonts/fonts.conf');

serveApart(async (svg: string): Promise<Uint8Array> => {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  return sharp(Buffer.from(svg)).png({ palette: true, compressionLevel: 9 }).toBuffer();
});
