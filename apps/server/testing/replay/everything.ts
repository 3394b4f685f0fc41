import { randomUUID } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, startOfDay } from '@exchange/core/time.ts';
import { claimFaucet } from '@exchange/wire/account.ts';
import { acceptConvert, convertQuote } from '@exchange/wire/convert.ts';
import { depositAddress, sendTestDeposit } from '@exchange/wire/deposit.ts';
import { buyFinance, withdrawFinance } from '@exchange/wire/finance.ts';
import { cancelChase, chaseDetail, createChase } from '@exchange/wire/chase.ts';
import { cancelGrid, createGrid, gridDetail } from '@exchange/wire/grid.ts';
import { cancelIceberg, createIceberg } from '@exchange/wire/iceberg.ts';
import { cancelLadder, createLadder } from '@exchange/wire/ladder.ts';
import { algoOrders, cancelTwap, createTwap, twapDetail } from '@exchange/wire/twap.ts';
import { CODE_TYPES, sendEmailCode } from '@exchange/wire/user.ts';
import { addAddress, setWhitelist, sendWithdrawalCode, submitWithdrawal } from '@exchange/wire/withdrawal.ts';
import { setInviteShare } from '@exchange/wire/invite.ts';
import { buyMining, redeemMining } from '@exchange/wire/mining.ts';
import * as wire from '@exchange/wire/spot.ts';
import {
  createProduct,
  createSaver,
  purchase,
  TRADE_PASSWORD,
} from '../../src/modules/finance/testing/products.ts';
import { Submission } from '../../src/platform/sequencer/submission.ts';
import { soldProject } from '../../src/modules/subscription/testing/projects.ts';
import { createMiningProduct } from '../../src/modules/mining/testing/products.ts';
import { limit, market, place } from '../../src/modules/spot/testing/orders.ts';
import { PRODUCT_CRAWLS } from '../crawls/product-crawls.ts';
import { eventually } from '../eventually.ts';
import type { TestExchange, TestTrader } from '../exchange.ts';
import { operate } from '../operators.ts';

const BTC = { baseCoin: 'BTC', quoteCoin: 'USDT' } as const;
const LTC = { baseCoin: 'LTC', quoteCoin: 'USDT' } as const;

/**
 * Executes commands of the exchange's modules. Calls `pause` several times between the commands. Returns the id of an
 * order that rested in the book, was partly filled and was then cancelled.
 */
export async function tradeEverything(
  exchange: TestExchange,
  pause: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  const anna = await exchange.aUser({ USDT: '100000', BTC: '3' });
  const bert = await exchange.aUser({ USDT: '100000', BTC: '3' });
  await anna.request(claimFaucet);
  const partlyFilled = await place(anna, limit('sell', '50000', '0.5'));
  await place(bert, limit('buy', '50000', '0.2'));
  await place(bert, market('sell', { amount: '0.01' })).catch(() => undefined);
  await place(
    bert,
    limit('buy', '49900', '0.3', { timeInForce: 'GTT', expireTime: String(exchange.clock.now() + 60_000) }),
  );
  await place(anna, limit('sell', '49900', '0.1'));
  await placeWaitingOrders(anna);
  const resting = await place(bert, limit('buy', '48000', '0.2', { takeProfitPrice: '52000' }));
  await bert.request(wire.amendOrder, { id: resting.id, takeProfitPrice: '0', stopLossPrice: '46000' });
  await bert.request(wire.amendOrder, { id: resting.id, stopLossPrice: '0' });
  const protectedBuy = await place(bert, limit('buy', '47000', '0.01', { takeProfitPrice: '52000' }));
  await bert.request(wire.amendOrder, {
    id: protectedBuy.id,
    takeProfitPrice: '51000',
    stopLossPrice: '46000',
  });
  await sellWithExits(anna, bert);
  await placeLadders(anna, bert);
  await bert.request(wire.amendOrder, { id: resting.id, price: '48100', amount: '0.25' });
  await place(anna, limit('sell', '48100', '0.05'));
  await place(bert, limit('sell', '50500', '0.1'));
  await place(bert, limit('buy', '50500', '0.1', { stp: 'decrement' }));
  await pause();
  await anna.request(wire.cancelOrder, { id: partlyFilled.id });
  await placeUnattendedOrders(exchange);
  await exchange.restart();
  await exchange.advanceTime(61_000);
  await place(anna, limit('sell', '51000', '0.02'));
  await bert.request(wire.cancelAllOrders, { tradeType: '2' });
  await exchange.advanceTime(DAY_MS);
  // The server pays the previous day's invitation rewards shortly after midnight, so the following commands run at
  // 02:00 UTC or later.
  const afterMidnight = exchange.clock.now() - startOfDay(exchange.clock.now());
  await exchange.advanceTime(Math.max(0, 2 * HOUR_MS - afterMidnight));
  await anna.request(claimFaucet);
  await linkInvitation(exchange, anna, bert);
  await exchange.doors.invite.reward();
  await place(anna, limit('sell', '50000', '0.01'));
  await place(bert, limit('buy', '50000', '0.01'));
  await runTwaps(exchange, anna);
  await runIcebergs(exchange);
  await runChases(exchange);
  await runGrids(exchange);
  await pause();
  await earnIncome(exchange);
  await transferCoins(exchange);
  await pause();
  await moveOwnMoney(exchange);
  await moveBetweenWallets(exchange);
  await sweepDepositAddresses(exchange);
  // From here on BTC is halted, so that the day's invitation reward remains unpaid.
  await exchange.doors.halting.halt('BTC', { by: 'test', reason: 'a reward is owed' });
  await holdAndReleaseReward(exchange, anna, bert);
  for (const { story } of PRODUCT_CRAWLS) await story?.(exchange);
  await exchange.doors.halting.halt('ETH', { by: 'test', reason: 'a look' });
  await exchange.doors.halting.lift('ETH', { by: 'test', reason: 'all is well' });
  return partlyFilled.id;
}

