import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runSecondsStory } from './players.ts';

/** Samples of the seconds contract for the tests that call every endpoint. */
export const crawl: ProductCrawl = { story: runSecondsStory };
