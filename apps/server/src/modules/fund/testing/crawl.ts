import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runFundStory } from './funds.ts';

/** The commands of the module in a replay of the journal. */
export const crawl: ProductCrawl = { story: runFundStory };
