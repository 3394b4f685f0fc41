import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runFundStory } from './funds.ts';

/** Lets the crawl tests run the fund module's story of purchases and sales. */
export const crawl: ProductCrawl = { story: runFundStory };
