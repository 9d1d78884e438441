// A shopper at the shop of a test server, without a browser: opens pages, fills in forms, presses buttons.
import { customerBrowser, type CustomerPage } from '../../../support/customer-browser.ts';
import type { TestServer } from '../../../support/server.ts';
import { ADDRESS } from '../subscriptions/fixture.ts';

export const CARD = { number: '4242 4242 4242 4242', name: 'Ann Lee', expiry: '12/40', verificationCode: '123' };
export const DECLINED = { ...CARD, number: '4000 0000 0000 0002' };

/** What the form of a gift is filled in with, besides its product and plan. */
export const GIFT = {
  ...ADDRESS,
  firstName: 'Jonas',
  lastName: 'Berg',
  email: 'jonas@mail.example',
  sender: 'Ann',
  message: 'Happy birthday!',
  day: '',
  quantity: '1',
};

/** What a form of a page says in a hidden field. */
export const hiddenIn = ({ body }: Pick<CustomerPage, 'body'>, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';

let shoppers = 0;
export function shopperAt(server: () => TestServer, language = 'en') {
  const email = `shopper${++shoppers}@mail.example`;
  const { send, open } = customerBrowser(() => server().app);
  const spoken = { 'accept-language': language };
  async function get(path: string): Promise<CustomerPage> {
    for (;;) {
      const answer = await open(`/shop/1${path}`, 'GET', { headers: spoken });
      if (answer.statusCode !== 503) return answer;
    }
  }
  /** Sends a form, and sends it again where there was no place for it in time: nothing was done then. */
  async function post(path: string, fields: Record<string, string>): Promise<CustomerPage> {
    const headers = { ...spoken, 'content-type': 'application/x-www-form-urlencoded' };
    for (;;) {
      const answer = await send(`/shop/1${path}`, 'POST', { headers, payload: new URLSearchParams(fields).toString() });
      if (answer.statusCode !== 503) return answer;
    }
  }
  const add = (shopifyId: number, plan: number | '' = '', quantity = 1): Promise<CustomerPage> =>
    post('/cart/add', { id: String(shopifyId), selling_plan: String(plan), quantity: String(quantity) });
  /** Goes to the payment; gives its page. */
  async function toPayment(address: Record<string, string> = ADDRESS): Promise<CustomerPage> {
    const answer = await post('/checkout', { ...address, email });
    if (answer.statusCode !== 303) throw new Error(`The address was answered with ${answer.statusCode}: ${answer.body}`);
    return get('/pay');
  }
  const pay = (page: CustomerPage, card = CARD): Promise<CustomerPage> =>
    post('/pay', { round: hiddenIn(page, 'round'), total: hiddenIn(page, 'total'), ...card });
  return { email, get, post, add, toPayment, pay };
}
