import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runFundStory } from './funds.ts';

/**
 * Data for the crawls, the tests that call every endpoint: fund positions in several states, so that the endpoints
 * return them.
 */
export const crawl: ProductCrawl = { story: runFundStory };
