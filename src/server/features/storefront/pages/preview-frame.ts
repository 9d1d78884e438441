// The frame in which the admin shows elements of shops' pages: the page around it says what to draw (src/storefront/preview.ts).
import type { PublicPage } from '../../../platform/http/public-pages.ts';

export const previewFrame: PublicPage = {
  path: '/storefront/frame',
  secret: null,
  async get() {
    return { frame: '/storefront/preview.js' };
  },
};
