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

/**
 * A paged list of a trader that can grow: `add` adds a row, at the list's beginning unless `isCatalogue` is
 * true.
 */
export interface Growing {
  readonly reader: TestTrader;
  readonly fields?: Readonly<Record<string, string>>;
  /** Adds a row to the list; undefined if no request of a running server adds rows to it. */
  readonly add?: () => Promise<unknown>;
  /** True if the list has a fixed order, such as a catalogue, so that a new row may come last. */
  readonly isCatalogue?: boolean;
}

type Samples<Sample> = readonly (readonly [Endpoint, (exchange: TestExchange) => Promise<Sample>])[];

/**
 * Example requests and objects of one module for the crawl tests, which call every endpoint. A module exports them as
 * `crawl` in `testing/crawl.ts`.
 */
export interface ProductCrawl {
  /** For each idempotent endpoint of the module a request by a separate trader. */
  readonly repeated?: Samples<Request>;
  /** For each endpoint of the module that returns pages, a paged list of a separate trader that can grow. */
  readonly lists?: Samples<Growing>;
  /** Creates objects of this owner. Returns their ids, by the path of the endpoint that accepts the id. */
  readonly owned?: (exchange: TestExchange, owner: TestTrader) => Promise<Readonly<Record<string, string>>>;
  /**
   * Endpoints whose `id` identifies a public object, such as a product, so that a request with another user's
   * id need not be refused.
   */
  readonly shared?: readonly Endpoint[];
  /**
   * Executes every command of the module. A test then replays the journal, so that the replay covers each table of the
   * module.
   */
  readonly story?: (exchange: TestExchange) => Promise<void>;
}

const MODULES = join(import.meta.dirname, '../../src/modules');

/** The `crawl` exports of all modules that have one, ordered by module name. */
export const PRODUCT_CRAWLS: readonly ProductCrawl[] = await Promise.all(
  readdirSync(MODULES)
    .toSorted()
    .map((module) => join(MODULES, module, 'testing/crawl.ts'))
    .filter((file) => existsSync(file))
    .map(async (file) => ((await import(pathToFileURL(file).href)) as { crawl: ProductCrawl }).crawl),
);

/**
 * Returns, for each endpoint for which a module has a sample, the function that creates the sample in
 * `exchange`. `samplesOf` selects the kind of samples.
 */
export function samplesFor<Sample>(
  samplesOf: (crawl: ProductCrawl) => Samples<Sample> | undefined,
  exchange: () => TestExchange,
): (readonly [Endpoint, () => Promise<Sample>])[] {
  return PRODUCT_CRAWLS.flatMap((crawl) => samplesOf(crawl) ?? []).map(
    ([endpoint, make]) => [endpoint, () => make(exchange())] as const,
  );
}
