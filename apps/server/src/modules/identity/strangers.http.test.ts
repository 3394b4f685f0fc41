import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGREEMENT_FIELDS } from '../../../testing/agreement-fields.ts';
import { anAddress } from '../../../testing/calling.ts';
import { solveChallenge, withSolvedChallenge, type ChallengeFields } from '../../../testing/proof-of-work.ts';
import { byForm } from '../../../../../tools/test-form.ts';
import { CODE_RULES, type Lane, type Purpose } from './domain/mailed-code.ts';
import { anEmail, GOOD_PASSWORD, identityHouse, type IdentityHouse } from './testing/identity-fixture.ts';

const HOUR_MS = 3_600_000;
type VisitorPurpose = 'register' | 'login' | 'reset';

describe('code requests by strangers', () => {
  let house: IdentityHouse;
  beforeAll(async () => {
    house = await identityHouse();
  });
  afterAll(() => house.close());

  const send = (email: string, purpose: VisitorPurpose, address: string, work: ChallengeFields = {}) =>
    purpose === 'reset'
      ? house.call(wire.sendForgetCode, { email, ...work }, { address })
      : house.call(wire.sendEmailCode, { email, type: wire.CODE_TYPES[purpose], ...work }, { address });
  /** Returns the first three bytes of the IP addresses in a network that no test has used. */
  const aNetwork = () => anAddress().split('.').slice(0, 3).join('.');

  /** Advances the clock by an hour, after which earlier mailed codes no longer count against the hourly limits. */
  const freshHour = () => house.clock.pass(HOUR_MS);
  /** Stores `count` mailed codes of the last hour, each requested from a different network. */
  const fillBudget = (lane: Lane, purpose: Purpose, count: number) =>
    house.testDatabase.pool.query(
      `insert into email_code
         (id, email, purpose, lane, code_hash, asked_from, asked_network, created_at, expires_at, closed_at)
       select gen_random_uuid(), gen_random_uuid() || '@used.example', $1, $2, '', 'used' || n, 'used' || n, $3, $3, $3
       from generate_series(1, $4::int) n`,
      [purpose, lane, BigInt(house.clock.now() - 1), count],
    );
  const crowd = (purpose: Purpose) => fillBudget('stranger', purpose, CODE_RULES.freeHour);

  it('ID-920 fifty networks exhaust the free part, and a newcomer registers after a small challenge', async () => {
    // The short form of the test simulates only a fifth of the networks, and uses up the rest of the budget with stored
    // codes.
    const networks = Array.from({ length: byForm(10, 50) }, aNetwork);
    let sentCount = 0;
    for (const network of networks) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => send(anEmail(), 'register', `${network}.${n + 1}`)),
      );
      sentCount += answers.filter(({ code }) => code === 1).length;
    }
    expect(sentCount).toBeGreaterThan((CODE_RULES.freeHour * 0.9 * networks.length) / 50);
    await fillBudget('stranger', 'register', CODE_RULES.freeHour - sentCount);

    const email = anEmail();
    const address = anAddress();
    const refused = await send(email, 'register', address);
    expect(refused).toMatchObject({ status: 429, code: -9, errKey: 'l.code_challenge' });
    expect(refused.data).toMatchObject({
      difficulty: '17',
      challenge: expect.stringMatching(/^17\./) as string,
    });
    expect((await send(email, 'register', address, solveChallenge(refused.data))).code).toBe(1);
    const [message] = await house.outbox.latest(email);
    const registered = await house.call(
      wire.register,
      {
        email,
        code: message?.code ?? '',
        password: GOOD_PASSWORD,
        confirmPassword: GOOD_PASSWORD,
        ...AGREEMENT_FIELDS,
      },
      { address },
    );
    expect(registered.code).toBe(1);
  });

  it('ID-922 a solution counts once, for its address, purpose and network address, and for three minutes', async () => {
    freshHour();
    await crowd('register');
    await crowd('login');
    const invalid = { code: -1, errKey: 'l.challenge_invalid', data: { field: 'solution' } };
    const email = anEmail();
    const address = anAddress();
    const work = solveChallenge((await send(email, 'register', address)).data);
    expect(await send(anEmail(), 'register', address, work)).toMatchObject(invalid);
    expect(await send(email, 'login', address, work)).toMatchObject(invalid);
    expect(await send(email, 'register', anAddress(), work)).toMatchObject(invalid);
    const easier = { ...work, challenge: work.challenge.replace(/^17/, '01') };
    expect(await send(email, 'register', address, easier)).toMatchObject(invalid);
    const later = work.challenge.replace(
      /\.([0-9a-z])/,
      (_, digit: string) => `.${digit === 'z' ? 'y' : 'z'}`,
    );
    expect(await send(email, 'register', address, { ...work, challenge: later })).toMatchObject(invalid);
    expect(await send(email, 'register', address, { ...work, solution: '0000000000' })).toMatchObject(
      invalid,
    );
    expect(await send(email, 'register', address, { solution: work.solution })).toMatchObject(invalid);
    expect(await send(email, 'register', address, { challenge: work.challenge })).toMatchObject(invalid);

    const answers = await Promise.all([1, 2, 3, 4].map(() => send(email, 'register', address, work)));
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
    expect(answers.filter(({ errKey }) => errKey === 'l.challenge_invalid')).toHaveLength(3);
    house.clock.pass(61_000);
    expect(await send(email, 'register', address, work)).toMatchObject(invalid);

    const lateSolution = solveChallenge((await send(email, 'register', address)).data);
    house.clock.pass(CODE_RULES.challengeMs);
    expect(await send(email, 'register', address, lateSolution)).toMatchObject(invalid);
    expect((await withSolvedChallenge((solution) => send(email, 'register', address, solution))).code).toBe(
      1,
    );
  });

  it('ID-920 a solution that was sufficient a moment ago is refused when the budget is nearly used up', async () => {
    freshHour();
    await crowd('register');
    const email = anEmail();
    const address = anAddress();
    const easy = solveChallenge((await send(email, 'register', address)).data);
    await fillBudget('stranger', 'register', 600);
    const again = await send(email, 'register', address, easy);
    expect(again).toMatchObject({ errKey: 'l.code_challenge', data: { difficulty: '20' } });
  });

  it('ID-921 an exhausted budget of registrations, sign-ins and resets, or owners leaves the others unaffected', async () => {
    const owner = await house.aUser();
    const budgets = [
      { lane: 'stranger', exhausts: 'register', closed: 'register', open: ['login', 'reset'] },
      { lane: 'stranger', exhausts: 'reset', closed: 'login', open: ['register'] },
      { lane: 'own', exhausts: 'withdraw', closed: undefined, open: ['register', 'login', 'reset'] },
    ] as const;
    for (const { lane, exhausts, closed, open } of budgets) {
      freshHour();
      await fillBudget(lane, exhausts, 1_000);
      const refused = closed === undefined ? undefined : (await send(anEmail(), closed, anAddress())).errKey;
      expect(refused).toBe(closed === undefined ? undefined : 'l.code_budget');
      for (const purpose of open) expect((await send(anEmail(), purpose, anAddress())).code, purpose).toBe(1);
      const answer = await house.call(
        wire.sendEmailCode,
        { email: owner.email, type: wire.CODE_TYPES.password },
        { token: owner.token, address: anAddress() },
      );
      expect(answer.errKey).toBe(closed === undefined ? 'l.code_budget' : undefined);
    }
  });

  it('ID-923 challenges and what follows are the same for addresses with and without an account', async () => {
    const user = await house.aUser();
    freshHour();
    for (const purpose of ['register', 'login', 'reset'] as const) {
      await crowd(purpose === 'reset' ? 'login' : purpose);
      const address = anAddress();
      const bodies = [];
      for (const email of [user.email, anEmail()]) {
        const refused = await send(email, purpose, address);
        const { challenge, difficulty } = refused.data as unknown as Record<
          'challenge' | 'difficulty',
          string
        >;
        const words = refused.body.replace(challenge, '');
        const passed = await send(email, purpose, address, solveChallenge(refused.data));
        const waiting = await send(email, purpose, address);
        bodies.push([words, challenge.length, difficulty, passed.body, waiting.body]);
        expect(await house.outbox.latest(email), purpose).not.toHaveLength(0);
      }
      expect(bodies[0], purpose).toEqual(bodies[1]);
      freshHour();
    }
  });

  it('ID-924 an owner on a known network, or signed in, never needs proof of work', async () => {
    const home = '198.51.100.90';
    const user = await house.aUser();
    const code = await house.codeFor(user.email, 'login');
    await house.call(wire.login, { account: user.email, code, password: user.password }, { address: home });
    freshHour();
    await crowd('login');
    expect((await send(anEmail(), 'login', home)).errKey).toBe('l.code_challenge');
    expect((await send(user.email, 'login', home)).code).toBe(1);
  });
});
