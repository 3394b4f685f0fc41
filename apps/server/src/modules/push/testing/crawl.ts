import { changePush, removePush, subscribePush } from '@exchange/wire/push.ts';
import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { TestBrowser } from './push-service.ts';

/** Creates a push device of a user, with whose id tests of other users' ids call the endpoints. */
export const crawl: ProductCrawl = {
  owned: async (_, owner) => {
    const fields = { kinds: 'alerts', timeZone: 'UTC' };
    const { id } = await owner.request(subscribePush, { ...new TestBrowser().fields, ...fields });
    return { [changePush.path]: id, [removePush.path]: id };
  },
};
