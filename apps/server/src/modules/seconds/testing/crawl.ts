import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runSecondsStory } from './players.ts';

/** Lets the crawl tests run the seconds module's story of positions. */
export const crawl: ProductCrawl = { story: runSecondsStory };
