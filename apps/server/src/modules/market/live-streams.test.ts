import { composeIndex } from '@exchange/core/index-price.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { instant } from '@exchange/core/time.ts';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inForm } from '../../../../../tools/test-form.ts';
import { eventually } from '../../../testing/eventually.ts';
import { FakeVenue, type VenueFault } from '../../../testing/fake-venues.ts';
import { keptLog } from '../../../testing/silent-log.ts';
import { priceProgram } from '../../platform/children/price-sources.ts';
import { systemClock } from '../../platform/clock.ts';
import { createAssets } from '../assets/index.ts';
import { LiveVenues } from './live-venues.ts';
import type { VenueQuote } from './venue.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const DIALECTS = ['binance', 'okx', 'binance', 'okx'] as const;
const fakes = DIALECTS.map((dialect, at) => new FakeVenue(dialect, String(50_000 + at)));
const ASK_EVERY_MS = 200;
const heard = new Map<string, VenueQuote[]>();
const log = keptLog();
let live: LiveVenues;

beforeAll(async () => {
  const origins = await Promise.all(fakes.map((fake) => fake.start()));
  live = new LiveVenues({
    clock: systemClock,
    log,
    file: priceProgram(root),
    everyMs: ASK_EVERY_MS,
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
    heard.set(venue.id, quotes);
    venue.start((quote) => quotes.push(quote));
  }
  await streaming();
});
afterAll(async () => {
  for (const venue of live.venues) venue.stop();
  await Promise.all(fakes.map((fake) => fake.stop()));
});

/** Every source is heard by its stream. */
async function streaming(): Promise<void> {
  await eventually(() => {
    expect(live.health().facts).toMatchObject(
      Object.fromEntries(
        DIALECTS.map((_, at) => [`source-${at}`, expect.stringMatching(/^heard by its stream/)]),
      ),
    );
  });
}

/** The index of now, as it is made of what was heard. */
function index() {
  const now = instant(Date.now());
  const latest = [...heard].flatMap(([id, quotes]) => {
    const newest = quotes
      .filter(({ at }) => at <= now)
      .toSorted((a, b) => a.at - b.at)
      .at(-1);
    return newest === undefined ? [] : [{ id, price: newest.price, at: newest.at }];
  });
  return composeIndex(now, latest, 2);
}
/** Whether it lies among what the sources without a fault say. */
function isRight(): boolean {
  const { price, sources } = index();
  if (price === null || sources.filter(({ used }) => used).length < 3) return false;
  return !price.isLess(Decimal.parse('50000')) && !price.isMore(Decimal.parse('50003'));
}
/** Waits for some rounds of the streams, looking at the index all the while; gives how often it was wrong. */
async function meanwhile(rounds = 8): Promise<number> {
  const { streamed } = fakes[3]!;
  let wrong = 0;
  await eventually(() => {
    wrong += isRight() ? 0 : 1;
    expect(fakes[3]!.streamed).toBeGreaterThan(streamed + rounds);
  });
  return wrong;
}

it('LIVE-007 prices come as a venue streams them, with its own time, and nobody is asked for what was just said', async () => {
  const questions = () => fakes.reduce((sum, { asked }) => sum + asked, 0);
  const [asked, began] = [questions(), Date.now()];
  expect(await meanwhile(40)).toBe(0);
  // Asked all the while, they would have been asked so often; a slow machine may leave a gap now and then.
  const usual = ((Date.now() - began) / ASK_EVERY_MS) * fakes.length;
  expect(questions() - asked).toBeLessThan(usual / 2);
  fakes[0]!.price = '50000.25';
  await eventually(() => expect(heard.get('source-0')!.at(-1)!.price.toString()).toBe('50000.25'));
  expect(Math.abs(Date.now() - heard.get('source-1')!.at(-1)!.at)).toBeLessThan(5_000);
  expect(log.lines.filter(({ event }) => event === 'market.source_streams').length).toBe(4);
});

const FAULTS: readonly VenueFault[] = ['disconnect', 'outlier', 'silent', 'garbage'];
const MORE_FAULTS: readonly VenueFault[] = ['limited', 'fast clock', 'slow clock', 'long price'];
const ALL_FAULTS = [...FAULTS, ...MORE_FAULTS];

it.each(inForm(FAULTS.slice(0, 2), ALL_FAULTS))(
  'LIVE-007 where a stream fails by %s its venue is asked once more, the index stays right, and the stream is taken up again',
  async (fault) => {
    const [first] = fakes as [FakeVenue, ...FakeVenue[]];
    const { asked } = first;
    first.streamFault = fault;
    // A price that is far off is told like any other: the index bears it, and says so.
    const hasBegun = () =>
      fault === 'outlier' ? index().flags.includes('outlier') : first.asked > asked + 1;
    await eventually(() => expect(hasBegun()).toBe(true));
    expect(await meanwhile()).toBe(0);
    first.streamFault = undefined;
    await streaming();
    await eventually(() => expect(index().sources.filter(({ used }) => used)).toHaveLength(4));
  },
);

it.each(inForm(FAULTS.slice(2, 3), ALL_FAULTS))(
  'LIVE-008 a venue that fails altogether by %s costs the index nothing',
  async (fault) => {
    const second = fakes[1]!;
    second.fault = fault;
    expect(await meanwhile(20)).toBe(0);
    second.fault = undefined;
    await streaming();
  },
);

it('LIVE-007 a stream that is refused is knocked at with growing pauses, and told of once', async () => {
  const third = fakes[2]!;
  const told = () => log.lines.filter(({ event }) => event === 'market.source_stream_lost').length;
  third.streamFault = 'limited';
  const before = told();
  await eventually(() => expect(told()).toBe(before + 1));
  const { knocked } = third;
  expect(await meanwhile(40)).toBe(0);
  // At least 200 ms lie between two tries after "too many requests", and a round of the streams takes 25.
  expect(third.knocked - knocked).toBeLessThanOrEqual(10);
  expect(told()).toBe(before + 1);
  expect(live.health().facts?.['source-2']).toMatch(/^heard when asked; its stream is lost/);
  third.streamFault = undefined;
  await streaming();
});