/**
 * Places an order that the server cancels when its client's connection ends, which happens at the server's restart, and
 * an order that a countdown cancels after the restart. Sets another countdown and cancels it.
 */
async function placeUnattendedOrders(exchange: TestExchange): Promise<void> {
  const program = await exchange.aUser({ USDT: '1000' });
  const { spot } = exchange.doors;
  const submissionOf = (operation: string, key: string) =>
    Submission.create({ actor: program.id, operation, key, sent: { key } });
  const order = {
    symbol: 'btcusdt',
    side: 'buy',
    type: 'limit',
    price: Decimal.parse('40000'),
    amount: Decimal.parse('0.001'),
    total: undefined,
    stopPrice: undefined,
    direction: undefined,
    trail: undefined,
    activation: undefined,
    exits: undefined,
    expireAt: undefined,
  } as const;
  for (const [clientId, sessionId] of [
    ['tied', '0192f0c1-2f3a-7bd5-9f6e-6d4a3c2b1a00'],
    ['counted', undefined],
  ] as const)
    await spot.placeNamed(program.id, order, { clientId, sessionId }, submissionOf('spot.place', clientId));
  for (const [symbol, durationMs] of [
    ['btcusdt', 5_000],
    ['btcusdt', 0],
    [undefined, 60_000],
  ] as const)
    await spot.setCountdown(
      program.id,
      { symbol, durationMs },
      submissionOf('spot.countdown', `${symbol ?? 'all'} ${durationMs}`),
    );
}

/** Links two users with different devices as inviter and invitee. The inviter shares part of the reward. */
async function linkInvitation(
  exchange: TestExchange,
  inviter: TestTrader,
  invitee: TestTrader,
): Promise<void> {
  const { pool } = exchange.database;
  await pool.query('update user_account set invited_by = $1 where id = $2', [inviter.id, invitee.id]);
  await pool.query(`update user_session set device_mark = sha256('another') where user_id = $1`, [
    invitee.id,
  ]);
  await inviter.request(setInviteShare, { points: '4' });
}

/**
 * The server holds a day's invitation reward because inviter and invitee may be the same person. Two operators release
 * it, but it remains unpaid, because BTC is halted.
 */
