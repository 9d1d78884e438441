// Who looks records of domains up: the resolvers of this machine, or one that tests own.
import { Resolver } from 'node:dns/promises';
import type { RecordType } from '../../../domain/messages/sender-domain.ts';

/** The port to DNS. Answers the values of a kind at a name, none where there are none. Rejects where nobody could be asked. */
export interface DomainRecords {
  find(type: RecordType, host: string): Promise<string[]>;
}

const NONE = new Set(['ENOTFOUND', 'ENODATA']);
const TIMEOUT_MS = 3000;

export const realRecords: DomainRecords = {
  async find(type, host) {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
    try {
      if (type === 'TXT') return (await resolver.resolveTxt(host)).map(parts => parts.join(''));
      if (type === 'CNAME') return await resolver.resolveCname(host);
      return (await resolver.resolveMx(host)).map(({ exchange }) => exchange);
    } catch (error) {
      if (NONE.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  },
};
