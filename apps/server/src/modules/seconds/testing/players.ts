import { Decimal } from '@exchange/core/decimal.ts';
import { instant, later } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/seconds.ts';
import { eventually } from '../../../../testing/eventually.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';
import { DEMO_TERMS } from '../demo.ts';
import { RISK_VERSION } from '../domain.ts';

/** Publishes terms with a fee and a short duration that tests can wait for, and funds the reserve. */
export async function openSecondsMarket(exchange: TestExchange, reserve = '10000'): Promise<void> {
  const { seconds } = exchange.doors.seconds;
  const short = { second: 2, rate: Decimal.parse('0.8'), minimum: Decimal.parse('5') };
  const durations = [short, ...DEMO_TERMS.durations];
  const feeRate = Decimal.parse('0.01');
  await seconds.publish({ ...DEMO_TERMS, durations, feeRate }, { by: 'test', reason: 'a test' });
  await seconds.fund('USDT', Decimal.parse(reserve), 'demo');
}

/**
 * Prepares a user to open positions: moves `funds` from the spot account to the seconds account and accepts
 * the risk text. Creates a user with these funds if `existing` is undefined.
 */
export async function createPlayer(
  exchange: TestExchange,
  funds: string,
  existing?: TestTrader,
): Promise<TestTrader> {
  const player = existing ?? (await exchange.aUser({ USDT: funds }));
  await player.request(wire.secondsTransfer, { amount: funds, currency: 'USDT' });
  await player.request(wire.acceptSecondsRisk, { agreementVersion: RISK_VERSION });
  return player;
}

/** The request fields of a two-second position on BTC/USDT. */
export function ticket(direction: 'up' | 'down', openAmount: string) {
  return {
    openAmount,
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    ...wire.durationField('2'),
    tradeType: direction,
  } as const;
}

/**
 * Opens positions with different ends: one that wins, one that loses and is refunded, one that becomes void, and
 * one that stays open.
 */
export async function runSecondsStory(exchange: TestExchange): Promise<void> {
  await openSecondsMarket(exchange);
  const [up, down] = [await createPlayer(exchange, '200'), await createPlayer(exchange, '100')];
  await up.request(wire.setSecondsLimits, { maxStake: '100' });
  const opened = [
    [up, await up.request(wire.openSeconds, ticket('up', '10'))],
    [down, await down.request(wire.openSeconds, ticket('down', '10'))],
  ] as const;
  for (const [player, { id }] of opened)
    await eventually(async () => {
      const { buyPrice } = await player.request(wire.secondsDetail, { id });
      if (buyPrice === undefined) throw new Error('not entered yet');
    });
  await exchange.setPrice('btcusdt', '50100');
  const now = exchange.clock.now();
  const period = { from: now, to: later(now, 60_000) };
  await exchange.doors.seconds.seconds.declareVoid('ethusdt', period, { by: 'test', reason: 'a test' });
  const voided = await up.request(wire.openSeconds, { ...ticket('up', '10'), baseCoin: 'ETH' });
  for (const [player, { id }] of [...opened, [up, voided] as const])
    await eventually(async () => {
      const { status } = await player.request(wire.secondsDetail, { id });
      if (status === 0) throw new Error('not settled yet');
    });
  await refundLost(exchange, down, opened[1][1]);
  await up.request(wire.openSeconds, { ...ticket('up', '20'), ...wire.durationField('300') });
}

/** Declares an interval void that ends at a lost position's expiry, and refunds the position. */
async function refundLost(
  exchange: TestExchange,
  player: TestTrader,
  { id, expireTime }: { readonly id: string; readonly expireTime: number },
): Promise<void> {
  const { seconds, settling } = exchange.doors.seconds;
  const to = instant(expireTime);
  const author = { by: 'test', reason: 'a source was wrong' };
  await seconds.declareVoid('btcusdt', { from: later(to, -1_000), to }, author);
  await settling.refund();
  const { refund } = await player.request(wire.secondsDetail, { id });
  if (refund === undefined) throw new Error('not refunded');
}
