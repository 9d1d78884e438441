// The frame in which the JavaScript of a box runs on a page of any shop (src/storefront/code-frame.ts).
import type { PublicPage } from '../../../platform/http/public-pages.ts';

export const codeFrame: PublicPage = {
  path: '/storefront/code',
  secret: null,
  async get() {
    return { frame: '/storefront/code.js', runsCode: true };
  },
};
