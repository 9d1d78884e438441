// Bundles the storefront's script (src/storefront): files that pages of shops load, at addresses that stay.
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Name below `/storefront/` -> where it begins. Parts are loaded by the script. */
const FILES = {
  'v1.js': 'main.ts',
  'snippet.js': 'snippet.ts',
  'gift.js': 'parts/gift-part.ts',
  'banner.js': 'parts/banner-part.ts',
  'box.js': 'parts/box-part.ts',
  'preview.js': 'preview.ts',
  'code.js': 'code-frame.ts',
} as const;
export type StorefrontFile = keyof typeof FILES;
export const STOREFRONT_FILES = Object.keys(FILES) as StorefrontFile[];

/** The text of a file. Each stands alone: parts are modules, the others classic scripts. */
export async function storefrontFile(root: string, name: StorefrontFile): Promise<string> {
  const bundle = await rolldown({ cwd: root, platform: 'browser', input: join(root, 'src/storefront', FILES[name]) });
  const isPart = FILES[name].startsWith('parts/');
  try {
    const { output } = await bundle.generate({ format: isPart ? 'esm' : 'iife', minify: true });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
