import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import {
  Litecoind,
  publicAddress,
  testAccountXpub,
  testColdXpub,
  withoutLitecoind,
} from '../../../testing/litecoind.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { anOldNodeProxy, type OldNodeProxy } from '../../../testing/old-node-proxy.ts';
import { operate } from '../../../testing/operators.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { aUtxoSigner } from '../../../testing/test-utxo-signer.ts';
import { utxoSteps } from '../../../testing/utxo-steps.ts';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { accountAddresses, BRANCH } from '../../platform/utxo/scripts.ts';
import { createSaver } from '../finance/testing/products.ts';
import { UtxoNode } from './utxo-node.ts';

const CONFIRMATIONS = 2;
const RECEIVER = 'ltc1qyeljcy9v88jg8sqvnqh0m5q390xruc5r98q9yy';
/** Number of transactions of a batch after which its fee is not raised automatically. */
const AUTOMATIC_MAX = 20;
const VARIANT_FEE_SCALE = 1_000_000_000n;

/**
 * The node refuses replacements, as nodes of Litecoin do without an option, and the proxy records the transactions that
 * are sent to the node.
 */
describe.skipIf(withoutLitecoind() !== undefined)('batches of a signer with a low daily limit', () => {
  let node: Litecoind;
  let proxy: OldNodeProxy;
  let signer: Awaited<ReturnType<typeof aUtxoSigner>>;
  let exchange: TestExchange;
  let trader: TestTrader;
  /** The cold wallet is an address of the node's wallet, whose coins the test can move. */
  let coldOnNode: string;
  let cold: string;

  beforeAll(async () => {
    node = await Litecoind.start(5, { acceptsReplacements: false });
    proxy = await anOldNodeProxy(node.url);
    coldOnNode = await node.rpc('getnewaddress', '', 'bech32');
    cold = publicAddress(coldOnNode);
    const now = (): number => exchange.clock.now();
    signer = await aUtxoSigner({ limit: '5/12', cold, now });
    exchange = await anExchange({
      settings: {
        LTC_RPC_URL: proxy.url,
        LTC_RPC_AUTH_FILE: node.authFile,
        LTC_XPUB: testAccountXpub(),
        LTC_CHAIN: 'regtest',
        LTC_CONFIRMATIONS: `${CONFIRMATIONS}`,
        LTC_SIGNER: signer.place,
        LTC_SIGNER_SECRET_FILE: signer.secretFile,
        LTC_COLD_WALLET: cold,
        LTC_COLD_XPUB: testColdXpub(),
        LTC_HOT_BOUNDS: '20/30/60',
        LTC_FEE_RATE: '2/50/200',
        SERVER_SECRET: SIGNED_SERVER_SECRET,
      },
    });
    await watch();
    trader = await createSaver(exchange, { LTC: '1000' });
    await markAddressKnown(exchange, trader.id, 'LTC', 'LTC', RECEIVER);
    await exchange.advanceTime(DAY_MS + HOUR_MS);
  });
  afterAll(async () => {
    await exchange?.close();
    await signer?.close();
    await proxy?.stop();
    await node?.stop();
  });

  const { watch, mineBlocks, move, finish, approveWithdrawal } = utxoSteps(
    () => ({ node, exchange }),
    CONFIRMATIONS,
  );
  const withdraw = (amount: string) =>
    approveWithdrawal({
      coin: 'LTC',
      owner: trader.id,
      amount,
      address: RECEIVER,
    });
  const statusOf = async (id: string) => (await trader.request(withdrawalDetail, { id })).status;
  const variantsOf = async (id: string) => {
    const { rows } = await exchange.database.pool.query<{ txid: string; raw: string; without: string[] }>(
      `select v.txid, v.raw, v.without from utxo_payment p join utxo_variant v on v.batch = p.batch
        where p.origin = $1 order by v.number`,
      [`withdrawal ${id}`],
    );
    return rows;
  };
  const channel = () => exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'utxo')!;
  const transfersAt = async (path: string) => {
    const answer = await operate(exchange, path);
    type Row = {
      readonly id: string;
      readonly kind: string;
      readonly amount: string;
      readonly state: string;
    };
    return ((await answer.json()) as { transfers: readonly Row[] }).transfers;
  };
  const checkHot = async () => {
    const { hot } = exchange.doors.treasury;
    await hot.check();
    await hot.check();
  };

  it('UTXO-042 coins at addresses of the extended key of cold storage count as held, and as no deposit', async () => {
    const held = async () => (await channel().wallets!.holdings(await node.height())).get('LTC')!;
    const account = await accountAddresses(UTXO_NETWORKS.get('LTC')!, testColdXpub());
    const before = await held();
    await node.pay({
      [account.placeAt(BRANCH.deposits, 0).address]: '1',
      [account.placeAt(BRANCH.own, 199).address]: '2',
      [account.placeAt(BRANCH.own, 200).address]: '4',
    });
    await mineBlocks(1);
    expect((await held()).minus(before).toString()).toBe('3');
    const hot = (await channel().hot!.balances('newest'))!.get('LTC')!;
    expect((await held()).isMore(hot)).toBe(true);
  });

  it('UTXO-040 TRE-037 a short account requests a refill, which its arrival at the own address closes', async () => {
    const heldBefore = (await channel().wallets!.holdings(await node.height())).get('LTC')!;
    await node.pay({ [signer.signer.address]: '10' });
    const txid = await node.pay({ [cold]: '50' });
    await mineBlocks(1);
    await checkHot();
    expect(await transfersAt('/ops/treasury/transfers')).toMatchObject([
      { kind: 'refill', amount: '20', destination: signer.signer.address, state: 'open' },
    ]);
    // The cold wallet pays the refill, and its change returns to the same address, so that the exchange's holdings
    // still include the change.
    const { vout } = await node.rpc<{ vout: { n: number; value: string }[] }>(
      'getrawtransaction',
      txid,
      true,
    );
    const { n } = vout.find(({ value }) => Decimal.parse(value).equals(Decimal.parse('50')))!;
    const source = { txid, vout: n };
    await node.send(await node.signedFrom(source, signer.signer.address, '20', coldOnNode));
    await mineBlocks(CONFIRMATIONS);
    await checkHot();
    const held = (await channel().wallets!.holdings(await node.height())).get('LTC')!;
    // The holdings grow by the two payments minus the fee of the refill.
    expect(held.minus(heldBefore).toString()).toBe('59.998');
    expect(await transfersAt('/ops/treasury/transfers')).toEqual([]);
    expect(await transfersAt('/ops/treasury/closed-transfers')).toMatchObject([
      { kind: 'refill', state: 'done', received: '20' },
    ]);
  });

  it('UTXO-036 a backlog above the limit of a day is paid in its order, and what does not fit is paid later', async () => {
    const ids = [await withdraw('5.001'), await withdraw('5.001'), await withdraw('5.001')];
    await move();
    await exchange.advanceTime(2 * MINUTE_MS);
    await move();
    await exchange.advanceTime(2 * MINUTE_MS);
    await move();
    await finish();
    expect(await Promise.all(ids.map(statusOf))).toEqual([1, 1, 3]);
    expect(channel().health().reason).toContain('within a day');
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    for (let round = 0; round < 3; round += 1) {
      await move();
      await exchange.advanceTime(HOUR_MS);
    }
    await finish();
    expect(await statusOf(ids[2]!)).toBe(1);
  });

  it('UTXO-029 a batch brings twenty of more than sixty small outputs together while fees are low', async () => {
    for (let paid = 0; paid < 62; paid += 1) await node.pay({ [signer.signer.address]: '0.01' });
    await node.pay({ [signer.signer.address]: '70' });
    await mineBlocks(CONFIRMATIONS);
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const id = await withdraw('1.001');
    await move();
    await finish();
    expect(await statusOf(id)).toBe(1);
    const { rows } = await exchange.database.pool.query<{ inputs: number }>(
      `select count(*)::int as inputs from utxo_payment p join utxo_input i on i.batch = p.batch where p.origin = $1`,
      [`withdrawal ${id}`],
    );
    expect(rows).toEqual([{ inputs: 21 }]);
  });

  it('UTXO-040 TRE-038 surplus of the account leaves to the cold wallet in a batch', async () => {
    const raised = { reason: 'surplus', most: '1000000000', version: '0' };
    expect((await operate(exchange, '/ops/treasury/ceilings/approver', raised)).status).toBe(200);
    await checkHot();
    const [surplus] = await transfersAt('/ops/treasury/transfers');
    expect(surplus).toMatchObject({ kind: 'surplus', destination: cold, state: 'open' });
    const before = await node.received(cold);
    const path = `/ops/treasury/transfers/${surplus!.id}/move`;
    expect((await operate(exchange, path, { reason: 'too much' })).status).toBe(200);
    await exchange.advanceTime(2 * MINUTE_MS);
    await checkHot();
    await finish();
    await mineBlocks(CONFIRMATIONS);
    await checkHot();
    expect((await node.received(cold)).minus(before).toString()).toBe(surplus!.amount);
    expect(await transfersAt('/ops/treasury/transfers')).toEqual([]);
  });

  it('UTXO-037 UTXO-038 a refused replacement is offered once a minute with the accepted transaction, and automatic raises leave some for people', async () => {
    // The node seems not to hold the transactions, so no children are made and only replacements are tested.
    const holds = vi.spyOn(UtxoNode.prototype, 'holds').mockResolvedValue(false);
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const [paid, returned] = [await withdraw('1.001'), await withdraw('1.002')];
    await move();
    const [first] = await variantsOf(paid);
    await node.mineEmpty();
    await exchange.advanceTime(31 * MINUTE_MS);
    await watch();
    const second = (await variantsOf(paid))[1]!;
    const sent = () => proxy.broadcasts.filter((raw) => [first!.raw, second.raw].includes(raw));
    // The first transaction was broadcast, then its replacement. The node refused the replacement, so the first one was
    // broadcast again.
    expect(sent()).toEqual([first!.raw, second.raw, first!.raw]);
    await watch();
    expect(sent()).toHaveLength(3);
    await exchange.advanceTime(MINUTE_MS);
    await watch();
    expect(sent().slice(3)).toEqual([second.raw, first!.raw]);
    for (let round = 0; round < AUTOMATIC_MAX + 1; round += 1) {
      await node.mineEmpty();
      await exchange.advanceTime(31 * MINUTE_MS);
      await watch();
    }
    expect(await variantsOf(paid)).toHaveLength(AUTOMATIC_MAX);
    expect(channel().health().reason).toContain('raise its fee by hand');
    await channel().raiseFee(`withdrawal ${paid}`, 150n * VARIANT_FEE_SCALE);
    expect(await variantsOf(paid)).toHaveLength(AUTOMATIC_MAX + 1);
    await operate(exchange, `/ops/withdrawals/${returned}/return`, {
      reason: 'a test',
      because: 'userRequest',
    });
    await move();
    expect((await variantsOf(paid)).at(-1)!.without).toEqual([`withdrawal ${returned}`]);
    // The first transaction, which the node accepted, makes the payment that is to be returned, so it is no longer
    // broadcast.
    const count = sent().length;
    await exchange.advanceTime(2 * MINUTE_MS);
    await watch();
    expect(sent()).toHaveLength(count);
    await finish();
    expect([await statusOf(paid), await statusOf(returned)]).toEqual([1, 1]);
    holds.mockRestore();
  });

  it('POL-015 a withdrawal that left in blocks which were read before it was looked up does not count as missing', async () => {
    const { coverage } = exchange.doors.proofs;
    const compared = async () => {
      await coverage.refresh();
      const row = coverage.health().rows!.find(({ asset }) => asset === 'LTC')!;
      return { state: row['state'], note: row['note'], difference: Number(row['difference']) };
    };
    await node.pay({ [signer.signer.address]: '10' });
    await mineBlocks(CONFIRMATIONS);
    await withdraw('1.001');
    await exchange.advanceTime(2 * MINUTE_MS);
    await move();
    const before = await compared();
    // The new blocks are read, but the job that updates the withdrawals has not run since, as just after a start of the
    // server.
    await node.mine(CONFIRMATIONS + 3);
    await watch();
    expect(await compared()).toMatchObject({
      state: 'not known',
      note: expect.stringContaining('withdrawals of LTC are not read up to block') as string,
    });
    await move();
    const after = await compared();
    expect(after.state).toBe(before.state);
    expect(Math.abs(after.difference - before.difference)).toBeLessThan(0.1);
  });

  it('UTXO-039 a batch that is adopted after its outputs were deleted as spent is settled by its transaction in a block', async () => {
    const { pool } = exchange.database;
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const id = await withdraw('1.003');
    await move();
    await mineBlocks(CONFIRMATIONS);
    const [{ txid } = { txid: '' }] = await variantsOf(id);
    await pool.query('delete from utxo_variant');
    await pool.query('delete from utxo_batch');
    await pool.query('delete from utxo_output where spent_block is not null');
    await pool.query('update withdrawal set txid = null, block = null where id = $1', [id]);
    for (let round = 0; round < 3; round += 1) {
      await exchange.advanceTime(HOUR_MS);
      await move();
      await watch();
    }
    await move();
    expect(await trader.request(withdrawalDetail, { id })).toMatchObject({ status: 1, txid });
  });
});