async function holdAndReleaseReward(
  exchange: TestExchange,
  inviter: TestTrader,
  invitee: TestTrader,
): Promise<void> {
  await exchange.database.pool.query(
    `insert into invite_mark (invitee, inviter, reasons, at, changed_at) values ($1, $2, '{device}', 0, 0)`,
    [invitee.id, inviter.id],
  );
  await exchange.doors.invite.reward();
  const path = `/ops/invite/marks/${invitee.id}/release`;
  const answer = await operate(exchange, path, { reason: 'two people on one computer' });
  if (answer.status !== 200) throw new Error(`not released: ${await answer.text()}`);
}

/**
 * Buys fixed-term products of both pay modes and a mining product. The orders earn income, mature, and are paid out or
 * redeemed.
 */
async function earnIncome(exchange: TestExchange): Promise<void> {
  const { finance, mining } = exchange.doors;
  const settle = async () => {
    await finance.jobs.settle();
    await mining.jobs.settle();
  };
  const mine = await createMiningProduct(exchange, 'mine', { cycle: 2 });
  await soldProject(exchange, await createSaver(exchange, { USDT: '1000' }));
  const paidOnce = await createProduct(exchange, 'once', { period: 2, isManual: true });
  const daily = await createProduct(exchange, 'daily', { period: 2, payMode: 'daily' });
  const saver = await createSaver(exchange, { USDT: '1000' });
  const { orderId } = await saver.request(buyFinance, purchase(paidOnce, '400'));
  await saver.request(buyFinance, purchase(daily, '300'));
  const mined = await saver.request(buyMining, purchase(mine, '200'));
  await exchange.advanceTime(2 * DAY_MS);
  await settle();
  await exchange.advanceTime(2 * DAY_MS);
  await saver.request(withdrawFinance, { id: orderId });
  await saver.request(redeemMining, { id: mined.orderId });
  await settle();
}

/** Deposits coins, converts some at a quote, and withdraws to an address of the address book. */
async function transferCoins(exchange: TestExchange): Promise<void> {
  const { convert, deposits, withdrawals } = exchange.doors;
  await exchange.advanceTime(1_000);
  await convert.convert.fund('BTC', Decimal.parse('1'), 'demo');
  const mover = await createSaver(exchange, { USDT: '1000' });
  const quote = await mover.request(convertQuote, { from: 'USDT', to: 'BTC', fromAmount: '100' });
  await mover.request(acceptConvert, { quoteId: quote.quoteId });
  const tron = { currency: 'USDT', network: 'TRC20' };
  const ethereum = { currency: 'USDT', network: 'ERC20' };
  await mover.request(sendTestDeposit, { ...ethereum, amount: '25' });
  await deposits.jobs.watch();
  await exchange.advanceTime(10 * MINUTE_MS);
  await deposits.jobs.watch();
  const address = 'TXWDBkB9Aqx23TWujNGkTedEogxzD2MkEc';
  const withdrawal = { ...tron, address, amount: '50' };
  const proofs = async (endpointPath: string, about = '') => {
    await exchange.advanceTime(61_000);
    if (endpointPath === submitWithdrawal.path) await mover.request(sendWithdrawalCode, withdrawal);
    else
      await mover.request(sendEmailCode, {
        email: mover.email,
        type: CODE_TYPES.address,
        act: endpointPath,
        about,
      });
    const mail = await fetch(`${exchange.url}/dev/mail.json?to=${mover.email}`);
    const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
    return { assetsPwd: TRADE_PASSWORD, code: list[0]!.code! };
  };
  await mover.request(addAddress, {
    ...tron,
    address,
    remark: 'TRC20',
    ...(await proofs(addAddress.path, new URLSearchParams({ ...tron, address }).toString())),
  });
  await mover.request(setWhitelist, { on: '1', ...(await proofs(setWhitelist.path, 'on=1')) });
  await exchange.advanceTime(DAY_MS);
  await mover.request(submitWithdrawal, {
    ...withdrawal,
    ...(await proofs(submitWithdrawal.path)),
  });
  // The withdrawal is sent after its waiting time and is completed by its confirmations. The job runs several
  // times, because some changes of a withdrawal are possible only after those of an earlier run.
  const advance = async () => {
    for (let step = 0; step < 4; step += 1) await withdrawals.jobs.advance();
  };
  const place = { asset: 'USDT', network: 'TRC20', address, memo: undefined };
  const payment = { ...place, origin: 'by hand', amount: Decimal.parse('29') };
  const { txid } = await exchange.doors.chains.chains.send(payment);
  for (const ms of [MINUTE_MS, 10 * MINUTE_MS]) {
    await exchange.advanceTime(ms);
    await advance();
  }
  const request = { ...place, amount: Decimal.parse('30'), addressId: undefined, remark: undefined };
  await leaveByExits(exchange, { owner: mover.id, request, txid });
  await advance();
}

