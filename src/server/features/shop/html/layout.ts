// The frame of every page of the shop: the store's name, the way to the cart, languages, and what kind of shop it is.
import { takesCardsBy } from '../../../platform/gateway/gateway.ts';
import { t } from '../../../../domain/text/t.ts';
import { escapeHtml, type OwnCookie, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { signInPath } from '../../../platform/mail/account-link.ts';
import { piecesIn, readCart, type CartData } from '../cart.ts';
import type { Shop } from '../shop.ts';
import { stylePath } from '../style.ts';
import { scriptOf } from './widget-place.ts';

export const e = escapeHtml;
export const href = (address: string): string => ` href="${e(address)}"`;
/** What happened, above the page. */
export const notice = (text: string | undefined): string => (text ? `<p class="said" role="status">${e(text)}</p>` : '');
export const hidden = (name: string, value: string | number): string => `<input type="hidden" name="${name}" value="${e(String(value))}">`;
/** A picture, or the space of one. */
export const picture = (image: string | null, kind: string, alt = ''): string =>
  image ? `<img class="${kind}" src="${e(image)}" alt="${e(alt)}">` : `<span class="${kind} blank" aria-hidden="true"></span>`;

export interface Frame {
  title: string;
  html: string;
  status?: number;
  /** Where a form of it leads on to, besides the shop. */
  formAction?: string;
  /** What is in the cart, for its number at the top. */
  cart: CartData;
  cookie?: OwnCookie | undefined;
  /** The page loads the store's script; of the checkout: without scripts of others. */
  isScripted?: boolean | 'checkout';
  /** What that script will read: it comes with the page. */
  reads?: readonly string[];
  /** Where the languages lead: this page, without what is about one visit. */
  here: string;
}

export function frame(
  shop: Shop,
  { title, html, status = 200, cart, cookie, isScripted = false, reads = [], here, formAction }: Frame,
): PageAnswer {
  const { store } = shop.context;
  const pieces = piecesIn(cart);
  const name = shop.logo ? `<img src="${e(shop.logo)}" alt="${e(store.name)}">` : e(store.name);
  const header =
    `<a class="skip" href="#content">${e(t`Skip to the content`)}</a><header class="top"><div><a class="brand"${href(shop.to())}>` +
    `${name}</a>` +
    `<nav aria-label="${e(t`Shop`)}"><a${href(shop.to())}>${e(t`Products`)}</a>` +
    (shop.hasAccounts ? `<a${href(signInPath(shop.context.storeId))}>${e(t`Your subscriptions`)}</a>` : '') +
    `<a${href(shop.to('/cart'))}>${e(t`Cart`)}${pieces ? ` <span class="count">${pieces}</span>` : ''}</a></nav></div></header>`;
  const languages =
    shop.languages.length > 1
      ? `<nav aria-label="${e(t`Language`)}">${shop.languages
          .map(({ locale, name: own }) => {
            const isNow = locale === shop.speech.language;
            const code = e(locale);
            const current = isNow ? ' aria-current="true"' : '';
            return `<a href="/shop/${store.id}${e(here)}?lang=${code}" hreflang="${code}" lang="${code}"${current}>${e(own)}</a>`;
          })
          .join('')}</nav>`
      : '';
  // A provider of the store's own takes real money.
  const note =
    takesCardsBy(store) === 'TEST'
      ? t`${store.name} shows its products here to try them: only test cards are taken, and nothing is sent.`
      : t`Questions? Write to ${store.email}.`;
  const footer = `<footer class="end"><div>${languages}<p>${e(note)}</p></div></footer>`;
  const page = isScripted === 'checkout' ? ' data-page="checkout"' : '';
  const ahead = reads.map(address => `<link rel="preload" as="fetch" crossorigin${href(address)}>`).join('');
  return {
    status,
    title: `${title} · ${store.name}`,
    html: `<div id="content" tabindex="-1">${html}</div>`,
    header,
    footer,
    language: shop.speech.language,
    styleSheet: stylePath(store.id, shop.theme),
    ...(formAction === undefined ? {} : { formAction }),
    ...(isScripted && shop.hasScript
      ? {
          script:
            `${ahead}<script src="/storefront/${scriptOf(store)}" data-store="${store.id}"${page}` +
            ' async fetchpriority="high"></script>',
        }
      : {}),
    ...(cookie ? { cookie } : {}),
  };
}

/** Where nothing is sold, or not any more: the way to what is. */
export const nothingSold = async (shop: Shop): Promise<PageAnswer> =>
  frame(shop, {
    title: t`This is not here any more`,
    html:
      `<div class="empty"><h1>${e(t`This is not here any more`)}</h1>` +
      `<p>${e(t`The store may have given it another name, or stopped selling it.`)}</p>` +
      `<a class="go"${href(shop.to())}>${e(t`See the products`)}</a></div>`,
    status: 404,
    cart: (await readCart(shop)).data,
    here: '',
  });
