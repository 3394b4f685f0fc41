import { composeIndex } from '@exchange/core/index-price.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { instant } from '@exchange/core/time.ts';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { byForm } from '../../../../../tools/test-form.ts';
import { eventually } from '../../../testing/eventually.ts';
import { FakeVenue, type VenueFault } from '../../../testing/fake-venues.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { priceProgram } from '../../platform/children/price-sources.ts';
import { systemClock } from '../../platform/clock.ts';
import { createAssets } from '../assets/index.ts';
import { LiveVenues } from './live-venues.ts';
import type { VenueQuote } from './venue.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const DIALECTS = ['binance', 'okx', 'binance', 'okx'] as const;
const fakes = DIALECTS.map((dialect, at) => new FakeVenue(dialect, String(50_000 + at)));
const POLL_EVERY_MS = 200;
const quotesBySource = new Map<string, VenueQuote[]>();
const log = recordingLog();
let live: LiveVenues;

beforeAll(async () => {
  const origins = await Promise.all(fakes.map((fake) => fake.start()));
  live = new LiveVenues({
    clock: systemClock,
    log,
    file: priceProgram(root),
    everyMs: POLL_EVERY_MS,
    firstPauseMs: 20,
    pairs: createAssets({ mode: 'live' }).pairs.map(({ pair }) => pair),
    sources: DIALECTS.map((venue, at) => ({
      id: `source-${at}`,
      venue,
      origin: origins[at]!,
      limitedPauseMs: 200,
      stream: origins[at]!.replace('http', 'ws'),
    })),
  });
  for (const venue of live.venues) {
    const quotes: VenueQuote[] = [];
    quotesBySource.set(venue.id, quotes);
    venue.start((quote) => quotes.push(quote));
  }
  await waitForStreams();
});
afterAll(async () => {
  for (const venue of live.venues) venue.stop();
  await Promise.all(fakes.map((fake) => fake.stop()));
});

/** Waits until every price source's stream delivers prices. */
async function waitForStreams(): Promise<void> {
  await eventually(() => {
    expect(live.health().facts).toMatchObject(
      Object.fromEntries(
        DIALECTS.map((_, at) => [`source-${at}`, expect.stringMatching(/^heard by its stream/)]),
      ),
    );
  });
}

/** The current index, composed from the received quotes. */
function index() {
  const now = instant(Date.now());
  const latest = [...quotesBySource].flatMap(([id, quotes]) => {
    const newest = quotes
      .filter(({ at }) => at <= now)
      .toSorted((a, b) => a.at - b.at)
      .at(-1);
    return newest === undefined ? [] : [{ id, price: newest.price, at: newest.at }];
  });
  return composeIndex(now, latest, 2);
}
/**
 * Whether at least three sources are used for the index and it lies within the prices of the sources without a
 * simulated fault.
 */
function isIndexCorrect(): boolean {
  const { price, sources } = index();
  if (price === null || sources.filter(({ used }) => used).length < 3) return false;
  return !price.isLess(Decimal.parse('50000')) && !price.isMore(Decimal.parse('50003'));
}
/**
 * Checks the index repeatedly until a source has streamed more than `rounds` further prices. Returns how often the
 * index was wrong.
 */
async function countWrongIndexes(rounds = 8): Promise<number> {
  const { streamedCount } = fakes[3]!;
  let wrongCount = 0;
  await eventually(() => {
    wrongCount += isIndexCorrect() ? 0 : 1;
    expect(fakes[3]!.streamedCount).toBeGreaterThan(streamedCount + rounds);
  });
  return wrongCount;
}

it('LIVE-007 prices arrive over a venue’s stream with the venue’s time, and a streamed price is not polled', async () => {
  const requestCount = () => fakes.reduce((sum, { requestCount }) => sum + requestCount, 0);
  const [requestsBefore, startMs] = [requestCount(), Date.now()];
  expect(await countWrongIndexes(40)).toBe(0);
  // Number of requests that polling all sources would make while `countWrongIndexes` ran. Fewer than half of
  // it are allowed, because a slow machine may poll while a stream is interrupted.
  const expectedRequests = ((Date.now() - startMs) / POLL_EVERY_MS) * fakes.length;
  expect(requestCount() - requestsBefore).toBeLessThan(expectedRequests / 2);
  fakes[0]!.price = '50000.25';
  await eventually(() => expect(quotesBySource.get('source-0')!.at(-1)!.price.toString()).toBe('50000.25'));
  expect(Math.abs(Date.now() - quotesBySource.get('source-1')!.at(-1)!.at)).toBeLessThan(5_000);
  expect(log.lines.filter(({ event }) => event === 'market.source_streams').length).toBe(4);
});

const FAULTS: readonly VenueFault[] = ['disconnect', 'outlier', 'silent', 'garbage'];
const MORE_FAULTS: readonly VenueFault[] = ['limited', 'fast clock', 'slow clock', 'long price'];
const ALL_FAULTS = [...FAULTS, ...MORE_FAULTS];

it.each(byForm(FAULTS.slice(0, 2), ALL_FAULTS))(
  'LIVE-007 when a stream fails by %s, its venue is polled, the index stays correct, and the stream is reopened',
  async (fault) => {
    const [first] = fakes as [FakeVenue, ...FakeVenue[]];
    const { requestCount } = first;
    first.streamFault = fault;
    // An outlier is published like any other price: the index stays correct and flags it.
    const hasFaultStarted = () =>
      fault === 'outlier' ? index().flags.includes('outlier') : first.requestCount > requestCount + 1;
    await eventually(() => expect(hasFaultStarted()).toBe(true));
    expect(await countWrongIndexes()).toBe(0);
    first.streamFault = undefined;
    await waitForStreams();
    await eventually(() => expect(index().sources.filter(({ used }) => used)).toHaveLength(4));
  },
);

it.each(byForm(FAULTS.slice(2, 3), ALL_FAULTS))(
  'LIVE-008 a venue that fails completely by %s does not affect the index',
  async (fault) => {
    const second = fakes[1]!;
    second.fault = fault;
    expect(await countWrongIndexes(20)).toBe(0);
    second.fault = undefined;
    await waitForStreams();
  },
);

it('LIVE-007 a refused stream is retried with growing pauses and logged once', async () => {
  const third = fakes[2]!;
  const lostStreamLogs = () => log.lines.filter(({ event }) => event === 'market.source_stream_lost').length;
  third.streamFault = 'limited';
  const logsBefore = lostStreamLogs();
  await eventually(() => expect(lostStreamLogs()).toBe(logsBefore + 1));
  const { streamAttempts: attemptsBefore } = third;
  expect(await countWrongIndexes(40)).toBe(0);
  // After the answer "too many requests", the stream is opened again after 200 ms at the earliest. The 40
  // rounds of prices for which the test has waited take 25 ms each, so about five attempts are expected and
  // at most ten allowed.
  expect(third.streamAttempts - attemptsBefore).toBeLessThanOrEqual(10);
  expect(lostStreamLogs()).toBe(logsBefore + 1);
  expect(live.health().facts?.['source-2']).toMatch(/^heard when asked; its stream is lost/);
  third.streamFault = undefined;
  await waitForStreams();
});
