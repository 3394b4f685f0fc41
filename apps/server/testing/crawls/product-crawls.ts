import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { TestExchange, TestTrader } from '../exchange.ts';

/** A valid request of an endpoint, and a trader who may send it. */
export interface Request {
  readonly trader: TestTrader;
  readonly fields: Readonly<Record<string, string>>;
}

/** A paged list of a trader that can grow: `add` adds a row at its beginning. */
export interface Growing {
  readonly reader: TestTrader;
  readonly fields?: Readonly<Record<string, string>>;
  /** Adds a row to the list; undefined if it cannot grow while a server runs. */
  readonly add?: () => Promise<unknown>;
  /** Whether the rows have a fixed order, so that a new row may come last. */
  readonly isCatalogue?: boolean;
}

type Samples<Sample> = readonly (readonly [Endpoint, (exchange: TestExchange) => Promise<Sample>])[];

/**
 * Samples for the crawl tests, which call every endpoint, for the endpoints of one module. A module
 * declares them as `crawl` in its `testing/crawl.ts`, where the crawls find it.
 */
export interface ProductCrawl {
  /** A request of each idempotent endpoint, each by a trader of its own. */
  readonly repeated?: Samples<Request>;
  /** A growing list of each endpoint with pages, each of a reader of its own. */
  readonly lists?: Samples<Growing>;
  /** Creates objects of this owner. Returns the ids by the path of the endpoint that takes them. */
  readonly owned?: (exchange: TestExchange, owner: TestTrader) => Promise<Readonly<Record<string, string>>>;
  /** Endpoints whose `id` names something that belongs to everybody, such as a product. */
  readonly shared?: readonly Endpoint[];
  /** Executes every command of the module, so that each of its tables has rows, for a replay of the journal. */
  readonly story?: (exchange: TestExchange) => Promise<void>;
}

const MODULES = join(import.meta.dirname, '../../src/modules');

/** The crawl declarations of all modules that have one, in the order of the modules' names. */
export const PRODUCT_CRAWLS: readonly ProductCrawl[] = await Promise.all(
  readdirSync(MODULES)
    .toSorted()
    .map((module) => join(MODULES, module, 'testing/crawl.ts'))
    .filter((file) => existsSync(file))
    .map(async (file) => ((await import(pathToFileURL(file).href)) as { crawl: ProductCrawl }).crawl),
);

/** The samples that all modules declare for a crawl, for one exchange. */
export function samplesFor<Sample>(
  samplesOf: (crawl: ProductCrawl) => Samples<Sample> | undefined,
  exchange: () => TestExchange,
): (readonly [Endpoint, () => Promise<Sample>])[] {
  return PRODUCT_CRAWLS.flatMap((crawl) => samplesOf(crawl) ?? []).map(
    ([endpoint, make]) => [endpoint, () => make(exchange())] as const,
  );
}
