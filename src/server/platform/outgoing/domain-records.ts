// Who looks records of domains up: the resolvers of this machine, or one that tests own.
import { Resolver } from 'node:dns/promises';

/** The port to DNS. Answers the values of a kind at a name, none where there are none. Rejects where no server answered. */
export interface DomainRecords {
  find(type: 'TXT', host: string): Promise<string[]>;
}

const NONE = new Set(['ENOTFOUND', 'ENODATA']);
const TIMEOUT_MS = 3000;

export const realRecords: DomainRecords = {
  async find(_type, host) {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
    try {
      return (await resolver.resolveTxt(host)).map(parts => parts.join(''));
    } catch (error) {
      if (NONE.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  },
};
