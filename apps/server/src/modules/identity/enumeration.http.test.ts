import { HOUR_MS } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byForm, isLongForm } from '../../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../../../testing/eventually.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { anAddress } from '../../../testing/calling.ts';
import { anEmail, GOOD_PASSWORD, identityHouse, type IdentityHouse } from './testing/identity-fixture.ts';

/** Number of requests for addresses with an account, and the same number for addresses without one. */
const EACH = byForm(8, 500);
/**
 * Number of requests after which the clock is advanced by an hour; it is lower than the number of codes that strangers
 * get per hour without proof of work.
 */
const AN_HOUR = 100;
const EVERY_MS = 25;
/**
 * Greatest separability of response times that the test accepts. 0.5 means that they cannot be distinguished; with 500
 * samples of each kind, chance alone deviates by 0.02.
 */
const MOST_TOLD_APART = 0.55;

interface Sample {
  readonly isKnown: boolean;
  readonly ms: number;
}

/**
 * How well response times distinguish email addresses with an account from those without one: the probability that the
 * response for an address with an account took longer than the response for one without, or the probability that it
 * took less time, whichever is larger.
 */
function separability(samples: readonly Sample[]): number {
  const knownTimes = samples.filter(({ isKnown }) => isKnown).map(({ ms }) => ms);
  const unknownTimes = samples.filter(({ isKnown }) => !isKnown).map(({ ms }) => ms);
  let longer = 0;
  for (const a of knownTimes) for (const b of unknownTimes) longer += a > b ? 1 : a === b ? 0.5 : 0;
  const chance = longer / (knownTimes.length * unknownTimes.length);
  return Math.max(chance, 1 - chance);
}

function median(samples: readonly Sample[], isKnown: boolean): number {
  const sorted = samples
    .filter((sample) => sample.isKnown === isKnown)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

describe('a caller who asks whether an address is known', () => {
  let house: IdentityHouse;
  beforeAll(async () => {
    house = await identityHouse(undefined, { visitorAnswersMs: EVERY_MS });
  });
  afterAll(() => house.close());

  const password = 'Wrong7password';
  const CALLS = {
    'a code to register': (email: string) =>
      house.call(wire.sendEmailCode, { email, type: wire.CODE_TYPES.register }, { address: anAddress() }),
    'a code to log in': (email: string) =>
      house.call(wire.sendEmailCode, { email, type: wire.CODE_TYPES.login }, { address: anAddress() }),
    'a code to reset': (email: string) =>
      house.call(wire.sendForgetCode, { email }, { address: anAddress() }),
    'a login': (email: string) =>
      house.call(wire.login, { account: email, code: '000000', password }, { address: anAddress() }),
    'a reset': (email: string) =>
      house.call(
        wire.forgetPassword,
        { email, code: '000000', password: GOOD_PASSWORD, confirmPassword: GOOD_PASSWORD },
        { address: anAddress() },
      ),
  };

  it(
    'ID-092 gets the same answer, and in the long form after the same time',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const random = seededRandom(16);
      const emails: { email: string; isKnown: boolean }[] = [];
      for (let n = 0; n < EACH; n += 1) {
        if (n % AN_HOUR === 0) house.clock.pass(HOUR_MS);
        emails.push(
          { email: (await house.aUser()).email, isKnown: true },
          { email: anEmail(), isKnown: false },
        );
      }
      const differences: string[] = [];
      const distinguishable: string[] = [];
      for (const [name, request] of Object.entries(CALLS)) {
        const order = emails
          .map((address) => ({ one: address, at: random.whole(0, 1_000_000) }))
          .toSorted((a, b) => a.at - b.at);
        const bodies = new Set<string>();
        const samples: Sample[] = [];
        for (const [round, { one: address }] of order.entries()) {
          if (round % AN_HOUR === 0) house.clock.pass(HOUR_MS);
          const answer = await request(address.email);
          bodies.add(answer.body);
          samples.push({ isKnown: address.isKnown, ms: answer.ms });
        }
        expect([...bodies], name).toHaveLength(1);
        expect(Math.min(...samples.map(({ ms }) => ms)), name).toBeGreaterThanOrEqual(EVERY_MS);
        const ratio = median(samples, true) / median(samples, false);
        const apart = separability(samples);
        differences.push(
          `${name}: told apart ${apart.toFixed(3)}, median ${median(samples, true).toFixed(2)} ms, ratio ${ratio.toFixed(3)}`,
        );
        if (apart > MOST_TOLD_APART) distinguishable.push(name);
      }
      console.log(differences.join('\n'));
      // The short form of the test has too few samples for a statement about response times.
      expect(isLongForm ? distinguishable : []).toEqual([]);
    },
  );
});
