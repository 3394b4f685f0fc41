import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runSecondsStory } from './players.ts';

/** The commands of the module in a replay of the journal. */
export const crawl: ProductCrawl = { story: runSecondsStory };