/** Ends two withdrawals that are not sent: one is returned, the other was paid by hand in the transaction `txid`. */
async function leaveByExits(
  exchange: TestExchange,
  {
    owner,
    request,
    txid,
  }: {
    readonly owner: UserId;
    readonly request: Parameters<TestExchange['doors']['withdrawals']['withdrawals']['submit']>[1];
    readonly txid: string;
  },
): Promise<void> {
  const { halting } = exchange.doors;
  const { exits, review, withdrawals } = exchange.doors.withdrawals;
  // The withdrawal is requested with an API key and with a client order id (`orderName`).
  const byKey = {
    ...request,
    key: { id: randomUUID(), name: 'Payer', limit: Decimal.parse('100000') },
    orderName: 'story-1',
  };
  const returned = await withdrawals.submit(owner, byKey);
  const paid = await withdrawals.submit(owner, request);
  // While USDT is halted, the server sends no withdrawal, so operators can still choose another outcome.
  await halting.halt('USDT', { by: 'test', reason: 'withdrawals wait' });
  await review.decide(returned.id, 'approve', { by: 'test', persons: 2 });
  await exits.choose(returned.id, { kind: 'return', reason: 'userRequest' }, 'test');
  await exits.choose(paid.id, { kind: 'paid', txid }, 'test');
  await halting.lift('USDT', { by: 'test', reason: 'all is well' });
}

/**
 * Requests refills and surplus transfers between the wallets of a network and ends them in several ways. The commands
 * are executed directly. No chain is involved.
 */
async function moveBetweenWallets({ doors: { sequencer, treasury } }: TestExchange): Promise<void> {
  const { commands } = treasury;
  const request = async (kind: 'refill' | 'surplus', asset: string) => {
    const { id } = await sequencer.execute(commands.requestTransfer, {
      kind,
      network: 'ERC20',
      asset,
      amount: Decimal.parse('5'),
      source: '0x1111111111111111111111111111111111111111',
      destination: '0x2222222222222222222222222222222222222222',
    });
    return id!;
  };
  const by = { by: 'test', reason: 'a story' };
  const [refill, dropped] = [await request('refill', 'ETH'), await request('refill', 'USDT')];
  await sequencer.execute(commands.refill, { id: refill, txid: '0x1', received: Decimal.parse('6') });
  await sequencer.execute(commands.dropTransfer, { id: dropped });
  const [moved, cancelled] = [await request('surplus', 'ETH'), await request('surplus', 'USDT')];
  for (const id of [moved, cancelled])
    await sequencer.execute(commands.approveTransfer, { id, digest: 'd', ...by });
  await sequencer.execute(commands.transferSent, { id: moved, txid: '0x2', block: 7 });
  await sequencer.execute(commands.endTransfer, { id: moved, state: 'done' as const });
  await sequencer.execute(commands.cancelTransfer, { id: cancelled, ...by });
  await sequencer.execute(commands.endTransfer, { id: cancelled, state: 'cancelled' as const });
}

/** Plans sweeps of deposit addresses. One sweep is confirmed, another one dropped. Pauses and resumes sweeping. */
async function sweepDepositAddresses({ doors: { sequencer, treasury } }: TestExchange): Promise<void> {
  const { commands } = treasury;
  const plan = async (index: number) => {
    const { id } = await sequencer.execute(commands.planSweep, {
      network: 'ERC20',
      asset: 'USDT',
      index,
      address: `0x${String(index).repeat(40)}`,
      destination: '0x2222222222222222222222222222222222222222',
      amount: Decimal.parse('50'),
      gasLimit: '65000',
      mostFee: '1000000000',
      gas: Decimal.parse('0.001'),
    });
    return id!;
  };
  const [confirmed, dropped] = [await plan(1), await plan(2)];
  const { moveSweep, endSweep, pauseSweeps, resumeSweeps } = commands;
  await sequencer.execute(moveSweep, { id: confirmed, state: 'funded', gasTxid: '0x3' });
  await sequencer.execute(moveSweep, { id: confirmed, state: 'sent', txid: '0x4' });
  await sequencer.execute(endSweep, { id: confirmed, state: 'confirmed', txid: '0x4', block: 8 });
  await sequencer.execute(endSweep, { id: dropped, state: 'dropped', reason: 'out of date' });
  const by = { network: 'ERC20', by: 'test', reason: 'a story' };
  await sequencer.execute(pauseSweeps, by);
  await sequencer.execute(resumeSweeps, by);
}

