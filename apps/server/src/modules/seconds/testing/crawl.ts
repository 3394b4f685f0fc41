import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { runSecondsStory } from './players.ts';

/** A sequence of actions that executes the module's commands for the replay test. */
export const crawl: ProductCrawl = { story: runSecondsStory };
