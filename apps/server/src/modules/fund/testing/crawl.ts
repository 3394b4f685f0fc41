import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runFundStory } from './funds.ts';

/** Runs purchases and sales of every fund case in the crawl tests, which test every endpoint. */
export const crawl: ProductCrawl = { story: runFundStory };
