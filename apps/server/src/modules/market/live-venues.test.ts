import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakeVenue, type VenueFault } from '../../../testing/fake-venues.ts';
import { byForm } from '../../../../../tools/test-form.ts';
import { eventually } from '../../../testing/eventually.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { priceProgram } from '../../platform/children/price-sources.ts';
import { systemClock } from '../../platform/clock.ts';
import { createAssets } from '../assets/index.ts';
import { LiveVenues } from './live-venues.ts';
import type { VenueQuote } from './venue.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const fakes = [
  new FakeVenue('binance', '50000.12'),
  new FakeVenue('okx', '50001.3'),
  new FakeVenue('binance', '50002'),
];
const quotesBySource = new Map<string, VenueQuote[]>();
const log = recordingLog();
let live: LiveVenues;

beforeAll(async () => {
  const origins = await Promise.all(fakes.map((fake) => fake.start()));
  const sources = [
    { id: 'first', venue: 'binance' },
    { id: 'second', venue: 'okx' },
    { id: 'third', venue: 'binance' },
  ];
  live = new LiveVenues({
    clock: systemClock,
    log,
    file: priceProgram(root),
    everyMs: 50,
    firstPauseMs: 20,
    // Milliseconds without a message from the child process after which it is killed and started again. The long form
    // of the tests waits for this. In the short form the time is longer than the test, because a slow machine needs
    // many seconds to start the process.
    silenceMs: byForm(600_000, 20_000),
    pairs: createAssets({ mode: 'live' }).pairs.map(({ pair }) => pair),
    sources: sources.map((place, at) => ({ ...place, origin: origins[at]!, limitedPauseMs: 100 })),
  });
  for (const venue of live.venues) {
    const quotes: VenueQuote[] = [];
    quotesBySource.set(venue.id, quotes);
    venue.start((quote) => quotes.push(quote));
  }
});
afterAll(async () => {
  for (const venue of live.venues) venue.stop();
  await Promise.all(fakes.map((fake) => fake.stop()));
});

const quotesOf = (id: string) => quotesBySource.get(id)!;
const nextQuoteOf = async (id: string) => {
  const countBefore = quotesOf(id).length;
  await eventually(() => expect(quotesOf(id).length).toBeGreaterThan(countBefore));
  return quotesOf(id).at(-1)!;
};

it('LIVE-001 receives the last prices in real formats, digit by digit, with the venue’s time', async () => {
  const [first, second, third] = [
    await nextQuoteOf('first'),
    await nextQuoteOf('second'),
    await nextQuoteOf('third'),
  ];
  expect([first, second, third].map(({ symbol, price }) => [symbol, price.toString()])).toEqual([
    ['btcusdt', '50000.12'],
    ['btcusdt', '50001.3'],
    ['btcusdt', '50002'],
  ]);
  expect(Math.abs(Date.now() - first.at)).toBeLessThan(60_000);
  expect(live.health()).toMatchObject({ isUp: true, facts: { heard: 3, first: 'heard' } });
  expect(log.lines.find(({ event }) => event === 'market.source_listed')?.fields['missing']).toContain(
    'ethusdt',
  );
});

const FAULTS: readonly (readonly [VenueFault, string])[] = [
  ['garbage', 'second'],
  ['fast clock', 'second'],
];
const MORE_FAULTS: typeof FAULTS = [
  ['limited', 'second'],
  ['disconnect', 'first'],
  ['long price', 'first'],
];

it.each(byForm(FAULTS, [...FAULTS, ...MORE_FAULTS]))(
  'LIVE-002 tolerates %s of one source, emits none of its quotes meanwhile, and recovers',
  async (fault, id) => {
    const fake = fakes[id === 'first' ? 0 : 1]!;
    fake.fault = fault;
    const requestsBefore = fake.requestCount;
    // Up to two requests may have been sent before the fault was set, so only the third response is certain to have the
    // fault.
    await eventually(() => expect(fake.requestCount).toBeGreaterThan(requestsBefore + 2));
    const quotesAtFault = quotesOf(id).length;
    const requestsAtFault = fake.requestCount;
    await eventually(() => expect(fake.requestCount).toBeGreaterThan(requestsAtFault + 1));
    expect(quotesOf(id)).toHaveLength(quotesAtFault);
    await nextQuoteOf('third');
    fake.fault = undefined;
    await nextQuoteOf(id);
  },
);

it('LIVE-002 keeps the old time of an old quote, so that the index ignores it', async () => {
  fakes[1]!.fault = 'slow clock';
  await eventually(() => expect(Date.now() - quotesOf('second').at(-1)!.at).toBeGreaterThan(30_000));
  fakes[1]!.fault = undefined;
});

it.runIf(existsSync('/proc/self/environ'))(
  'LIVE-003 the process of the sources has none of the server’s environment',
  () => {
    const environment = readFileSync(`/proc/${live.process.pid}/environ`, 'utf8').split('\0');
    const names = environment.filter((line) => line !== '').map((line) => line.split('=')[0]);
    // Node itself sets the variables NODE_CHANNEL_… for the channel between the two processes; the child
    // process must have no others.
    expect(names.filter((name) => !name!.startsWith('NODE_CHANNEL_'))).toEqual([]);
  },
);

it('LIVE-003 starts the process of the sources again when it dies', async () => {
  const { pid, starts } = live.process;
  process.kill(pid!, 'SIGKILL');
  await eventually(() => expect(live.process.starts).toBe(starts + 1));
  await nextQuoteOf('first');
  expect(live.process.pid).not.toBe(pid);
});

it.runIf(byForm(false, true))('LIVE-003 kills a silent process and starts it again', async () => {
  const { pid } = live.process;
  process.kill(pid!, 'SIGSTOP');
  await eventually(() => expect(live.process.pid).not.toBe(pid));
  await nextQuoteOf('second');
});
