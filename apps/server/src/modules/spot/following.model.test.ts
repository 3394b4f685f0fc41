import { describe, expect, it } from 'vitest';
import { commitSeed } from '../../../../../tools/test-form.ts';
import { StateDiffers } from '../../platform/sequencer/followed-state.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import type { SpotOrder } from './domain/order.ts';
import type { SpotExchange } from './exchange.ts';
import { FollowedExchange } from './following.ts';
import { loadExchange } from './loading.ts';
import { RandomTrading } from './testing/random-trading.ts';
import { FIRST_SEQUENCE, RealExchange, USERS } from './testing/real-exchange.ts';
import { SideBySide } from './testing/side-by-side.ts';

/**
 * Least number of random commands of a run; the run continues until the standby was updated more than `LEAST_UPDATES`
 * times.
 */
const COMMANDS = 700;
const LEAST_UPDATES = 30;
const { signal } = new AbortController();

/** The complete state of an exchange in memory, in a comparable form. */
function stateOf(exchange: SpotExchange) {
  const orders = [...exchange.orders].toSorted((one, two) => (one.id < two.id ? -1 : 1));
  const idsOf = (list: Iterable<SpotOrder>) => Array.from(list, ({ id }) => id);
  return {
    orders,
    tradeSequence: exchange.tradeSequence,
    due: exchange.due.ids,
    owedExits: exchange.owedExits.ids,
    owedOtos: exchange.owedOtos.ids,
    unmarked: [...exchange.unmarked].map(({ pair }) => pair.symbol).toSorted(),
    legs: orders.map((order) => exchange.groups.legs(order)),
    otos: orders.map(({ oto }) => oto && exchange.otos.get(oto.id)),
    owners: USERS.map((owner) => ({
      orders: idsOf(exchange.orders.ofOwner(owner)),
      counts: [...exchange.markets.keys()].map((symbol) => {
        const { resting, waiting } = exchange.orders.countsOf(owner, symbol);
        return [resting, waiting];
      }),
    })),
    sessions: exchange.orders.sessionIds
      .toSorted()
      .map((session) => [session, idsOf(exchange.orders.ofSession(session))]),
    markets: [...exchange.markets.values()].map(({ book, stops, expiries, status, last, marking }) => ({
      bids: [...book.resting('buy')],
      asks: [...book.resting('sell')],
      problems: book.validate(),
      stops: stops.size,
      trailing: idsOf(stops.trailing.orders()).toSorted(),
      storedTrailing: stops.storedTrailing,
      expiries: [expiries.size, expiries.nextAt],
      expiring: idsOf(expiries.due(Number.MAX_SAFE_INTEGER as never)).toSorted(),
      status,
      last,
      marking,
    })),
  };
}

/** A standby that follows the stored rows of an exchange. */
async function standbyOf(real: RealExchange) {
  const { exchange, database } = real.another();
  const { ledger } = real;
  const followed = new FollowedExchange({ exchange, database, ledger });
  const inSnapshot = (work: (snapshot: Parameters<FollowedExchange['load']>[0]) => Promise<void>) =>
    database.copying((copy) => work({ copy, signal }));
  await inSnapshot((snapshot) => followed.load(snapshot));
  return {
    exchange,
    update: () => inSnapshot((snapshot) => followed.update(snapshot)),
    confirm: () => inSnapshot((snapshot) => followed.confirm(snapshot)),
    load: () => inSnapshot((snapshot) => followed.load(snapshot)),
  };
}

/** Requires that an exchange equals one that is loaded from the stored rows. */
async function requireLoaded(followed: SpotExchange, real: RealExchange): Promise<void> {
  const { exchange, database } = real.another();
  await loadExchange(exchange, database, real.ledger);
  expect(stateOf(followed)).toEqual(stateOf(exchange));
}

describe('the open orders of a standby', () => {
  it.each([1, 2_000_000 + (commitSeed % 1_000_000_000)])(
    'CLU-088 CLU-089 CLU-100 are those that a load would read after any commands: seed %i',
    async (seed) => {
      const real = await RealExchange.create();
      const pair = new SideBySide(real);
      const trading = new RandomTrading(seed, real.listings, USERS, FIRST_SEQUENCE);
      const random = seededRandom(seed + 1);
      const standby = await standbyOf(real);
      let updates = 0;
      for (let count = 0; count < COMMANDS || updates <= LEAST_UPDATES; count += 1) {
        expect(await pair.run(trading.next(pair.naive))).toBeUndefined();
        // The standby is mostly updated after a few commands, to test intermediate states; sometimes after hundreds.
        if (!random.chance(updates % 30 === 0 ? 0.01 : 0.25)) continue;
        await standby.update();
        await standby.confirm();
        updates += 1;
        if (updates % 8 === 0) await requireLoaded(standby.exchange, real);
      }
      expect(updates).toBeGreaterThan(LEAST_UPDATES);
    },
    120_000,
  );

  it('CLU-090 that differ from the stored ones are noticed', async () => {
    const real = await RealExchange.create();
    const pair = new SideBySide(real);
    const trading = new RandomTrading(7, real.listings, USERS, FIRST_SEQUENCE);
    for (let count = 0; count < 300; count += 1) await pair.run(trading.next(pair.naive));
    const standby = await standbyOf(real);
    await standby.confirm();
    const onBook = [...standby.exchange.orders].find(({ stop, oto }) => stop === undefined && !oto)!;

    standby.exchange.discard(onBook);
    await expect(standby.confirm()).rejects.toThrow(StateDiffers);
    standby.exchange.restore(onBook);
    await standby.confirm();
    standby.exchange.market(onBook.pair.symbol).bookToRestore().cancel(onBook.id);
    await expect(standby.confirm()).rejects.toThrow(/the book of .* differs/);
    await standby.load();
    await standby.confirm();
    await requireLoaded(standby.exchange, real);
  });
});
