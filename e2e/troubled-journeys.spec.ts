import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitSeed, isLongForm } from '../tools/test-form.ts';
import { signInAsDemoTrader } from './fixtures/actions.ts';
import { callerOf, demoToken } from './fixtures/calls.ts';
import {
  closeProfiles,
  DESKTOP,
  PHONE,
  openPerson,
  sharedBrowser,
  type Viewport,
} from './fixtures/browser.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import type { Journey } from './journeys/journey.ts';
import { journeysOf } from './journeys/journeys.ts';
import { faultsUnder, type Trouble } from './journeys/play.ts';

const JOURNEY_MS = 15 * 60_000;
const TROUBLES = ['offline', 'answerLost', 'partMissing'] as const satisfies readonly Trouble[];
/** The usual window size of each site, and then the smallest supported window size of each. */
const SEATS: readonly Viewport[] = [
  DESKTOP,
  PHONE,
  { ...DESKTOP, width: 1280, height: 800 },
  { ...PHONE, width: 360, height: 740 },
];

/**
 * Returns the simulated troubles of the network for a window. Missing parts and lost responses are only tested at the
 * usual window sizes, because they do not depend on the size.
 */
const troublesIn = (place: Viewport): readonly Trouble[] =>
  place === DESKTOP || place === PHONE ? TROUBLES : ['offline'];

const PLAYS = SEATS.flatMap((place) =>
  troublesIn(place).flatMap((trouble) =>
    journeysOf(place.site, `${trouble}-${place.width}`.toLowerCase()).map((journey) => ({
      place,
      trouble,
      journey,
      title: `${journey.name} on the ${place.site} site at ${place.width} px, ${trouble}`,
    })),
  ),
);
/**
 * In the short form, the tests play one combination of journey, window and trouble, which the current commit selects.
 */
const chosen = isLongForm ? PLAYS : [PLAYS[commitSeed % PLAYS.length]!];

describe('journeys whose network fails at every step', { timeout: JOURNEY_MS }, () => {
  let exchange: Exchange;
  let browser: Browser;

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([startExchange(), sharedBrowser()]);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    await exchange.stop();
  });

  /** Returns the number of the demo trader's records in the lists to which a journey adds a record. */
  async function recordsOf({ counted = [] }: Journey): Promise<number> {
    if (counted.length === 0) return 0;
    const call = callerOf(exchange.origin);
    const token = await demoToken(call);
    const pages = (await Promise.all(
      counted.map(({ path, fields }) => call(path, { ...fields, pageSize: '1' }, token)),
    )) as readonly { readonly sum: number }[];
    return pages.reduce((total, { sum }) => total + sum, 0);
  }

  for (const { place, trouble, journey, title } of chosen)
    it(`JRN-183 ${title}`, async () => {
      const person = await openPerson(browser, exchange.origin, place);
      if (journey.isMember) await signInAsDemoTrader(person.page);
      const before = await recordsOf(journey);
      expect(await faultsUnder(trouble, person, place, journey)).toEqual([]);
      const after = await recordsOf(journey);
      expect(after - before).toBe(journey.counted === undefined ? 0 : 1);
      await person.context.close();
    });
});
