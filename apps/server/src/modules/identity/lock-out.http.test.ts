import * as wire from '@exchange/wire/user.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SlowHash } from '../../platform/secrets/slow-hash.ts';
import { anAddress } from '../../../testing/calling.ts';
import { withSolvedChallenge } from '../../../testing/proof-of-work.ts';
import { identityHouse, type IdentityHouse, type TestUser } from './testing/identity-fixture.ts';

const MINUTE_MS = 60_000;
const LOGIN = wire.CODE_TYPES.login;
const NEW_PASSWORD = 'Indigo8river';

/** Tests attacks by strangers from any number of network addresses, and how they affect the owner of the account. */
describe('an account under attack', () => {
  let house: IdentityHouse;
  beforeAll(async () => {
    house = await identityHouse();
  });
  afterAll(() => house.close());

  const home = '198.51.100.20';
  /** Creates a user who signed in from the IP address `home` one day ago. */
  const anOwner = async (): Promise<TestUser> => {
    const user = await house.aUser();
    const code = await house.codeFor(user.email, 'login');
    const { data } = await house.call(
      wire.login,
      { account: user.email, code, password: user.password },
      { address: home },
    );
    house.clock.pass(24 * 60 * MINUTE_MS);
    return { ...user, token: data.token };
  };
  const askFor = (email: string, purpose: 'login' | 'reset', address: string) =>
    purpose === 'login'
      ? house.call(wire.sendEmailCode, { email, type: LOGIN }, { address })
      : house.call(wire.sendForgetCode, { email }, { address });
  const guess = (email: string) =>
    house.call(
      wire.login,
      { account: email, code: '000000', password: 'Wrong7password' },
      { address: anAddress() },
    );
  const guessReset = (email: string) =>
    house.call(
      wire.forgetPassword,
      { email, code: '000000', password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD },
      { address: anAddress() },
    );
  /**
   * Simulates attackers who every minute request a login code and a reset code for the user's email address,
   * and guess five times at each code.
   */
  const attack = async ({ email }: TestUser, minutes = 8) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      house.clock.pass(MINUTE_MS);
      await askFor(email, 'login', anAddress());
      await askFor(email, 'reset', anAddress());
      await Promise.all([1, 2, 3, 4, 5].flatMap(() => [guess(email), guessReset(email)]));
    }
  };
  const messageOf = async (email: string) => (await house.outbox.latest(email))[0]?.code ?? '';
  const login = (user: TestUser, code: string, address: string) =>
    house.call(wire.login, { account: user.email, code, password: user.password }, { address });

  it('ID-044 ID-025 its owner signs in at once from a network used before', async () => {
    const owner = await anOwner();
    await attack(owner);
    expect((await askFor(owner.email, 'login', home)).code).toBe(1);
    const code = await messageOf(owner.email);
    expect(code).toMatch(/^\d{6}$/);
    // Strangers guess after the owner's code was mailed and before the owner signs in. Their attempts neither
    // invalidate the owner's code nor reduce the owner's attempts.
    await attack(owner, 2);
    expect((await login(owner, code, home)).code).toBe(1);
  });

  it('ID-042 ID-044 its owner resets the password and signs in from anywhere, with only the mailbox', async () => {
    const owner = await anOwner();
    await attack(owner);
    const hotel = anAddress();
    const waited = async (purpose: 'login' | 'reset') => {
      const answer = await askFor(owner.email, purpose, hotel);
      if (answer.code === 1) return 0;
      expect(answer.errKey).toBe('l.code_wait');
      const seconds = Number((answer.data as unknown as { seconds: string }).seconds);
      house.clock.pass(seconds * 1_000);
      expect((await askFor(owner.email, purpose, hotel)).code).toBe(1);
      return seconds;
    };
    expect(await waited('reset')).toBeLessThanOrEqual(600);
    const code = await messageOf(owner.email);
    expect(code).toMatch(/^\d{16}$/);
    for (let n = 0; n < 20; n += 1) await guessReset(owner.email);
    const fields = { email: owner.email, code, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    expect((await house.call(wire.forgetPassword, fields, { address: hotel })).code).toBe(1);
    expect(await waited('login')).toBeLessThanOrEqual(600);
    const loginCode = await messageOf(owner.email);
    for (let n = 0; n < 20; n += 1) await guess(owner.email);
    expect((await login({ ...owner, password: NEW_PASSWORD }, loginCode, hotel)).code).toBe(1);
  });

  it('ID-025 a refused request leaves the last code valid, so its reader need not wait', async () => {
    const owner = await anOwner();
    await attack(owner);
    const code = await messageOf(owner.email);
    const purpose = (await house.outbox.latest(owner.email))[0]?.text.includes('logging in') === true;
    const hotel = anAddress();
    const answer = purpose
      ? await login(owner, code, hotel)
      : await house.call(
          wire.forgetPassword,
          { email: owner.email, code, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD },
          { address: hotel },
        );
    expect(answer.code).toBe(1);
  });

  it('ID-049 no password is checked without a correct code, so guesses cause no hashing load', async () => {
    const owner = await anOwner();
    const matches = vi.spyOn(SlowHash.prototype, 'matches');
    await attack(owner, 2);
    expect(matches).not.toHaveBeenCalled();
    expect((await askFor(owner.email, 'login', home)).code).toBe(1);
    await login(owner, await messageOf(owner.email), home);
    expect(matches).toHaveBeenCalledTimes(1);
    matches.mockRestore();
  });

  it('ID-041 its signed-in owner changes the password', async () => {
    const owner = await anOwner();
    await attack(owner, 6);
    const fields = { oldPassword: owner.password, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    const code = await house.codeFor(owner.email, 'password', owner.token);
    const answer = await house.call(wire.updatePassword, { ...fields, code }, { token: owner.token });
    expect(answer.code).toBe(1);
  });

  it('ID-122 strangers have fifty guesses a day at short codes of one purpose, from any number of addresses', async () => {
    const owner = await anOwner();
    await attack(owner, 10);
    const { rows } = await house.testDatabase.pool.query(
      `select purpose, sum(tries + stranger_tries)::int as guesses from email_code
       where email = $1 and digits = 6 and lane = 'stranger' and purpose in ('login', 'reset')
         and created_at > $2 group by purpose`,
      [owner.email, BigInt(house.clock.now() - 120 * MINUTE_MS)],
    );
    expect(rows).toHaveLength(2);
    for (const { guesses } of rows as { guesses: number }[]) {
      expect(guesses).toBeGreaterThan(0);
      expect(guesses).toBeLessThanOrEqual(50);
    }
  });

  it('ID-121 fifty addresses that request as much as possible leave codes for owners and other strangers', async () => {
    const owner = await anOwner();
    const askers = Array.from({ length: 50 }, () => anAddress());
    for (let n = 0; n < 12; n += 1) {
      await Promise.all(
        askers.map((address, index) => askFor(`a${index}x${n}@flood.example`, 'login', address)),
      );
    }
    const { rows } = await house.testDatabase.pool.query(
      "select count(*)::int as n from email_code where email like '%@flood.example'",
    );
    expect((rows as { n: number }[])[0]?.n).toBeGreaterThan(200);
    const newcomer = anAddress();
    const answer = await withSolvedChallenge((work) =>
      house.call(
        wire.sendEmailCode,
        { email: 'new@person.example', type: LOGIN, ...work },
        { address: newcomer },
      ),
    );
    expect(answer.code).toBe(1);
    expect((await askFor(owner.email, 'login', home)).code).toBe(1);
    await house.testDatabase.pool.query(
      `insert into email_code (id, email, purpose, code_hash, asked_from, created_at, expires_at, closed_at)
       select gen_random_uuid(), n || '@all.example', 'login', '', 'f' || n, $1, $1, $1
       from generate_series(1, 1000) n`,
      [BigInt(house.clock.now() - 1)],
    );
    await house.testDatabase.pool.query("delete from email_code where email like '%@flood.example'");
    expect(await askFor('late@person.example', 'login', anAddress())).toMatchObject({
      errKey: 'l.code_budget',
    });
    house.clock.pass(MINUTE_MS);
    expect((await askFor(owner.email, 'reset', home)).code).toBe(1);
  });
});
