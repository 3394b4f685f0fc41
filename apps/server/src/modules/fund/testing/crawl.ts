import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runFundStory } from './funds.ts';

/** Part of the test crawls: creates fund positions in several states, so that the crawled endpoints return them. */
export const crawl: ProductCrawl = { story: runFundStory };
