import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { Litecoind, testAccountXpub, withoutLitecoind } from '../../../testing/litecoind.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { anOldNodeProxy, type OldNodeProxy } from '../../../testing/old-node-proxy.ts';
import { evidenceOf, operate, operateAs } from '../../../testing/operators.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { aUtxoSigner } from '../../../testing/test-utxo-signer.ts';
import { utxoSteps } from '../../../testing/utxo-steps.ts';
import { createSaver } from '../finance/testing/products.ts';
import { UtxoNode } from './utxo-node.ts';

const CONFIRMATIONS = 2;
const RECEIVER = 'ltc1qyeljcy9v88jg8sqvnqh0m5q390xruc5r98q9yy';
/** Number of transactions of a batch after which its fee is not raised automatically. */
const AUTOMATIC_MAX = 20;
/** Factor from smallest units (10^-8 LTC) per virtual byte to the unit of the fees of `raiseFee` and `addChild`. */
const VARIANT_FEE_SCALE = 1_000_000_000n;
/** Virtual sizes of a transaction with one payment and change, and of a child. */
const [PARENT_VBYTES, CHILD_VBYTES] = [141, 110];

interface World {
  readonly node: Litecoind;
  /** Proxy in front of the node, which records the transactions that are sent to the node. */
  readonly proxy: OldNodeProxy;
  readonly signer: Awaited<ReturnType<typeof aUtxoSigner>>;
  readonly exchange: TestExchange;
  readonly trader: TestTrader;
}

async function aWorld(acceptsReplacements: boolean): Promise<World> {
  const node = await Litecoind.start(5, { acceptsReplacements });
  const proxy = await anOldNodeProxy(node.url);
  const signer = await aUtxoSigner();
  const exchange = await anExchange({
    settings: {
      LTC_RPC_URL: proxy.url,
      LTC_RPC_AUTH_FILE: node.authFile,
      LTC_XPUB: testAccountXpub(),
      LTC_CHAIN: 'regtest',
      LTC_CONFIRMATIONS: `${CONFIRMATIONS}`,
      LTC_SIGNER: signer.place,
      LTC_SIGNER_SECRET_FILE: signer.secretFile,
      LTC_FEE_RATE: '2/50/200',
      SERVER_SECRET: SIGNED_SERVER_SECRET,
    },
  });
  await exchange.doors.deposits.jobs.watch();
  const trader = await createSaver(exchange, { LTC: '1000' });
  await markAddressKnown(exchange, trader.id, 'LTC', 'LTC', RECEIVER);
  await exchange.advanceTime(DAY_MS + HOUR_MS);
  return { node, proxy, signer, exchange, trader };
}

async function endOf(world: World | undefined): Promise<void> {
  await world?.exchange.close();
  await world?.signer.close();
  await world?.proxy.stop();
  await world?.node.stop();
}

/**
 * Expects a fee rate in smallest units (10^-8 LTC) per virtual byte within one per cent of `wanted`, because a
 * signature can be a byte shorter than planned.
 */
function expectRate(actual: number, wanted: number): void {
  expect(actual).toBeGreaterThan(wanted * 0.99);
  expect(actual).toBeLessThan(wanted * 1.01);
}

/**
 * Returns the actions and queries that the tests perform on the node, signer and exchange of a test group.
 */
