// Where elements on pages of shops say that they were seen. It is asked for by a script alone, answers the same whatever is said, and
// leads nowhere: a program that opens it tells who it is and is not counted.
import { storeNamed } from '../../../platform/http/store-in-path.ts';
import type { PublicPage } from '../../../platform/http/public-pages.ts';
import { transactIn } from '../../../engine/index.ts';
import { countSights, HAPPENED, isProgram, type Sight } from '../../../platform/records/sightings.ts';

/** "12.SEEN" or "5c0f….TOUCHED" */
const SIGHT = /^([\da-f]{1,32})\.([A-Z]{4,7})$/;
const MOST = 20;
const happenedIn = (word: string | undefined): Sight['happened'] | undefined => HAPPENED.find(one => one === word);

export const seen: PublicPage = {
  path: '/storefront/:store/seen',
  secret: null,
  anyOrigin: true,
  asks: ['e'],
  async get(services, { params: { store = '' }, query: { e = '' }, visitor }) {
    const sights = e
      .split(',')
      .slice(0, MOST)
      .flatMap((one): Sight[] => {
        const [, what, word] = SIGHT.exec(one) ?? [];
        const happened = happenedIn(word);
        return what && happened ? [{ what, happened }] : [];
      });
    const known = visitor && sights.length && !isProgram(visitor.agent) ? await storeNamed(services, store) : undefined;
    if (known && visitor) {
      const { network, agent } = visitor;
      await transactIn(
        services,
        Number(store),
      )(opened => countSights(opened, sights, { network, agent, secret: services.config.secrets[0] ?? '' }));
    }
    return { json: '{}', seconds: 0 };
  },
};
