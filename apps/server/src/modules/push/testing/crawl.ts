import { changePush, removePush, subscribePush } from '@exchange/wire/push.ts';
import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { TestBrowser } from './push-service.ts';

/** Creates a push device of `owner`. The tests that call endpoints with ids of another user use its id. */
export const crawl: ProductCrawl = {
  owned: async (_, owner) => {
    const fields = { kinds: 'alerts', timeZone: 'UTC' };
    const { id } = await owner.request(subscribePush, { ...new TestBrowser().fields, ...fields });
    return { [changePush.path]: id, [removePush.path]: id };
  },
};