function stepsIn(worldOf: () => World) {
  const { watch, mineBlocks, move, finish, approveWithdrawal } = utxoSteps(worldOf, CONFIRMATIONS);
  /**
   * Mines an empty block and advances the clock by more than the time after which waiting transactions are replaced.
   */
  const wait = async () => {
    await worldOf().node.mineEmpty();
    await worldOf().exchange.advanceTime(31 * MINUTE_MS);
    await watch();
  };
  const withdraw = async (amount: string) => {
    const { exchange, trader } = worldOf();
    const id = await approveWithdrawal({
      coin: 'LTC',
      owner: trader.id,
      amount,
      address: RECEIVER,
    });
    await exchange.advanceTime(2 * MINUTE_MS);
    await move();
    return id;
  };
  const fund = async (amount: string) => {
    await worldOf().node.pay({ [worldOf().signer.signer.address]: amount });
    await mineBlocks(CONFIRMATIONS);
  };
  const query = async <Row extends object>(text: string, ...values: readonly unknown[]) =>
    (await worldOf().exchange.database.pool.query<Row>(text, [...values])).rows;
  interface Variant {
    readonly txid: string;
    readonly raw: string;
    readonly fee: string;
    readonly without: string[];
  }
  const variantsOf = (id: string) =>
    query<Variant>(
      `select v.txid, v.raw, v.fee::text as fee, v.without from utxo_payment p join utxo_variant v on v.batch = p.batch
        where p.origin = $1 order by v.number`,
      `withdrawal ${id}`,
    );
  /**
   * The direct and indirect child transactions of the batch that pays a withdrawal, oldest first, each with
   * its signed transactions.
   */
  const childrenOf = (id: string) =>
    query<{
      id: string;
      spends: string;
      mined: string | null;
      txids: string[];
      raws: string[];
      fees: string[];
    }>(
      `with recursive below as (
         select b.* from utxo_batch b join utxo_payment p on p.batch = b.parent where p.origin = $1
         union all select b.* from utxo_batch b join below on b.parent = below.id
       ) select b.id::text as id, i.txid as spends, b.mined_txid as mined,
         array_agg(v.txid order by v.number) filter (where v.txid is not null) as txids,
         array_agg(v.raw order by v.number) as raws, array_agg(v.fee::text order by v.number) as fees
       from below b join utxo_input i on i.batch = b.id left join utxo_variant v on v.batch = b.id
       group by b.id, i.txid, b.mined_txid order by b.id`,
      `withdrawal ${id}`,
    );
  const channel = () => worldOf().exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'utxo')!;
  const detail = (id: string) => worldOf().trader.request(withdrawalDetail, { id });
  const pooled = () => worldOf().node.rpc<string[]>('getrawmempool');
  /**
   * Fee rate of a transaction together with its unconfirmed ancestors, as the node computes it, in smallest units
   * (10^-8 LTC) per virtual byte.
   */
  const packageRate = async (txid: string) => {
    const { ancestorsize, ancestorfees } = await worldOf().node.rpc<{
      ancestorsize: number;
      ancestorfees: number;
    }>('getmempoolentry', txid);
    return ancestorfees / ancestorsize;
  };
  const held = async () => {
    const { node, signer } = worldOf();
    const holdings = (await channel().wallets!.holdings(await node.height())).get('LTC')!;
    return [holdings.toString(), (await node.received(signer.signer.address)).toString()];
  };
  return {
    watch,
    mineBlocks,
    move,
    finish,
    wait,
    withdraw,
    fund,
    query,
    variantsOf,
    childrenOf,
    channel,
    detail,
    pooled,
    packageRate,
    held,
  };
}

