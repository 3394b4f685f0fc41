import { changePush, removePush, subscribePush } from '@exchange/wire/push.ts';
import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { TestBrowser } from './push-service.ts';

/**
 * Creates a push device of `owner` and returns its id by endpoint path, for the tests that call these
 * endpoints as another user.
 */
export const crawl: ProductCrawl = {
  owned: async (_, owner) => {
    const fields = { kinds: 'alerts', timeZone: 'UTC' };
    const { id } = await owner.request(subscribePush, { ...new TestBrowser().fields, ...fields });
    return { [changePush.path]: id, [removePush.path]: id };
  },
};
