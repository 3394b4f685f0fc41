import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { depositAddress, depositNetworks, depositRecords } from '@exchange/wire/deposit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { Litecoind, malleated, testAccountXpub, withoutLitecoind } from '../../../testing/litecoind.ts';
import { markAddressKnown } from '../../../testing/mark-address-known.ts';
import { evidenceOf, operate, operateAs } from '../../../testing/operators.ts';
import { expectComparison } from '../../../testing/restores.ts';
import { SIGNED_SERVER_SECRET } from '../../../testing/signers.ts';
import { aUtxoSigner } from '../../../testing/test-utxo-signer.ts';
import { utxoState } from '../../commands/restore/chain-states.ts';
import { UtxoNode } from './utxo-node.ts';
import { createSaver } from '../finance/testing/products.ts';
import { demoDestination } from './domain.ts';

/**
 * Numbers of confirmations that a deposit needs: `CONFIRMATIONS` below 10 coins, `MORE_CONFIRMATIONS` from 10 coins on.
 */
const CONFIRMATIONS = 2;
const MORE_CONFIRMATIONS = 4;
const OTHER_ADDRESS = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
const COLD = 'ltc1qwlezpr3890hcp6vva9twqh27mr6edadreqvhnn';
/** Addresses of receivers that do not belong to the exchange. */
const FIRST_RECEIVER = 'ltc1qcr8te4kr609gcawutmrza0j4xv80jy8z4nqduv';
const RECEIVERS = ['ltc1qyeljcy9v88jg8sqvnqh0m5q390xruc5r98q9yy', OTHER_ADDRESS] as const;
const skipped = withoutLitecoind();