describe.skipIf(withoutLitecoind() !== undefined)('children over a node that refuses replacements', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(false);
  });
  afterAll(() => endOf(world));
  afterEach(() => vi.restoreAllMocks());
  const steps = stepsIn(() => world);
  const { watch, finish, wait, withdraw, fund, variantsOf, childrenOf, channel, detail, pooled } = steps;

  const shownChildren = async () => {
    const answer = await operate(world.exchange, '/ops/networks/all/ltc/children');
    type Row = { readonly state: string; readonly txid: string; readonly spends: string };
    return ((await answer.json()) as { children: readonly Row[] }).children;
  };

  it('UTXO-052 a batch without change, or with too little for a child, stays as it is and health says why', async () => {
    // The fee of the first transaction would be 282 of the 400 units that remain. The other 118 units are below the
    // dust limit of 5,460 units, so there is no change output and the fee is 400 units.
    await fund('1.00000400');
    const whole = await withdraw('1.001');
    await wait();
    expect([await variantsOf(whole), await childrenOf(whole)]).toMatchObject([[{ fee: '400' }], []]);
    expect(channel().health().reason).toContain('waits and is not replaced');
    const byHand = await operate(world.exchange, `/ops/withdrawals/${whole}/add-child`, {
      gwei: '20',
      reason: 'a test',
    });
    expect(await byHand.json()).toMatchObject({ key: 'l.child_change' });
    await finish();
    expect(await detail(whole)).toMatchObject({ status: 1 });
    // The change of 5,700 units can pay the higher fee of a replacement, but a child would leave less than the dust
    // limit of 5,460 units.
    await fund('1.00005982');
    const small = await withdraw('1.001');
    await wait();
    expect([(await variantsOf(small)).length, await childrenOf(small)]).toEqual([2, []]);
    expect(channel().health().reason).toContain('gets no child: its change does not pay the fee of a child');
    await finish();
    expect(await detail(small)).toMatchObject({ status: 1 });
    expect(channel().health().isUp).toBe(true);
  });

  it('UTXO-050 UTXO-054 a batch whose replacement is refused gets one child, whatever is lost, and both are mined, booked and held once', async () => {
    await fund('20');
    const id = await withdraw('1.001');
    expect(await childrenOf(id)).toEqual([]);
    await wait();
    const [first, second] = await variantsOf(id);
    const [child] = await childrenOf(id);
    expect(child).toMatchObject({ spends: first!.txid, mined: null });
    expect((await pooled()).toSorted()).toEqual([first!.txid, child!.txids[0]!].toSorted());
    // Parent and child together pay the fee rate of the replacement that the node refused.
    expectRate(await steps.packageRate(child!.txids[0]!), Number(second!.fee) / PARENT_VBYTES);
    expect(Number(first!.fee) + Number(child!.fees[0])).toBeGreaterThan(
      ((PARENT_VBYTES + CHILD_VBYTES) * Number(first!.fee)) / PARENT_VBYTES,
    );
    // Simulates that the signer's answer was lost and the server restarted: the exchange obtains the same child from
    // the signer and makes no other.
    const { count } = world.signer.journal;
    await steps.query('delete from utxo_variant where batch = $1', child!.id);
    await world.exchange.restart();
    await watch();
    await world.exchange.advanceTime(2 * MINUTE_MS);
    await watch();
    expect(await childrenOf(id)).toEqual([child]);
    expect([world.signer.journal.count, (await variantsOf(id)).length]).toEqual([count, 2]);
    // The parent transaction of the child is broadcast again, and the refused replacement is not.
    const offered = world.proxy.broadcasts.slice(-2);
    expect(offered.toSorted()).toEqual([first!.raw, child!.raws[0]!].toSorted());
    await finish();
    expect(await detail(id)).toMatchObject({ status: 1, txid: first!.txid });
    expect(await childrenOf(id)).toMatchObject([{ mined: child!.txids[0] }]);
    const [holdings, onChain] = await steps.held();
    expect(holdings).toBe(onChain);
    const { treasury } = world.exchange.doors.treasury;
    await treasury.bookFees();
    await treasury.bookFees();
    const booked = await steps.query<{ txid: string; amount: string }>(
      "select txid, amount::text as amount from treasury_payment where network = 'LTC' and kind = 'gas'",
    );
    const amountsOf = (txid: string) =>
      booked.filter((each) => each.txid === txid).map(({ amount }) => amount);
    const coins = (fee: string) => Decimal.ofScaled(BigInt(fee), 8).toString();
    expect(amountsOf(first!.txid).map((each) => Decimal.parse(each).toString())).toEqual([coins(first!.fee)]);
    expect(amountsOf(child!.txids[0]!).map((each) => Decimal.parse(each).toString())).toEqual([
      coins(child!.fees[0]!),
    ]);
    // The child's output does not count as a payment from an address that is not the exchange's, although its
    // block also contains its parent, and the next batch spends this output.
    expect((await treasury.arrivals()).list.filter(({ txid }) => txid === child!.txids[0])).toEqual([]);
    const next = await withdraw('1.001');
    const [{ txid } = { txid: '' }] = await steps.query<{ txid: string }>(
      'select i.txid from utxo_payment p join utxo_input i on i.batch = p.batch where p.origin = $1',
      `withdrawal ${next}`,
    );
    expect(txid).toBe(child!.txids[0]);
    await finish();
    expect(await detail(next)).toMatchObject({ status: 1 });
  });

  it('UTXO-050 a miner who leaves out a transaction for its fee takes it with its child', async () => {
    const { node, exchange } = world;
    const id = await withdraw('1.001');
    await node.halt();
    // The transaction pays two units per virtual byte, but this node mines only transactions that pay at least two and
    // a half.
    await node.launch(['-blockmintxfee=0.000025']);
    await steps.mineBlocks(1);
    const [first] = await variantsOf(id);
    expect(await pooled()).toEqual([first!.txid]);
    await exchange.advanceTime(31 * MINUTE_MS);
    await watch();
    const [child] = await childrenOf(id);
    await finish();
    expect(await pooled()).toEqual([]);
    expect(await detail(id)).toMatchObject({ status: 1, txid: first!.txid });
    expect(await childrenOf(id)).toMatchObject([{ mined: child!.txids[0] }]);
    await node.halt();
    await node.launch();
    await watch();
  });

  it('UTXO-054 after a re-org that drops parent and child, both are offered again and mined', async () => {
    const id = await withdraw('1.001');
    await wait();
    const [child] = await childrenOf(id);
    await steps.mineBlocks(1);
    await steps.move();
    expect(await pooled()).toEqual([]);
    await world.node.reorg(1);
    await world.exchange.advanceTime(2 * MINUTE_MS);
    const before = world.proxy.broadcasts.length;
    await watch();
    const [first] = await variantsOf(id);
    expect(new Set(world.proxy.broadcasts.slice(before))).toEqual(new Set([first!.raw, child!.raws[0]!]));
    expect((await pooled()).toSorted()).toEqual([first!.txid, child!.txids[0]!].toSorted());
    await finish();
    expect(await detail(id)).toMatchObject({ status: 1, txid: first!.txid });
    expect(await childrenOf(id)).toMatchObject([{ mined: child!.txids[0] }]);
    const [holdings, onChain] = await steps.held();
    expect(holdings).toBe(onChain);
  });

  it('UTXO-053 if another transaction of the parent is mined, the child is closed without a fee, and nothing else was bound to it', async () => {
    const id = await withdraw('1.001');
    await wait();
    const [first, second] = await variantsOf(id);
    const [child] = await childrenOf(id);
    expect(child!.spends).toBe(first!.txid);
    // A miner includes the replacement that this node refused.
    await world.node.rpc('generateblock', await world.node.rpc('getnewaddress', '', 'bech32'), [second!.raw]);
    await watch();
    expect(await childrenOf(id)).toMatchObject([{ mined: null }]);
    await finish();
    expect(await detail(id)).toMatchObject({ status: 1, txid: second!.txid });
    expect(await childrenOf(id)).toMatchObject([{ mined: second!.txid }]);
    const { treasury } = world.exchange.doors.treasury;
    await treasury.bookFees();
    const booked = await steps.query<{ txid: string }>(
      'select txid from treasury_payment where txid = any($1)',
      [second!.txid, child!.txids[0]],
    );
    expect(booked).toEqual([{ txid: second!.txid }]);
    expect(world.exchange.log.lines.some(({ event }) => event === 'chains.child_closed')).toBe(true);
    expect(world.exchange.log.lines.some(({ event }) => event === 'chains.batch_displaced')).toBe(false);
    const [holdings, onChain] = await steps.held();
    expect(holdings).toBe(onChain);
  });

  it('UTXO-050 a child whose signature has no answer is signed once later, and holds up no payment meanwhile', async () => {
    await fund('3');
    const { signer, exchange } = world;
    const id = await withdraw('1.001');
    const holds = vi.spyOn(UtxoNode.prototype, 'holds').mockResolvedValue(false);
    await wait();
    expect(channel().health().reason).toContain('the node does not hold its transaction');
    expect(await childrenOf(id)).toEqual([]);
    holds.mockRestore();
    // Simulates a signer of an earlier version, which does not know requests for children and does not answer them.
    const answerTo = signer.signer.answerTo.bind(signer.signer);
    const answers = vi.spyOn(signer.signer, 'answerTo').mockImplementation(async (request) => {
      if (request.kind === 'child') throw new Error('an unknown kind');
      return answerTo(request);
    });
    const lines = () => exchange.log.lines.filter(({ event }) => event === 'chains.child_not_made').length;
    const logged = lines();
    await exchange.advanceTime(2 * MINUTE_MS);
    for (let round = 0; round < 3; round += 1) {
      await watch();
      await steps.move();
    }
    expect(lines()).toBe(logged + 1);
    const [planned] = await childrenOf(id);
    expect(planned!.txids).toBeNull();
    expect(await shownChildren()).toMatchObject([{ state: 'signing' }]);
    expect(channel().health().reason).toContain('gets no child: the signer hung up');
    const other = await withdraw('1.001');
    expect(await detail(other)).toMatchObject({ stage: 'sent' });
    await exchange.restart();
    await watch();
    answers.mockRestore();
    await watch();
    const children = await childrenOf(id);
    expect(children.map((child) => [child.id, child.txids.length])).toEqual([[planned!.id, 1]]);
    expect(await pooled()).toContain(children[0]!.txids[0]);
    expect(channel().health().isUp).toBe(true);
    await finish();
    expect([await detail(id), await detail(other)]).toMatchObject([{ status: 1 }, { status: 1 }]);
    expect(await childrenOf(id)).toMatchObject([{ mined: children[0]!.txids[0] }]);
  });

  it('UTXO-050 a child that is not signed when its parent is in a block is not made, and the change is spent by payments', async () => {
    const { signer, exchange } = world;
    const id = await withdraw('1.001');
    const holds = vi.spyOn(UtxoNode.prototype, 'holds').mockResolvedValue(false);
    await wait();
    holds.mockRestore();
    await signer.stop();
    await exchange.advanceTime(2 * MINUTE_MS);
    await watch();
    expect(await childrenOf(id)).toMatchObject([{ txids: null }]);
    await steps.mineBlocks(1);
    await signer.start();
    await watch();
    expect(await childrenOf(id)).toEqual([]);
    await finish();
    expect([(await detail(id)).status, channel().health().isUp]).toEqual([1, true]);
    const [{ txid } = { txid: '' }] = await variantsOf(id);
    const next = await withdraw('9.001');
    const inputs = await steps.query<{ txid: string }>(
      'select i.txid from utxo_payment p join utxo_input i on i.batch = p.batch where p.origin = $1',
      `withdrawal ${next}`,
    );
    expect(inputs.map((input) => input.txid)).toContain(txid);
    await finish();
    expect(await detail(next)).toMatchObject({ status: 1 });
  });

  it('UTXO-050 UTXO-055 a child that waits gets a child of its own, three are made automatically, and people add two more', async () => {
    const id = await withdraw('1.001');
    const rates: number[] = [];
    for (const count of [1, 2, 3]) {
      await wait();
      const children = await childrenOf(id);
      expect(children).toHaveLength(count);
      rates.push(await steps.packageRate(children.at(-1)!.txids[0]!));
    }
    expect(rates).toEqual(rates.toSorted((left, right) => left - right));
    expect(new Set(rates).size).toBe(3);
    await wait();
    expect(await childrenOf(id)).toHaveLength(3);
    expect(channel().health().reason).toContain('all automatic children were signed: add one by hand');
    // The batch of payments was not signed again: it still has its first transaction and one refused replacement.
    expect(await variantsOf(id)).toHaveLength(2);
    const { chains } = world.exchange.doors.chains;
    const origin = `withdrawal ${id}`;
    const planned = await chains.plannedChild('LTC', origin, 20n * VARIANT_FEE_SCALE);
    expect(planned).toMatchObject({ coin: 'LTC', payments: 1 });
    expect(planned.raisedCost.toString()).toBe('0.0001162');
    await expect(chains.plannedChild('LTC', origin, VARIANT_FEE_SCALE)).rejects.toMatchObject({
      refusal: { key: 'l.field_min' },
    });
    // The signer's highest fee rate of 300 units per virtual byte applies to the parent and all children together.
    await expect(chains.addChild('LTC', origin, 301n * VARIANT_FEE_SCALE)).rejects.toThrow(
      'is more than 300000',
    );
    // One operator proposes a further child, and another approves it.
    const place = `/ops/withdrawals/${id}/add-child`;
    const terms = { gwei: '20', reason: 'a test' };
    const other = await operate(world.exchange, place, { ...terms, gwei: '2' });
    expect(await other.json()).toMatchObject({ key: 'l.field_min' });
    const proposed = await operateAs(world.exchange, 'owner', place, terms);
    const { proposal } = (await proposed.json()) as { proposal: string };
    const { facts } = await evidenceOf(world.exchange, 'approver', proposal);
    expect(facts).toMatchObject({ highest: '20 units per vbyte', costs: '0.0001162 LTC' });
    const approved = await operate(world.exchange, place, terms);
    const { txid } = (await approved.json()) as { txid: string };
    expectRate(await steps.packageRate(txid), 20);
    await chains.addChild('LTC', origin, 25n * VARIANT_FEE_SCALE);
    await expect(chains.addChild('LTC', origin, 30n * VARIANT_FEE_SCALE)).rejects.toMatchObject({
      refusal: { key: 'l.child_number' },
    });
    expect(await childrenOf(id)).toHaveLength(5);
    const listed = await shownChildren();
    expect(listed.map(({ state }) => state)).toEqual([
      'inFlight',
      'inFlight',
      'inFlight',
      'inFlight',
      'inFlight',
    ]);
    expect(listed[3]).toMatchObject({ txid, spends: listed[2]!.txid, asset: 'LTC', transactions: 1 });
    await world.exchange.advanceTime(3 * HOUR_MS);
    expect((await shownChildren()).map(({ state }) => state)).toContain('stuck');
    await steps.mineBlocks(1);
    expect(new Set((await shownChildren()).map(({ state }) => state))).toEqual(new Set(['inBlock']));
    await finish();
    expect(await shownChildren()).toEqual([]);
    expect(await detail(id)).toMatchObject({ status: 1 });
    for (const { txids, mined } of await childrenOf(id)) expect(txids).toContain(mined);
    const [holdings, onChain] = await steps.held();
    expect(holdings).toBe(onChain);
    expect(channel().health().isUp).toBe(true);
  });

  it('UTXO-050 UTXO-052 a child pays for its parent at the rate of the node, up to the greatest of the settings', async () => {
    const id = await withdraw('1.001');
    vi.spyOn(UtxoNode.prototype, 'feeRate').mockResolvedValue(9_000_000n);
    await wait();
    const [child] = await childrenOf(id);
    expectRate(await steps.packageRate(child!.txids[0]!), 200);
    // The child alone pays more than the signer's highest fee rate of 300 units per virtual byte, which applies to
    // parent and child together.
    expect(Number(child!.fees[0]) / CHILD_VBYTES).toBeGreaterThan(300);
    await wait();
    expect(await childrenOf(id)).toHaveLength(1);
    expect(channel().health().reason).toContain('its fee has reached the bound');
    await finish();
    expect(await detail(id)).toMatchObject({ status: 1 });
  });

  it('UTXO-053 a return leaves a transaction with a child alone: it is not offered any more, and what is mined decides', async () => {
    const id = await withdraw('1.001');
    await wait();
    const [child] = await childrenOf(id);
    await operate(world.exchange, `/ops/withdrawals/${id}/return`, {
      reason: 'a test',
      because: 'userRequest',
    });
    await steps.move();
    const variants = await variantsOf(id);
    expect(variants.at(-1)!.without).toEqual([`withdrawal ${id}`]);
    const before = world.proxy.broadcasts.length;
    await world.exchange.advanceTime(2 * MINUTE_MS);
    await watch();
    expect(world.proxy.broadcasts.slice(before)).toEqual([variants.at(-1)!.raw]);
    await world.node.rpc('generateblock', await world.node.rpc('getnewaddress', '', 'bech32'), [
      variants.at(-1)!.raw,
    ]);
    await watch();
    await finish();
    expect(await detail(id)).toMatchObject({ status: 6 });
    expect(await childrenOf(id)).toMatchObject([{ id: child!.id, mined: variants.at(-1)!.txid }]);
  });

  it('UTXO-055 TRE-139 two operators add a child to the transaction of a return', async () => {
    const { exchange, node, signer } = world;
    const { treasury, returns } = exchange.doors.treasury;
    const check = async () => {
      await returns.check();
      await steps.move();
      await returns.check();
    };
    const txid = await node.pay({ [signer.signer.address]: '3' });
    await steps.mineBlocks(CONFIRMATIONS);
    const arrival = (await treasury.arrivals()).list.find((each) => each.txid === txid)!;
    await operate(exchange, `/ops/treasury/arrivals/${arrival.id}/send-back`, {
      reason: 'a test',
      address: RECEIVER,
    });
    await exchange.advanceTime(2 * MINUTE_MS);
    await check();
    const [sent] = (await returns.open()).list;
    const place = `/ops/treasury/returns/${sent!.id}/add-child`;
    const terms = { gwei: '20', reason: 'a test' };
    expect((await operateAs(exchange, 'approver', place, terms)).status).toBe(403);
    const proposed = await operateAs(exchange, 'owner', place, terms);
    const { proposal } = (await proposed.json()) as { proposal: string };
    const { facts, context } = await evidenceOf(exchange, 'approver', proposal);
    expect([facts, context]).toMatchObject([
      { highest: '20 units per vbyte' },
      // 251 virtual bytes (parent and child) at 20 units each.
      { raisedCost: '0.0000502 LTC' },
    ]);
    const approved = await operate(exchange, place, terms);
    const child = (await approved.json()) as { txid: string };
    expectRate(await steps.packageRate(child.txid), 20);
    await finish();
    await check();
    expect((await returns.closed()).list[0]).toMatchObject({ id: sent!.id, state: 'done' });
  });

  it('UTXO-056 a child that a restored database does not know is adopted, with its parent or alone, before or after it is mined', async () => {
    const { signer, exchange } = world;
    const id = await withdraw('1.001');
    await wait();
    const [child] = await childrenOf(id);
    // Simulates a restored backup from before the child: the signer names the existing child when the exchange requests
    // another one.
    const forget = async (batches: string) => {
      await steps.query(`delete from utxo_variant where batch in (${batches})`);
      await steps.query(`delete from utxo_batch where id in (${batches})`);
    };
    await forget('select id from utxo_batch where parent is not null');
    const { count } = signer.journal;
    await world.exchange.restart();
    await exchange.advanceTime(2 * MINUTE_MS);
    await watch();
    expect(await childrenOf(id)).toMatchObject([{ id: child!.id, txids: child!.txids }]);
    expect(signer.journal.count).toBe(count);
    // Simulates a restored backup from before the batch: the exchange stores the batch and its child from the signer's
    // answers.
    await forget('select id from utxo_batch');
    await steps.query('update withdrawal set txid = null, block = null where id = $1', id);
    for (let round = 0; round < 3; round += 1) {
      await exchange.advanceTime(HOUR_MS);
      await steps.move();
    }
    expect(await childrenOf(id)).toMatchObject([{ id: child!.id, txids: child!.txids }]);
    // Simulates a restored backup from before the child; parent and child are then mined.
    await forget('select id from utxo_batch where parent is not null');
    await finish();
    await watch();
    expect(await detail(id)).toMatchObject({ status: 1 });
    expect(await childrenOf(id)).toMatchObject([{ id: child!.id, mined: child!.txids[0] }]);
  });
});

