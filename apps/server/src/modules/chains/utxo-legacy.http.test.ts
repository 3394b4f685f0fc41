import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { depositAddress, depositRecords } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalConfig, withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { Litecoind, malleated, testAccountXpub, withoutLitecoind } from '../../../testing/litecoind.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { anOldNodeProxy, type OldNodeProxy } from '../../../testing/old-node-proxy.ts';
import { operate } from '../../../testing/operators.ts';
import { comparedWithChain } from '../../../testing/restores.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { aUtxoSigner } from '../../../testing/test-utxo-signer.ts';
import { utxoSteps } from '../../../testing/utxo-steps.ts';
import { utxoState } from '../../commands/restore/chain-states.ts';
import { paymentsIn } from '../../commands/restore/signed-payments.ts';
import { readTransaction } from '../../platform/utxo/transactions.ts';
import { createSaver } from '../finance/testing/products.ts';
import { UtxoNode } from './utxo-node.ts';

const CONFIRMATIONS = 3;
/** An address that does not belong to the exchange. */
const RECEIVER = 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L';
/** Fee in DOGE that a user pays for a withdrawal. */
const FEE = Decimal.parse('4');

/**
 * A Litecoin node behind a proxy that reports the genesis block of Dogecoin, so that the exchange treats it as a
 * Dogecoin node. All addresses of the exchange are legacy ones (P2PKH), whose scripts are the same on both networks.
 */