/** Sends a transfer with an unknown memo back to its sender at the second attempt. The first one is cancelled. */
async function sendBack(exchange: TestExchange): Promise<void> {
  const { chains, deposits, sequencer, treasury } = exchange.doors;
  const { commands, returns } = treasury;
  const { address } = await (
    await exchange.aUser()
  ).request(depositAddress, { currency: 'XRP', network: 'XRP' });
  const { txid } = await chains.chains.send({
    origin: 'a wrong memo',
    network: 'XRP',
    asset: 'XRP',
    address,
    memo: '1',
    amount: Decimal.parse('60'),
  });
  await deposits.jobs.watch();
  await exchange.advanceTime(10 * MINUTE_MS);
  const { list } = await treasury.treasury.arrivals();
  const arrival = list.find((each) => each.txid === txid)!.id;
  const asked = { address: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY', memo: '5', fee: undefined };
  const by = { by: 'test', reason: 'a story' };
  const first = await returns.approve(arrival, asked, by);
  await sequencer.execute(commands.cancelReturn, { id: first.id, ...by });
  await sequencer.execute(commands.endReturn, { id: first.id, state: 'cancelled' as const });
  const second = await returns.approve(arrival, asked, by);
  await sequencer.execute(commands.returnSent, { id: second.id, txid: '5', block: 9 });
  await sequencer.execute(commands.endReturn, { id: second.id, state: 'done' as const });
}

/**
 * Assigns capital to a house account, books a payment, and corrects a user's balance so that the user owes a debt,
 * which a deposit reduces. Then credits a found transfer to the user, sends another one back to its sender, and pauses
 * and resumes a coin.
 */
async function moveOwnMoney(exchange: TestExchange): Promise<void> {
  const { deposits, treasury } = exchange.doors;
  const act = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    const answer = await operate(exchange, path, { reason: 'a story', ...fields });
    if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const payment = { network: 'BEP20', asset: 'USDT', amount: '500', txid: 'a'.repeat(64), remark: 'paper' };
  const capital = await act('/ops/treasury/register', payment);
  await act(`/ops/treasury/arrivals/${capital.id}/assign`, { account: 'interest' });
  await act('/ops/treasury/pay', { ...payment, account: 'interest', amount: '20', txid: 'b'.repeat(64) });
  const debtor = await exchange.aUser({ USDT: '10' });
  const debit = { side: 'debit', asset: 'USDT', amount: '40', account: 'interest', caseRef: 'T-1' };
  await act(`/ops/users/${debtor.id}/correct`, debit);
  await debtor.request(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount: '25' });
  await deposits.jobs.watch();
  await exchange.advanceTime(10 * MINUTE_MS);
  await deposits.jobs.watch();
  const found = await act('/ops/treasury/register', { ...payment, amount: '7', txid: 'c'.repeat(64) });
  await act(`/ops/treasury/arrivals/${found.id}/credit`, { owner: debtor.id });
  await sendBack(exchange);
  await treasury.treasury.pauseShort([{ asset: 'USDT', missing: Decimal.parse('100') }]);
  await act('/ops/treasury/pauses/usdt/lift');
}

async function placeWaitingOrders(trader: TestTrader): Promise<void> {
  await place(trader, {
    ...BTC,
    tradeType: 'sell',
    orderType: 'stopMarket',
    stopPrice: '48500',
    amount: '0.02',
  });
  await place(trader, { ...BTC, tradeType: 'sell', orderType: 'trailing', trailPct: '1', amount: '0.03' });
  await trader.request(wire.createOco, {
    ...BTC,
    tradeType: 'sell',
    amount: '0.04',
    limitPrice: '53000',
    stopPrice: '47000',
  });
}