describe.skipIf(withoutLitecoind() !== undefined)('children over a node that replaces', () => {
  let world: World;
  beforeAll(async () => {
    world = await aWorld(true);
  });
  afterAll(() => endOf(world));
  const steps = stepsIn(() => world);
  const { finish, wait, withdraw, fund, variantsOf, childrenOf, detail, pooled } = steps;

  it('UTXO-027 a replacement whose answer was lost is read from the signer, and the next one pays more', async () => {
    await fund('20');
    const id = await withdraw('1.001');
    await wait();
    const [, lost] = await variantsOf(id);
    await steps.query('delete from utxo_variant where txid = $1', lost!.txid);
    await wait();
    const variants = await variantsOf(id);
    expect(variants.map(({ txid }) => txid)).toContain(lost!.txid);
    expect([variants.length, await pooled()]).toEqual([3, [variants[2]!.txid]]);
    await finish();
    expect(await detail(id)).toMatchObject({ status: 1, txid: variants[2]!.txid });
  });

  it('UTXO-050 UTXO-053 a batch gets a child when automatic raises have ended, and a replacement by people pays more than both and makes the child useless', async () => {
    await fund('20');
    const id = await withdraw('1.001');
    for (let count = 1; count < AUTOMATIC_MAX; count += 1) await wait();
    expect([(await variantsOf(id)).length, (await childrenOf(id)).length]).toEqual([AUTOMATIC_MAX, 0]);
    await wait();
    const newest = (await variantsOf(id)).at(-1)!;
    const [child] = await childrenOf(id);
    expect(child!.spends).toBe(newest.txid);
    expect((await pooled()).toSorted()).toEqual([newest.txid, child!.txids[0]!].toSorted());
    // A waiting child is replaced by a version with a higher fee, because this node accepts replacements.
    await wait();
    const [raised] = await childrenOf(id);
    expect(raised!.txids).toHaveLength(2);
    expect(await pooled()).toContain(raised!.txids[1]);
    const { chains } = world.exchange.doors.chains;
    const origin = `withdrawal ${id}`;
    const sum = Number(newest.fee) + Number(raised!.fees[1]);
    const tooLow = BigInt(Math.floor(sum / PARENT_VBYTES)) * VARIANT_FEE_SCALE;
    await expect(chains.raiseFee('LTC', origin, tooLow)).rejects.toMatchObject({
      refusal: { key: 'l.field_min' },
    });
    const replacement = await chains.raiseFee('LTC', origin, 150n * VARIANT_FEE_SCALE);
    expect(await pooled()).toEqual([replacement!.txid]);
    const before = world.proxy.broadcasts.length;
    await world.exchange.advanceTime(2 * MINUTE_MS);
    await steps.watch();
    expect(world.proxy.broadcasts.slice(before)).not.toContain(raised!.raws[1]);
    await finish();
    expect(await detail(id)).toMatchObject({ status: 1, txid: replacement!.txid });
    expect(await childrenOf(id)).toMatchObject([{ mined: replacement!.txid }]);
  });
});
