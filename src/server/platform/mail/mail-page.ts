// Pages behind the links of e-mails: who opens one is the reader whom the link was sent to, whose mark it carries.
import { nothingHere } from '../http/page-refusals.ts';
import type { PageRequest, PageServices } from '../http/page-request.ts';
import type { PageAnswer, PublicPage } from '../http/public-pages.ts';
import { MAIL_SIGNATURE } from './mail-token.ts';

const DAY_MS = 86_400_000;

interface MailPage<Reader> {
  /** With `:token` where the mark of the e-mail stands. */
  path: string;
  /** Whom the link was sent to; undefined for one that is none of ours. */
  readerOf(services: PageServices, request: PageRequest): Promise<Reader | undefined>;
  get(services: PageServices, reader: Reader): PageAnswer | Promise<PageAnswer>;
  post(services: PageServices, reader: Reader, request: PageRequest): PageAnswer | Promise<PageAnswer>;
}

/** Such a page, in its reader's language; there is nothing for others. */
export function mailPage<Reader extends { language: string }>({ path, readerOf, get, post }: MailPage<Reader>): PublicPage {
  return {
    path,
    secret: {
      param: 'token',
      pattern: MAIL_SIGNATURE,
      goodFor: async (services, request) => ((await readerOf(services, request)) ? DAY_MS : 0),
    },
    languageOf: async (services, request) => (await readerOf(services, request))?.language,
    async get(services, request) {
      const reader = await readerOf(services, request);
      return reader ? get(services, reader) : nothingHere();
    },
    async post(services, request) {
      const reader = await readerOf(services, request);
      return reader ? post(services, reader, request) : nothingHere();
    },
  };
}
