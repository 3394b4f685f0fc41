import { HOUR_MS } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inForm, isLongForm } from '../../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../../../testing/eventually.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { anAddress } from '../../../testing/calling.ts';
import { anEmail, GOOD_PASSWORD, identityHouse, type IdentityHouse } from './testing/identity-house.ts';

/** Addresses that have an account, and as many that have none. */
const EACH = inForm(8, 500);
/** Strangers together may ask for so many codes within an hour without work, with something to spare. */
const AN_HOUR = 100;
const EVERY_MS = 25;
/** 0.5 is a coin's toss; with 500 of each, chance alone moves it by 0.02. */
const MOST_TOLD_APART = 0.55;

interface Sample {
  readonly isKnown: boolean;
  readonly ms: number;
}

/** How well the times tell the two kinds apart: the chance that a known one took longer than an unknown one. */
function separability(samples: readonly Sample[]): number {
  const known = samples.filter(({ isKnown }) => isKnown).map(({ ms }) => ms);
  const unknown = samples.filter(({ isKnown }) => !isKnown).map(({ ms }) => ms);
  let longer = 0;
  for (const a of known) for (const b of unknown) longer += a > b ? 1 : a === b ? 0.5 : 0;
  const chance = longer / (known.length * unknown.length);
  return Math.max(chance, 1 - chance);
}

function median(samples: readonly Sample[], isKnown: boolean): number {
  const sorted = samples
    .filter((one) => one.isKnown === isKnown)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

describe('who asks whether an address is known', () => {
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
    'ID-092 hears the same words, and in their long form the same silence before them',
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
      const told: string[] = [];
      const tooFar: string[] = [];
      for (const [name, ask] of Object.entries(CALLS)) {
        const order = emails
          .map((one) => ({ one, at: random.whole(0, 1_000_000) }))
          .toSorted((a, b) => a.at - b.at);
        const bodies = new Set<string>();
        const samples: Sample[] = [];
        for (const [turn, { one }] of order.entries()) {
          if (turn % AN_HOUR === 0) house.clock.pass(HOUR_MS);
          const answer = await ask(one.email);
          bodies.add(answer.body);
          samples.push({ isKnown: one.isKnown, ms: answer.ms });
        }
        expect([...bodies], name).toHaveLength(1);
        expect(Math.min(...samples.map(({ ms }) => ms)), name).toBeGreaterThanOrEqual(EVERY_MS);
        const ratio = median(samples, true) / median(samples, false);
        const apart = separability(samples);
        told.push(
          `${name}: told apart ${apart.toFixed(3)}, median ${median(samples, true).toFixed(2)} ms, ratio ${ratio.toFixed(3)}`,
        );
        if (apart > MOST_TOLD_APART) tooFar.push(name);
      }
      console.log(told.join('\n'));
      // Few samples say nothing about time.
      expect(isLongForm ? tooFar : []).toEqual([]);
    },
  );
});