describe.skipIf(skipped !== undefined)('coins on a chain with unspent outputs', () => {
  let node: Litecoind;
  let signer: Awaited<ReturnType<typeof aUtxoSigner>>;
  let exchange: TestExchange;

  beforeAll(async () => {
    node = await Litecoind.start(5);
    signer = await aUtxoSigner({ cold: COLD });
    exchange = await anExchange({
      settings: {
        LTC_RPC_URL: node.url,
        LTC_RPC_AUTH_FILE: node.authFile,
        LTC_XPUB: testAccountXpub(),
        LTC_CHAIN: 'regtest',
        LTC_CONFIRMATIONS: `${CONFIRMATIONS}, 10=${MORE_CONFIRMATIONS}`,
        LTC_SIGNER: signer.place,
        LTC_SIGNER_SECRET_FILE: signer.secretFile,
        LTC_COLD_WALLET: COLD,
        LTC_FEE_RATE: '2/3/200',
        SERVER_SECRET: SIGNED_SERVER_SECRET,
      },
    });
    await watch();
  });
  afterAll(async () => {
    await exchange?.close();
    await signer?.close();
    await node?.stop();
  });

  // Runs the deposit job twice, because one run reads only a bounded number of blocks.
  const watch = async () => {
    await exchange.doors.deposits.jobs.watch();
    await exchange.doors.deposits.jobs.watch();
  };
  const mineBlocks = async (blocks: number, miner?: string) => {
    await node.mine(blocks, miner);
    await watch();
  };
  const available = async (trader: TestTrader) =>
    (await trader.request(spotAssets, { currency: 'LTC' })).list[0]!.availableCurrency;
  const records = async (trader: TestTrader) =>
    (await trader.request(depositRecords)).list.map(({ amount, confirm, needConfirm, status }) =>
      [amount, `${confirm}/${needConfirm}`, ['pending', 'credited', 'rejected'][status]].join(' '),
    );
  const addressOf = async (trader: TestTrader) =>
    (await trader.request(depositAddress, { currency: 'LTC', network: 'LTC' })).address;

  it('UTXO-004 UTXO-033 the network is served by its chain, with an address per user that is derived again before it is shown', async () => {
    const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
    expect((await ann.request(depositNetworks, { currency: 'LTC' })).list).toMatchObject([
      {
        network: 'LTC',
        channel: 'utxo',
        confirmations: CONFIRMATIONS,
        largerConfirmations: [{ from: '10', confirmations: MORE_CONFIRMATIONS }],
        status: 1,
      },
    ]);
    const [address, other] = [await addressOf(ann), await addressOf(bob)];
    expect(address).toMatch(/^ltc1q[a-z0-9]{38}$/);
    expect(other).not.toBe(address);
    expect(await addressOf(ann)).toBe(address);
    // A user who received a simulated deposit address before the network was configured receives a new address.
    const early = await exchange.aUser();
    const pretended = demoDestination(findCoinNetwork('LTC', 'LTC')!.network, early.id, 0).address;
    const { pool } = exchange.database;
    await pool.query("insert into deposit_address (owner, network, address, at) values ($1, 'LTC', $2, 0)", [
      early.id,
      pretended,
    ]);
    expect(await addressOf(early)).not.toBe(pretended);
    await pool.query("update deposit_address set address = $2 where owner = $1 and network = 'LTC'", [
      bob.id,
      OTHER_ADDRESS,
    ]);
    expect((await bob.call(depositAddress, { currency: 'LTC', network: 'LTC' })).code).not.toBe(1);
  });

  it('UTXO-005 UTXO-006 two customers in one transaction are credited once each with the confirmations of its whole amount, across a restart', async () => {
    const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
    await node.pay({ [await addressOf(ann)]: '1.5', [await addressOf(bob)]: '8.50000001' });
    await node.pay({ [await addressOf(ann)]: '0.25' });
    await mineBlocks(1);
    expect((await records(ann)).toSorted()).toEqual(['0.25 1/2 pending', '1.5 1/4 pending']);
    await mineBlocks(CONFIRMATIONS - 1);
    expect(await available(ann)).toBe('0.25');
    await exchange.restart();
    await node.mine(MORE_CONFIRMATIONS - CONFIRMATIONS);
    await Promise.all([watch(), watch()]);
    expect([await available(ann), await available(bob)]).toEqual(['1.75', '8.50000001']);
    expect(await records(bob)).toEqual(['8.50000001 4/4 credited']);
  });

  it('NET-028 several payments to a user in a block are credited with the confirmations of their sum, those of another user or block with their own', async () => {
    const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
    await node.pay({ [await addressOf(ann)]: '5' });
    await mineBlocks(1);
    await node.pay({ [await addressOf(ann)]: '4.5' });
    await node.pay({ [await addressOf(ann)]: '5.5' });
    await node.pay({ [await addressOf(bob)]: '9' });
    await mineBlocks(1);
    expect((await records(ann)).toSorted()).toEqual(['4.5 1/4 pending', '5 2/2 credited', '5.5 1/4 pending']);
    expect(await records(bob)).toEqual(['9 1/2 pending']);
    await mineBlocks(CONFIRMATIONS - 1);
    expect([await available(ann), await available(bob)]).toEqual(['5', '9']);
    await mineBlocks(MORE_CONFIRMATIONS - CONFIRMATIONS);
    expect(await available(ann)).toBe('15');
  });

  it('UTXO-007 a transaction that was replaced before a block never counts, and its replacement counts once', async () => {
    const [ann, bob] = [await exchange.aUser(), await exchange.aUser()];
    const first = await node.pay({ [await addressOf(ann)]: '0.5' });
    await watch();
    expect(await records(ann)).toEqual([]);
    const { txid: replacement } = await node.rpc<{ txid: string }>('bumpfee', first);
    expect(replacement).not.toBe(first);
    // A transaction that pays the user is replaced by another one that spends the same coins and pays another user.
    const misled = await node.pay({ [await addressOf(ann)]: '0.75' });
    const { vin } = await node.rpc<{ vin: { txid: string; vout: number }[] }>(
      'getrawtransaction',
      misled,
      true,
    );
    await node.send(
      await node.signedFrom({ txid: vin[0]!.txid, vout: vin[0]!.vout }, await addressOf(bob), '0.6'),
    );
    await mineBlocks(CONFIRMATIONS);
    expect(await records(ann)).toEqual(['0.5 2/2 credited']);
    expect(await records(bob)).toEqual(['0.6 2/2 credited']);
    expect((await ann.request(depositRecords)).list.map(({ txid }) => txid)).toEqual([replacement]);
  });

  it('UTXO-008 a deposit of a dropped block is rejected, and waits and is credited again once another block has it', async () => {
    const trader = await exchange.aUser();
    await node.pay({ [await addressOf(trader)]: '2' });
    await mineBlocks(1);
    expect(await records(trader)).toEqual(['2 1/2 pending']);
    await node.reorg(1);
    await watch();
    expect(await records(trader)).toEqual([expect.stringMatching('rejected')]);
    await mineBlocks(1);
    expect(await records(trader)).toEqual(['2 1/2 pending']);
    await mineBlocks(1);
    expect([await records(trader), await available(trader)]).toEqual([['2 2/2 credited'], '2']);
  });

  it('UTXO-009 the same payment under another id after a re-org is another deposit; the credited one is gone with an alarm and can be claimed', async () => {
    const trader = await exchange.aUser();
    const raw = await node.signedFrom(await node.legacyOutput('3'), await addressOf(trader), '1');
    await node.send(raw);
    await mineBlocks(CONFIRMATIONS);
    expect(await available(trader)).toBe('1');
    await node.reorg(CONFIRMATIONS, [malleated(raw)]);
    await watch();
    await mineBlocks(CONFIRMATIONS);
    expect((await records(trader)).map((text) => text.split(' ').at(-1))).toEqual(['credited', 'credited']);
    expect(await available(trader)).toBe('2');
    const response = await operate(exchange, '/ops/deposits/gone');
    expect(((await response.json()) as { gone: unknown[] }).gone).toMatchObject([
      { owner: trader.id, asset: 'LTC' },
    ]);
    expect(exchange.log.lines.some(({ event }) => event === 'deposits.credited_and_gone')).toBe(true);
  });

  it('UTXO-010 dust is no deposit, and the reward of a block waits until it can be spent', async () => {
    const trader = await exchange.aUser();
    await node.pay({ [await addressOf(trader)]: '0.00005459' });
    await mineBlocks(1, await addressOf(trader));
    expect((await records(trader)).map((text) => text.split(' ').slice(1).join(' '))).toEqual([
      '1/100 pending',
    ]);
    expect(exchange.log.lines.some(({ event }) => event === 'chains.dust_ignored')).toBe(true);
  });

  it('UTXO-011 a node that is away stops its own coin only, and nothing is lost when it is back', async () => {
    const trader = await exchange.aUser();
    const address = await addressOf(trader);
    await node.pay({ [address]: '0.125' });
    await node.mine(CONFIRMATIONS);
    await node.halt();
    // The exchange's own timer, or this call of the deposit job, has detected that the node is unreachable; this is
    // logged only once.
    await watch();
    expect(exchange.log.lines.filter(({ event }) => event === 'deposits.channel_not_heard')).toHaveLength(1);
    await node.launch();
    await watch();
    expect(await available(trader)).toBe('0.125');
  });

  const move = async () => {
    await exchange.doors.withdrawals.jobs.advance();
    await exchange.doors.withdrawals.jobs.advance();
  };
  const traders: TestTrader[] = [];
  /**
   * Returns at least `count` users who have coins and whose accounts may withdraw: all that earlier calls created,
   * then new ones. Each call advances the time by 25 hours.
   */
  const savers = async (count: number) => {
    while (traders.length < count) traders.push(await createSaver(exchange, { LTC: '100' }));
    await exchange.advanceTime(DAY_MS + HOUR_MS);
    return traders;
  };
  /** Submits a withdrawal and approves it directly, without the HTTP requests that other tests cover. */
  const withdraw = async (trader: TestTrader, amount: string, address: string = RECEIVERS[0]) => {
    await markAddressKnown(exchange, trader.id, 'LTC', 'LTC', address);
    const { withdrawals } = exchange.doors.withdrawals;
    const { id } = await withdrawals.submit(trader.id, {
      asset: 'LTC',
      network: 'LTC',
      amount: Decimal.parse(amount),
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    await exchange.doors.withdrawals.review.decide(id, 'approve', { by: 'an operator', persons: 2 });
    return { trader, id };
  };
  /**
   * Makes two withdrawals that are paid in one batch. An earlier withdrawal makes them wait for the next batch, so that
   * the result does not depend on when the jobs run.
   */
  const withdrawTogether = async (amounts: readonly [string, string]) => {
    const [early, left, right] = await savers(3);
    const first = await withdraw(early!, '0.021', FIRST_RECEIVER);
    await move();
    const both = [
      await withdraw(left!, amounts[0]),
      await withdraw(right!, amounts[1], RECEIVERS[1]),
    ] as const;
    await move();
    expect(await detail(both[0])).toMatchObject({ status: 3, stage: 'approved' });
    await exchange.advanceTime(MINUTE_MS);
    await Promise.all([move(), move()]);
    return [first, ...both] as const;
  };
  const detail = ({ trader, id }: Awaited<ReturnType<typeof withdraw>>) =>
    trader.request(withdrawalDetail, { id });
  const balances = async ({ trader }: { readonly trader: TestTrader }) => {
    const { availableCurrency, frozenCurrency } = (await trader.request(spotAssets, { currency: 'LTC' }))
      .list[0]!;
    return `${availableCurrency} ${frozenCurrency}`;
  };
  const variants = async (id: string) => {
    const { rows } = await exchange.database.pool.query<{
      txid: string;
      without: string[];
      mined: string | null;
    }>(
      `select v.txid, v.without, b.mined_txid as mined from utxo_payment p join utxo_batch b on b.id = p.batch
        join utxo_variant v on v.batch = b.id where p.origin = $1 order by v.number`,
      [`withdrawal ${id}`],
    );
    return rows;
  };
  /** Total that an address outside of the exchange has received, in LTC, with decimals. */
  const receivedBy = async (address: string) => (await node.received(address)).toString();
  const finish = async () => {
    await mineBlocks(CONFIRMATIONS);
    await move();
  };

  it('UTXO-024 withdrawals of a minute are one transaction, each is paid once and its fee is booked; the rest returns to the account', async () => {
    // The exchange's own address receives two outputs, because a batch cannot spend the change of a batch that is in no
    // block.
    for (const amount of ['30', '30']) await node.pay({ [signer.signer.address]: amount });
    await mineBlocks(MORE_CONFIRMATIONS);
    const [early, first, second] = await withdrawTogether(['1.001', '2.501']);
    const [details, others] = [await detail(first), await detail(second)];
    expect(details).toMatchObject({ status: 3, stage: 'sent' });
    expect(details.txid).toBe(others.txid);
    expect(details.txid).not.toBe((await detail(early)).txid);
    await exchange.restart();
    await finish();
    expect(await detail(first)).toMatchObject({ status: 1, realAmount: '1' });
    expect(await detail(second)).toMatchObject({ status: 1, realAmount: '2.5' });
    expect([await balances(first), await balances(second)]).toEqual(['98.999 0', '97.499 0']);
    expect([await receivedBy(RECEIVERS[0]), await receivedBy(RECEIVERS[1])]).toEqual(['1', '2.5']);
    // The balance that the exchange computed from the blocks it has read (`holdings`) equals the balance on
    // the chain.
    const { wallets } = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'utxo')!;
    const { rows } = await exchange.database.pool.query<{ address: string }>(
      'select address from utxo_address',
    );
    const onChain = await node.received(signer.signer.address, ...rows.map(({ address }) => address));
    const held = (await wallets!.holdings(await node.height())).get('LTC')!;
    expect(held.toString()).toBe(onChain.toString());
    const booked = async () =>
      (
        await exchange.database.pool.query<{ amount: string }>(
          "select amount::text as amount from treasury_payment where network = 'LTC' and kind = 'gas'",
        )
      ).rows;
    await exchange.doors.treasury.treasury.bookFees();
    const fees = await booked();
    expect(fees).toHaveLength(2);
    await exchange.doors.treasury.treasury.bookFees();
    expect(await booked()).toEqual(fees);
  });

  it('UTXO-025 TRE-142 a payment with a higher fee takes the place of the first, and exactly one of them is in a block', async () => {
    const before = await node.received(RECEIVERS[0]);
    const [trader] = await savers(1);
    const paid = await withdraw(trader!, '1.001');
    await move();
    const [first] = await variants(paid.id);
    // The transaction is left out of the next block and has been in no block for longer than the limit, so it is
    // replaced.
    await node.mineEmpty();
    await exchange.advanceTime(31 * MINUTE_MS);
    await watch();
    const signed = await variants(paid.id);
    expect(signed).toHaveLength(2);
    const pool = await node.rpc<string[]>('getrawmempool');
    expect(pool).toContain(signed[1]!.txid);
    expect(pool).not.toContain(first!.txid);
    // The fees that operators see are in this network's unit, units per virtual byte, and have no tip.
    const place = `/ops/withdrawals/${paid.id}`;
    const listed = await (await operate(exchange, `${place}/transactions`)).json();
    const { transactions } = listed as { transactions: readonly { maxFee: string; tip?: string }[] };
    for (const { maxFee, tip } of transactions)
      expect([maxFee, tip]).toEqual([expect.stringMatching(/^[\d.]+ units per vbyte$/), undefined]);
    const raise = { gwei: '150', reason: 'a test' };
    const proposed = await operateAs(exchange, 'owner', `${place}/raise-fee`, raise);
    const { proposal } = (await proposed.json()) as { proposal: string };
    const { facts } = await evidenceOf(exchange, 'approver', proposal);
    expect(facts).toMatchObject({ highest: '150 units per vbyte' });
    await finish();
    expect(await detail(paid)).toMatchObject({ status: 1, txid: signed[1]!.txid });
    expect((await node.received(RECEIVERS[0])).minus(before).toString()).toBe('1');
  });

  it('UTXO-026 a withdrawal that is returned leaves its batch: the others are paid, and it never is', async () => {
    const before = [await node.received(RECEIVERS[0]), await node.received(RECEIVERS[1])];
    const held = await balances({ trader: traders[1]! });
    const [, returned, paid] = await withdrawTogether(['1.001', '0.501']);
    await operate(exchange, `/ops/withdrawals/${returned.id}/return`, {
      reason: 'a test',
      because: 'userRequest',
    });
    await move();
    expect(await detail(returned)).toMatchObject({ status: 3, stage: 'returning' });
    expect((await variants(returned.id)).map(({ without }) => without)).toEqual([
      [],
      [`withdrawal ${returned.id}`],
    ]);
    await finish();
    expect([(await detail(returned)).status, (await detail(paid)).status]).toEqual([6, 1]);
    expect(await balances(returned)).toBe(held);
    expect((await node.received(RECEIVERS[0])).minus(before[0]!).toString()).toBe('0');
    expect((await node.received(RECEIVERS[1])).minus(before[1]!).toString()).toBe('0.5');
  });

  it('TRE-131 TRE-135 UTXO-032 a transfer that names no sender goes back to a typed address, once, also when its batch is replaced', async () => {
    const { treasury } = exchange.doors;
    const check = async () => {
      await treasury.returns.check();
      await move();
      await treasury.returns.check();
    };
    const txid = await node.pay({ [signer.signer.address]: '3' });
    await mineBlocks(MORE_CONFIRMATIONS);
    const { list } = await treasury.treasury.arrivals();
    const arrival = list.find((each) => each.txid === txid)!;
    const path = `/ops/treasury/arrivals/${arrival.id}/send-back`;
    const sendBack = async (fields: Readonly<Record<string, string>>) => {
      const answer = await operate(exchange, path, { reason: 'not ours', ...fields });
      return (await answer.json()) as { key?: string; id?: string };
    };
    expect(await sendBack({})).toMatchObject({ key: 'l.return_no_sender' });
    expect(await sendBack({ address: signer.signer.address })).toMatchObject({ key: 'l.return_own_address' });
    const before = await node.received(FIRST_RECEIVER);
    expect(await sendBack({ address: FIRST_RECEIVER })).toHaveProperty('id');
    await exchange.advanceTime(2 * MINUTE_MS);
    await check();
    const [sent] = (await treasury.returns.open()).list;
    expect(sent).toMatchObject({ isFromChain: false, txid: expect.any(String) as string });
    await node.mineEmpty();
    await exchange.advanceTime(31 * MINUTE_MS);
    await watch();
    await check();
    const [replaced] = (await treasury.returns.open()).list;
    expect(replaced!.txid).not.toBe(sent!.txid);
    await exchange.restart();
    await finish();
    await exchange.doors.treasury.returns.check();
    expect((await exchange.doors.treasury.returns.open()).list).toEqual([]);
    const [closed] = (await exchange.doors.treasury.returns.closed()).list;
    expect(closed).toMatchObject({ arrival: arrival.id, state: 'done', txid: replaced!.txid });
    const { fee } = findCoinNetwork('LTC', 'LTC')!;
    const back = (await node.received(FIRST_RECEIVER)).minus(before);
    expect(back.toString()).toBe(Decimal.parse('3').minus(fee).toString());
  });

  it('UTXO-027 whatever is lost between server and signer, a withdrawal is paid once', async () => {
    const before = await node.received(RECEIVERS[0]);
    const [trader] = await savers(1);
    const paid = await withdraw(trader!, '1.001');
    await signer.stop();
    await move();
    expect(await variants(paid.id)).toEqual([]);
    expect(exchange.doors.chains.health().isUp).toBe(false);
    await signer.start();
    await move();
    expect(await detail(paid)).toMatchObject({ status: 3, stage: 'sent' });
    // Deletes the rows of the batch from the database, as if an earlier backup was restored; the signer and the chain
    // still have the batch.
    const { pool } = exchange.database;
    await pool.query('delete from utxo_variant');
    await pool.query('delete from utxo_batch');
    await pool.query('update withdrawal set txid = null, block = null where id = $1', [paid.id]);
    await exchange.advanceTime(MINUTE_MS);
    for (let round = 0; round < 3; round += 1) {
      await exchange.advanceTime(HOUR_MS);
      await move();
    }
    expect(exchange.log.lines.some(({ event }) => event === 'chains.batch_adopted')).toBe(true);
    await finish();
    expect(await detail(paid)).toMatchObject({ status: 1 });
    expect((await node.received(RECEIVERS[0])).minus(before).toString()).toBe('1');
    expect(exchange.doors.chains.health().isUp).toBe(true);
  });

  it('UTXO-028 a payment above the limits of the signer waits with its reason, and holds up no other', async () => {
    const [rich, other] = await savers(2);
    const [large, small] = [await withdraw(rich!, '11.001'), await withdraw(other!, '0.501')];
    await move();
    expect(exchange.doors.chains.health().reason).toContain('more than is signed at once');
    await exchange.advanceTime(HOUR_MS);
    await move();
    await exchange.advanceTime(HOUR_MS);
    await move();
    await finish();
    expect([(await detail(large)).status, (await detail(small)).status]).toEqual([3, 1]);
  });

  it('WDR-1207 WDR-1208 a withdrawal is charged the fee rate for the size of a payment, and at least a quarter of the table’s fee', async () => {
    const { withdrawalFees } = exchange.doors.treasury;
    const charged = async (rate: bigint) => {
      // The node of a test chain estimates no fee rate, so the test sets one.
      const estimate = vi.spyOn(UtxoNode.prototype, 'feeRate').mockResolvedValue(rate);
      await withdrawalFees.refresh();
      estimate.mockRestore();
      const { fee, cost } = withdrawalFees.view('LTC')[0]!;
      return [fee.toString(), cost!.toString()];
    };
    await savers(1);
    // The cost is that of 141 virtual bytes: one input of the account and two outputs.
    expect(await charged(10_000n)).toEqual(['0.00025', '0.0000141']);
    expect(await charged(200_000n)).toEqual(['0.00034', '0.000282']);
    // The settings allow at most 200 units per virtual byte.
    expect(await charged(9_000_000n)).toEqual(['0.00034', '0.000282']);
    const paid = await withdraw(traders[0]!, '1');
    expect(await detail(paid)).toMatchObject({ fee: '0.00034', realAmount: '0.99966' });
    const before = await node.received(RECEIVERS[0]);
    await exchange.advanceTime(MINUTE_MS);
    await move();
    await move();
    await finish();
    expect(await detail(paid)).toMatchObject({ status: 1 });
    expect((await node.received(RECEIVERS[0])).minus(before).toString()).toBe('0.99966');
    await exchange.advanceTime(HOUR_MS);
  });

  it('KEY-037 after a restore, the batches that this signer has signed are compared with the chain', async () => {
    await finish();
    const states = new Map([['LTC', await utxoState(new UtxoNode(node.url, node.authFile), 'LTC')]]);
    const { returned } = await expectComparison(exchange, signer.folder, states);
    expect(returned).not.toEqual([]);
  });
});
