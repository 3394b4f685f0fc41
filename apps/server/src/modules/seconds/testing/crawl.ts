import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runSecondsStory } from './players.ts';

/** Runs seconds positions of every outcome in the crawl tests, which test every endpoint. */
export const crawl: ProductCrawl = { story: runSecondsStory };