/** Places two ladders. An order of the first is filled, and the second is cancelled. */
async function placeLadders(seller: TestTrader, buyer: TestTrader): Promise<void> {
  const ladder = {
    ...BTC,
    tradeType: 'sell',
    fromPrice: '52600',
    toPrice: '52800',
    count: '3',
    amount: '0.03',
  } as const;
  await seller.request(createLadder, ladder);
  await place(buyer, limit('buy', '52600', '0.01'));
  const { id } = await seller.request(createLadder, {
    ...ladder,
    sizes: 'rising',
    toPrice: '52900',
  });
  await seller.request(cancelLadder, { id });
}

/** Runs one TWAP order to its end and fills one of its child orders in part. Cancels another TWAP order. */
async function runTwaps(exchange: TestExchange, seller: TestTrader): Promise<void> {
  const buyer = await exchange.aUser({ USDT: '1000' });
  const request = {
    ...BTC,
    tradeType: 'buy',
    amount: '0.004',
    minutes: '1',
    count: '2',
    slippage: '0.05',
  } as const;
  await place(seller, limit('sell', '50000', '0.003'));
  const { id } = await buyer.request(createTwap, request);
  const childrenOf = async () => (await buyer.request(twapDetail, { id })).orders.length;
  await eventually(async () => {
    if ((await childrenOf()) !== 1) throw new Error('the first child is not placed');
  });
  const paused = await buyer.request(createTwap, { ...request, minutes: '60', limitPrice: '50000' });
  await exchange.advanceTime(30_000);
  await eventually(async () => {
    const { list } = await buyer.request(algoOrders);
    if (list.length !== 1) throw new Error('the TWAP order has not ended');
  });
  await buyer.request(cancelTwap, { id: paused.id });
}

/**
 * Places iceberg orders of two sellers at one price. A purchase fills hidden slices of both. Then places an iceberg
 * that trades immediately, and cancels it.
 */
async function runIcebergs(exchange: TestExchange): Promise<void> {
  const buyer = await exchange.aUser({ USDT: '20000' });
  const sellers = [await exchange.aUser({ BTC: '1' }), await exchange.aUser({ BTC: '1' })];
  const iceberg = {
    ...BTC,
    tradeType: 'sell',
    price: '50200',
    amount: '0.05',
    visible: '0.01',
  } as const;
  for (const seller of sellers) await seller.request(createIceberg, iceberg);
  await place(buyer, limit('buy', '50200', '0.065'));
  await exchange.restart();
  await place(buyer, limit('buy', '50200', '0.02', { stp: 'decrement' }));
  await place(buyer, limit('buy', '50100', '0.015'));
  const { id } = await sellers[0]!.request(createIceberg, { ...iceberg, price: '50100' });
  await sellers[0]!.request(cancelIceberg, { id });
}

/**
 * Runs a chase order through price moves, a fill, a restart and its expiry, and cancels another one. It
 * trades on LTC/USDT, on which no order of another function is open then. Trades on BTC/USDT would trigger
 * stop orders that fill the chase order.
 */
async function runChases(exchange: TestExchange): Promise<void> {
  const [follower, leader, seller] = [
    await exchange.aUser({ USDT: '5000' }),
    await exchange.aUser({ USDT: '5000' }),
    await exchange.aUser({ LTC: '5' }),
  ];
  const bid = (price: string) => limit('buy', price, '0.1', LTC);
  await place(leader, bid('98'));
  const request = {
    ...LTC,
    tradeType: 'buy',
    amount: '5',
    distance: '1',
    minutes: '1',
  } as const;
  const { id } = await follower.request(createChase, request);
  const follow = async (price: string, count: number) => {
    await place(leader, bid(price));
    await exchange.advanceTime(2_000);
    await eventually(async () => {
      const { chase } = await follower.request(chaseDetail, { id });
      if (chase.moveCount !== count)
        throw new Error(`the chase order has not followed: ${JSON.stringify(chase)}`);
    });
  };
  await follow('98.2', 1);
  await place(seller, limit('sell', '98.2', '1', LTC));
  await exchange.restart();
  await follow('98.4', 2);
  const other = await follower.request(createChase, { ...request, minutes: '60' });
  await follower.request(cancelChase, { id: other.id });
  await exchange.advanceTime(60_000);
  await leader.request(wire.cancelAllOrders, {});
}

