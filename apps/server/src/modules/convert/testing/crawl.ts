import { Decimal } from '@exchange/core/decimal.ts';
import { acceptSmallBalances, quoteSmallBalances } from '@exchange/wire/small-balances.ts';
import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { createSaver } from '../../finance/testing/products.ts';

/**
 * Data for the crawls, the tests that call every endpoint: an exchange of small balances. The main crawl contains the
 * exchanges at a single quote.
 */
export const crawl: ProductCrawl = {
  story: async (exchange) => {
    await exchange.doors.convert.convert.fund('USDT', Decimal.parse('1000'), 'demo');
    const owner = await createSaver(exchange, { ETH: '0.001', LTC: '0.01' });
    const { quoteId } = await owner.request(quoteSmallBalances, { coins: 'ETH,LTC', to: 'USDT' });
    await owner.request(acceptSmallBalances, { quoteId });
  },
};
