import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { financeProducts } from '@exchange/wire/finance.ts';
import * as wire from '@exchange/wire/spot.ts';
import { withdrawalConfig } from '@exchange/wire/withdrawal.ts';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { anExchange, type TestTrader } from '../../../testing/exchange.ts';
import { sequencerFixture } from '../../../testing/sequenced.ts';
import { command } from '../../platform/sequencer/command.ts';
import { audit, Eviction, houseAddress, Ledger, userAddress, worldAddress } from './index.ts';

const ASSETS = ['USDT', 'BTC'];
const input = z.object({
  from: z.string(),
  to: z.string(),
  asset: z.string(),
  amount: z.string(),
});
type Transfer = z.infer<typeof input>;

/** Creates a ledger of a few users over a real database; without `bounds`, nothing is evicted from memory. */
async function aLedger(bounds: { idleEpochs: number; maxOwners: number } | undefined) {
  const parts = await sequencerFixture();
  const ledger = new Ledger({ reader: parts.database.reader, log: parts.log });
  parts.sequencer.join(ledger);
  const available = (user: string) => userAddress(user as UserId, 'spot', 'available');
  const transfer = command({
    name: 'test.transfer',
    input,
    prepare: ({ from, to }) => ledger.prepareAll([from, to].filter((user) => user !== '') as UserId[]),
    run: (step, { from, to, asset, amount }: Transfer) => {
      const source = from === '' ? worldAddress(asset, 'demo') : available(from);
      const destination = to === '' ? houseAddress('fees') : available(to);
      const posting = { source, destination, asset, amount: Decimal.parse(amount) };
      ledger.post(step, 'faucet.claimed', null, [posting]);
      return from === '' ? '' : ledger.balance(source, asset).toString();
    },
  });
  parts.sequencer.register([transfer]);
  await parts.sequencer.start();
  const eviction = bounds === undefined ? undefined : new Eviction({ ...parts, ledger, ...bounds });
  return {
    ledger,
    end: () => parts.end(),
    evict: () => eviction?.evict() ?? 0,
    transfer: (asked: Transfer) =>
      parts.sequencer.execute(transfer, asked).catch((cause: unknown) => String(cause)),
    reload: () => ledger.load(),
    stored: async () => {
      const { rows } = await parts.testDatabase.pool.query<{ row: string }>(
        `select concat_ws(' ', address, asset, balance) as row from ledger_account order by address, asset`,
      );
      return rows.map(({ row }) => row);
    },
    audit: () => audit(parts.database.reader, []),
  };
}

describe('eviction of balances', () => {
  const users = Array.from({ length: 12 }, () => randomUUID() as string);
  const party = fc.constantFrom('', ...users);
  const transfers = fc.record({
    from: party,
    to: party,
    asset: fc.constantFrom(...ASSETS),
    amount: fc.constantFrom('1', '2.5', '40'),
  });

  it('LED-776 random commands have the same result with evictions between them as without', async () => {
    const bounds = { idleEpochs: 3, maxOwners: 3 };
    const [plain, evicting] = await Promise.all([aLedger(undefined), aLedger(bounds)]);
    const asked = fc.sample(fc.record({ transfer: transfers, evict: fc.nat(2), reload: fc.nat(60) }), {
      numRuns: 400,
      seed: 11,
    });
    let evicted = 0;
    const inMemory: number[] = [];
    for (const { transfer, evict, reload } of asked) {
      expect(await evicting.transfer(transfer)).toBe(await plain.transfer(transfer));
      if (evict === 0) evicted += evicting.evict();
      if (evict === 0) inMemory.push(evicting.ledger.ownersInMemory);
      if (reload === 0) await evicting.reload();
    }
    expect(evicted).toBeGreaterThan(100);
    expect(Math.max(...inMemory)).toBeLessThanOrEqual(bounds.maxOwners);
    expect(await evicting.stored()).toEqual(await plain.stored());
    expect((await evicting.audit()).problems).toEqual([]);
    await Promise.all([plain.end(), evicting.end()]);
  });

  it('LED-775 a user whom a pending request needs is not evicted, however often idle users are evicted meanwhile', async () => {
    const { transfer, evict, ledger, audit: audited, end } = await aLedger({ idleEpochs: 0, maxOwners: 0 });
    const asked = fc.sample(transfers, { numRuns: 1_500, seed: 5 });
    const answers: Promise<string>[] = [];
    for (const [index, one] of asked.entries()) {
      answers.push(transfer(one));
      evict();
      if (index % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const wrong = (await Promise.all(answers)).filter((answer) => /not loaded|maintenance/.test(answer));
    expect(wrong).toEqual([]);
    expect((await audited()).problems).toEqual([]);
    evict();
    expect(ledger.ownersInMemory).toBe(0);
    await end();
  });

  it('LED-777 a balance of a user who is not in memory is never read as zero', async () => {
    const { ledger, end } = await aLedger({ idleEpochs: 0, maxOwners: 0 });
    expect(() => ledger.balance(userAddress(users[0] as UserId, 'spot', 'available'), 'USDT')).toThrow(
      'are not loaded',
    );
    await end();
  });

  it('LED-778 owners of open orders stay in memory, other users are loaded again when needed, and viewing Earn or a withdrawal loads nobody', async () => {
    const exchange = await anExchange();
    const { ledger, sequencer } = exchange.doors;
    const eviction = new Eviction({ ledger, sequencer, idleEpochs: 0, maxOwners: 0 });
    const order = (trader: TestTrader, tradeType: 'buy' | 'sell', price: string) =>
      trader.request(wire.createOrder, {
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        tradeType,
        orderType: 'limit',
        price,
        amount: '0.1',
      });
    const maker = await exchange.aUser({ BTC: '1' });
    const taker = await exchange.aUser({ USDT: '10000' });
    await order(maker, 'sell', '50000');
    eviction.evict();
    expect(ledger.ownersInMemory).toBe(1);
    await taker.request(financeProducts);
    await taker.request(withdrawalConfig, { currency: 'USDT', network: 'TRC20' });
    expect(ledger.ownersInMemory).toBe(1);
    await order(taker, 'buy', '50000');
    eviction.evict();
    expect(ledger.ownersInMemory).toBe(0);
    await order(maker, 'sell', '50100');
    await exchange.close();
  });
});