describe.skipIf(withoutLitecoind() !== undefined)('coins of a network without segregated witness', () => {
  let node: Litecoind;
  let proxy: OldNodeProxy;
  let signer: Awaited<ReturnType<typeof aUtxoSigner>>;
  let exchange: TestExchange;
  let trader: TestTrader;

  beforeAll(async () => {
    node = await Litecoind.start(60);
    proxy = await anOldNodeProxy(node.url, { genesis: UTXO_NETWORKS.get('DOGE')!.genesis.regtest });
    signer = await aUtxoSigner({ code: 'DOGE', limit: '1000/100000', now: () => exchange.clock.now() });
    exchange = await anExchange({
      settings: {
        DOGE_RPC_URL: proxy.url,
        DOGE_RPC_AUTH_FILE: node.authFile,
        DOGE_XPUB: testAccountXpub('DOGE'),
        DOGE_CHAIN: 'regtest',
        DOGE_CONFIRMATIONS: `${CONFIRMATIONS}`,
        DOGE_SIGNER: signer.place,
        DOGE_SIGNER_SECRET_FILE: signer.secretFile,
        // The Litecoin node that stands for a Dogecoin node refuses fees above 10,000 units per byte.
        DOGE_FEE_RATE: '1000/2000/8000',
        SERVER_SECRET: SIGNED_SERVER_SECRET,
      },
    });
    await watch();
    trader = await createSaver(exchange, { DOGE: '5000' });
    await markAddressKnown(exchange, trader.id, 'DOGE', 'DOGE', RECEIVER);
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
  /**
   * Submits withdrawals whose receivers get these amounts after the fee, and runs the jobs so that the next batch pays
   * them.
   */
  const withdraw = async (...amounts: readonly string[]) => {
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    const ids: string[] = [];
    for (const amount of amounts) {
      const id = await approveWithdrawal({
        coin: 'DOGE',
        owner: trader.id,
        amount: Decimal.parse(amount).plus(FEE),
        address: RECEIVER,
      });
      ids.push(id);
    }
    await move();
    return ids;
  };
  const detail = (id: string) => trader.request(withdrawalDetail, { id });
  const variantsOf = async (id: string) => {
    const { rows } = await exchange.database.pool.query<{
      batch: string;
      txid: string;
      raw: string;
      fee: string;
      mined_as: string | null;
      without: string[];
    }>(
      `select v.batch::text as batch, v.txid, v.raw, v.fee::text as fee, v.mined_as, v.without
        from utxo_payment p join utxo_variant v on v.batch = p.batch where p.origin = $1 order by v.number`,
      [`withdrawal ${id}`],
    );
    return rows;
  };
  const channel = () => exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'utxo')!;
  const reason = () => channel().health().reason ?? '';
  const outputsOf = async (address: string) => {
    const { rows } = await exchange.database.pool.query<{ txid: string; spent_txid: string | null }>(
      'select txid, spent_txid from utxo_output where address = $1 order by block',
      [address],
    );
    return rows;
  };
  const bookedFees = async () => {
    await exchange.doors.treasury.treasury.bookFees();
    const { rows } = await exchange.database.pool.query<{ txid: string; amount: string }>(
      "select txid, amount::text as amount from treasury_payment where network = 'DOGE' and kind = 'gas'",
    );
    return rows.map(({ txid, amount }) => `${txid} ${Decimal.parse(amount)}`);
  };
  const expectHoldingsOfChain = async () => {
    const { rows } = await exchange.database.pool.query<{ address: string }>(
      'select address from utxo_address union select address from utxo_output',
    );
    const held = (await channel().wallets!.holdings(await node.height())).get('DOGE')!;
    const onChain = await node.received(...rows.map(({ address }) => address));
    expect(held.toString()).toBe(onChain.toString());
  };
  /**
   * Changes the id of a batch's transaction without changing its payments, as anybody can, mines it and returns the new
   * id.
   */
  const mineRenamed = async (raw: string) => {
    const renamed = malleated(raw);
    await node.rpc('generateblock', await node.rpc('getnewaddress', '', 'bech32'), [renamed]);
    await watch();
    return (await readTransaction(renamed)).txid;
  };

  it('UTXO-044 UTXO-048 a deposit to a legacy address is credited and spent by a batch with several withdrawals, whose fee follows the network', async () => {
    expect(await trader.request(withdrawalConfig, { currency: 'DOGE', network: 'DOGE' })).toMatchObject({
      paused: 0,
      channel: 'utxo',
    });
    const { address } = await trader.request(depositAddress, { currency: 'DOGE', network: 'DOGE' });
    expect(address).toMatch(/^D/);
    await node.pay({ [address]: '450' });
    await mineBlocks(CONFIRMATIONS);
    expect((await trader.request(depositRecords)).list).toMatchObject([{ amount: '450', status: 1 }]);
    const { withdrawalFees } = exchange.doors.treasury;
    await withdrawalFees.refresh();
    // The cost of a payment is that of a transaction of 226 bytes at 1,000 units (10^-8 DOGE) per byte.
    expect(withdrawalFees.view('DOGE')[0]!.cost!.toString()).toBe('0.00226');
    const before = await node.received(RECEIVER);
    const ids = await withdraw('20', '30');
    const [variant, ...others] = await variantsOf(ids[0]!);
    expect(others).toEqual([]);
    expect(await variantsOf(ids[1]!)).toEqual([variant]);
    // The raw transaction begins with version 1 and one input, without the marker of segregated witness.
    expect(variant!.raw).toMatch(/^0100000001/);
    // The transaction has 260 bytes: 10, one input of 148 and three outputs of 34 each. Its fee is 1,000 units per
    // byte.
    expect(variant!.fee).toBe('260000');
    expect(await node.rpc<string[]>('getrawmempool')).toEqual([variant!.txid]);
    await exchange.restart();
    await finish();
    for (const id of ids) expect(await detail(id)).toMatchObject({ status: 1, txid: variant!.txid });
    expect((await node.received(RECEIVER)).minus(before).toString()).toBe('50');
    expect(await bookedFees()).toEqual([`${variant!.txid} 0.0026`]);
    await expectHoldingsOfChain();
  });

  it('UTXO-047 change is spent when it is final and not before', async () => {
    const change = (await outputsOf(signer.signer.address)).at(-1)!;
    const [first] = await withdraw('21');
    expect(await outputsOf(signer.signer.address)).toMatchObject([{ txid: change.txid }]);
    const { inputs } = await readTransaction((await variantsOf(first!))[0]!.raw);
    expect(inputs.map(({ txid }) => txid)).toEqual([change.txid]);
    await mineBlocks(1);
    const [second] = await withdraw('22');
    expect(await variantsOf(second!)).toEqual([]);
    expect(reason()).toContain('0 DOGE can be spent now');
    await mineBlocks(CONFIRMATIONS - 1);
    await exchange.advanceTime(HOUR_MS);
    await move();
    await finish();
    expect([(await detail(first!)).status, (await detail(second!)).status]).toEqual([1, 1]);
    await expectHoldingsOfChain();
  });

  it('UTXO-022 UTXO-044 a replacement with a higher fee and without a returned withdrawal takes the place of the first', async () => {
    const before = await node.received(RECEIVER);
    const [paid, returned] = await withdraw('23', '24');
    await node.mineEmpty();
    await exchange.advanceTime(31 * MINUTE_MS);
    await watch();
    const [first, second] = await variantsOf(paid!);
    expect(BigInt(second!.fee)).toBeGreaterThan(BigInt(first!.fee));
    expect(await node.rpc<string[]>('getrawmempool')).toEqual([second!.txid]);
    await operate(exchange, `/ops/withdrawals/${returned}/return`, {
      reason: 'a test',
      because: 'userRequest',
    });
    await move();
    const third = (await variantsOf(paid!)).at(-1)!;
    expect(third.without).toEqual([`withdrawal ${returned}`]);
    await finish();
    expect(await detail(paid!)).toMatchObject({ status: 1, txid: third.txid });
    expect(await detail(returned!)).toMatchObject({ status: 6 });
    expect((await node.received(RECEIVER)).minus(before).toString()).toBe('23');
  });

  it('UTXO-043 a lie about an amount, or a previous transaction that is another one, is refused by name and nothing is signed', async () => {
    const { pool } = exchange.database;
    const [{ txid: change } = { txid: '' }] = (await outputsOf(signer.signer.address)).slice(-1);
    const count = signer.journal.count;
    const units = async (factor: number) =>
      pool.query('update utxo_output set units = units * $2 where txid = $1', [change, factor]);
    await units(2);
    const [id] = await withdraw('25');
    expect(reason()).toMatch(
      new RegExp(`the signer refused withdrawal ${id}: ${change}:1 holds \\d+, not \\d+`),
    );
    expect([signer.journal.count, await variantsOf(id!)]).toEqual([count, []]);
    await units(0.5);
    const other = await node.rpc('getrawtransaction', await node.pay({ [RECEIVER]: '1' }));
    proxy.previous.set(change, other);
    for (let round = 0; round < 2; round += 1) {
      await exchange.advanceTime(HOUR_MS);
      await move();
    }
    expect(reason()).toContain(`the previous transaction ${change} has the id`);
    expect([signer.journal.count, await variantsOf(id!)]).toEqual([count, []]);
    proxy.previous.clear();
    for (let round = 0; round < 2; round += 1) {
      await exchange.advanceTime(HOUR_MS);
      await move();
    }
    await finish();
    expect([(await detail(id!)).status, signer.journal.count]).toEqual([1, count + 1]);
  });

  it('UTXO-046 a transaction that is mined under another id pays its withdrawals once, its fee is booked, and its change is spent', async () => {
    const before = await node.received(RECEIVER);
    const [paid, returned] = await withdraw('26', '27');
    const [variant] = await variantsOf(paid!);
    const txid = await mineRenamed(variant!.raw);
    expect(txid).not.toBe(variant!.txid);
    // An operator returns a withdrawal that the mined transaction with the changed id has already paid; the withdrawal
    // stays paid.
    await operate(exchange, `/ops/withdrawals/${returned}/return`, {
      reason: 'a test',
      because: 'userRequest',
    });
    await move();
    expect(await variantsOf(paid!)).toEqual([{ ...variant!, mined_as: txid }]);
    await exchange.restart();
    await finish();
    for (const id of [paid!, returned!]) expect(await detail(id)).toMatchObject({ status: 1, txid });
    expect((await node.received(RECEIVER)).minus(before).toString()).toBe('53');
    expect(await bookedFees()).toContain(`${txid} 0.0026`);
    const events = exchange.log.lines.map(({ event }) => event);
    expect([events.includes('chains.batch_renamed'), events.includes('chains.batch_displaced')]).toEqual([
      true,
      false,
    ]);
    await expectHoldingsOfChain();
    const [next] = await withdraw('28');
    const { inputs } = await readTransaction((await variantsOf(next!))[0]!.raw);
    expect(inputs.map((input) => input.txid)).toEqual([txid]);
    await finish();
    expect((await detail(next!)).status).toBe(1);
  });

  it('UTXO-046 a withdrawal that was returned comes back when the transaction without it is mined under another id', async () => {
    const before = await node.received(RECEIVER);
    const [paid, returned] = await withdraw('20', '21');
    await operate(exchange, `/ops/withdrawals/${returned}/return`, {
      reason: 'a test',
      because: 'userRequest',
    });
    await move();
    const second = (await variantsOf(paid!)).at(-1)!;
    expect(second.without).toEqual([`withdrawal ${returned}`]);
    const txid = await mineRenamed(second.raw);
    await move();
    expect(await detail(returned!)).toMatchObject({ status: 3, stage: 'returning' });
    await finish();
    expect(await detail(paid!)).toMatchObject({ status: 1, txid });
    expect(await detail(returned!)).toMatchObject({ status: 6 });
    expect((await node.received(RECEIVER)).minus(before).toString()).toBe('20');
  });

  it('UTXO-046 after a re-org that contains the transaction with its own id, the withdrawal names that one and is paid once', async () => {
    const before = await node.received(RECEIVER);
    const [id] = await withdraw('29');
    const [variant] = await variantsOf(id!);
    const renamed = await mineRenamed(variant!.raw);
    await move();
    expect(await detail(id!)).toMatchObject({ status: 3, txid: renamed });
    await node.reorg(1, [variant!.raw]);
    await watch();
    await finish();
    expect(await detail(id!)).toMatchObject({ status: 1, txid: variant!.txid });
    expect((await node.received(RECEIVER)).minus(before).toString()).toBe('29');
    expect(await outputsOf(signer.signer.address)).not.toContainEqual(
      expect.objectContaining({ txid: renamed }),
    );
    await expectHoldingsOfChain();
  });

  it('UTXO-049 the comparison after a restore does not call a payment unpaid that was mined under another id', async () => {
    const { rows } = await exchange.database.pool.query<{ id: string; is_paid: boolean }>(
      `select substr(p.origin, 12) as id, not p.origin = any(v.without) as is_paid
        from utxo_payment p join utxo_variant v on v.batch = p.batch where v.mined_as is not null`,
    );
    const [paid, returned] = [rows.filter((row) => row.is_paid), rows.filter((row) => !row.is_paid)];
    expect([paid.length > 2, returned.length]).toEqual([true, 1]);
    const states = new Map([['DOGE', await utxoState(new UtxoNode(proxy.url, node.authFile), 'DOGE')]]);
    const compared = await comparedWithChain(exchange, states, paymentsIn([signer.folder]));
    expect(compared.paidKnown.map(({ id }) => id)).toEqual(expect.arrayContaining(paid.map(({ id }) => id)));
    expect(compared.notPaid).toEqual([]);
    // The node cannot show which transaction of this batch was mined under another id, so the comparison of a
    // restored database with the chain lists the withdrawal in `paidUnknown`, which people have to check.
    expect(compared.paidUnknown.map(({ id }) => id)).toEqual(returned.map(({ id }) => id));
  });

  it('UTXO-049 a batch that is adopted after it was mined under another id, and its outputs were deleted as spent, is settled by its change', async () => {
    const { pool } = exchange.database;
    const before = await node.received(RECEIVER);
    const [id] = await withdraw('30');
    const [variant] = await variantsOf(id!);
    const txid = await mineRenamed(variant!.raw);
    await mineBlocks(CONFIRMATIONS);
    await pool.query('delete from utxo_variant where batch = $1', [variant!.batch]);
    await pool.query('delete from utxo_batch where id = $1', [variant!.batch]);
    await pool.query('delete from utxo_output where spent_txid = $1', [txid]);
    await pool.query('update withdrawal set txid = null, block = null where id = $1', [id]);
    for (let round = 0; round < 3; round += 1) {
      await exchange.advanceTime(HOUR_MS);
      await move();
      await watch();
    }
    await move();
    expect(await variantsOf(id!)).toMatchObject([{ txid: variant!.txid, mined_as: txid }]);
    expect(await detail(id!)).toMatchObject({ status: 1, txid });
    expect((await node.received(RECEIVER)).minus(before).toString()).toBe('30');
  });

  it('UTXO-045 outputs whose previous transactions are too large for one request leave in several batches', async () => {
    for (let paid = 0; paid < 2; paid += 1) await node.payInLarge(signer.signer.address, '400', 900_000);
    await mineBlocks(CONFIRMATIONS);
    const ids = await withdraw('380', '381');
    await finish();
    const statuses = (await Promise.all(ids.map(detail))).map(({ status }) => status);
    expect(statuses.toSorted((left, right) => left - right)).toEqual([1, 3]);
    expect(reason()).toContain('1 payments on DOGE wait');
    await exchange.advanceTime(HOUR_MS);
    await move();
    await finish();
    expect((await Promise.all(ids.map(detail))).map(({ status }) => status)).toEqual([1, 1]);
    const [first, second] = await Promise.all(ids.map(async (id) => (await variantsOf(id))[0]!.batch));
    expect(first).not.toBe(second);
    await expectHoldingsOfChain();
    const { list } = await trader.request(spotAssets, { currency: 'DOGE' });
    expect(list[0]!.frozenCurrency).toBe('0');
  });
});