/**
 * Runs two grids with the same price levels. One journal step fills orders of both. Then the server restarts, coins
 * that a grid order bought are sold one level higher, one order of a grid is cancelled, and a grid is cancelled with
 * the sale of its coins. Another grid ends at its stop-loss price.
 */
async function runGrids(exchange: TestExchange): Promise<void> {
  const traders = [await exchange.aUser({ USDT: '2000' }), await exchange.aUser({ USDT: '2000' })];
  const maker = await exchange.aUser({ USDT: '50000', BTC: '1' });
  await place(maker, limit('buy', '49950', '0.001'));
  await place(maker, limit('sell', '50050', '0.2'));
  const request = {
    ...BTC,
    lowerPrice: '48000',
    upperPrice: '52000',
    levels: '5',
    investment: '1000',
    slippage: '1',
    stopLossPrice: '47000',
    sellAtEnd: '1' as const,
  };
  const ids: string[] = [];
  for (const trader of traders) ids.push((await trader.request(createGrid, request)).id);
  await maker.request(wire.cancelAllOrders, {});
  await place(maker, limit('sell', '49000', '0.1', { timeInForce: 'IOC' }));
  await exchange.restart();
  await place(maker, limit('buy', '50000', '0.007', { timeInForce: 'IOC' }));
  const { orders } = await traders[0]!.request(gridDetail, { id: ids[0]! });
  await traders[0]!.request(wire.cancelOrder, { id: orders[0]!.id });
  await place(maker, limit('buy', '49500', '0.004'));
  await traders[1]!.request(cancelGrid, { id: ids[1]!, sell: '1' });
  await maker.request(wire.cancelAllOrders, {});
  await endGridAtStopLoss(exchange);
}

/**
 * Runs a grid on a pair with orders of two other users until its stop-loss price ends it and its coins are
 * sold.
 */
async function endGridAtStopLoss(exchange: TestExchange): Promise<void> {
  const pair = { baseCoin: 'LTC', quoteCoin: 'USDT' } as const;
  const [trader, maker] = [
    await exchange.aUser({ USDT: '1000' }),
    await exchange.aUser({ USDT: '5000', LTC: '50' }),
  ];
  const other = await exchange.aUser({ LTC: '50' });
  const order = (tradeType: 'buy' | 'sell', price: string, amount: string) =>
    ({ ...pair, tradeType, price, amount }) as const;
  await maker.request(wire.createOrder, order('buy', '99.9', '1'));
  await maker.request(wire.createOrder, order('sell', '100.1', '10'));
  const { id } = await trader.request(createGrid, {
    ...pair,
    lowerPrice: '95',
    upperPrice: '105',
    levels: '5',
    investment: '500',
    slippage: '1',
    stopLossPrice: '94',
    sellAtEnd: '1',
  });
  await maker.request(wire.cancelAllOrders, {});
  await maker.request(wire.createOrder, order('buy', '94', '0.1'));
  await maker.request(wire.createOrder, order('buy', '93.5', '2'));
  await exchange.restart();
  await other.request(wire.createOrder, { ...order('sell', '94', '20'), timeInForce: 'IOC' });
  const { grid } = await trader.request(gridDetail, { id });
  if (grid.reason !== 'stopLoss' || grid.soldBase !== '2')
    throw new Error(`the grid has not sold its coins: ${grid.reason}, ${grid.soldBase}`);
  await maker.request(wire.cancelAllOrders, {});
}

/**
 * Places an order that sells, with a take-profit and a stop-loss order that buy back. The buyer fills the sell order.
 */
async function sellWithExits(seller: TestTrader, buyer: TestTrader): Promise<void> {
  const exits = { takeProfitPrice: '48500', stopLossPrice: '54000', stopLossLimitPrice: '54100' };
  const sale = await place(seller, limit('sell', '52500', '0.01', exits));
  await seller.request(wire.amendOrder, { id: sale.id, takeProfitPrice: '48600' });
  await place(buyer, limit('buy', '52500', '0.01'));
}
