import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Direction } from '@exchange/core/seconds.ts';
import type { Demo } from '../../platform/demo.ts';
import { RISK_VERSION, type SecondsTerms } from './domain.ts';
import type { Seconds } from './service.ts';

const ASSET = 'USDT';
const d = (text: string): Decimal => Decimal.parse(text);
const RESERVE = d('100000');
const IN_ACCOUNT = d('2000');

/** The demo's terms for new positions. */
export const DEMO_TERMS: SecondsTerms = {
  isOpen: true,
  symbols: ['btcusdt', 'ethusdt', 'eosusdt', 'ltcusdt', 'xrpusdt', 'adausdt', 'dogeusdt', 'shibusdt'],
  durations: [
    { second: 30, rate: d('0.8'), minimum: d('5') },
    { second: 60, rate: d('0.85'), minimum: d('5') },
    { second: 120, rate: d('0.88'), minimum: d('10') },
    { second: 180, rate: d('0.9'), minimum: d('10') },
    { second: 300, rate: d('0.92'), minimum: d('20') },
  ],
  feeRate: d('0'),
  maxStake: d('500'),
  blockedCountries: [],
  openCountries: [],
};

/** The positions of the demo trader at the first start. */
const TRADER_POSITIONS: readonly (readonly [
  symbol: string,
  direction: Direction,
  stake: string,
  seconds: number,
])[] = [
  ['btcusdt', 'up', '20', 30],
  ['ethusdt', 'down', '15', 30],
  ['btcusdt', 'down', '25', 60],
  ['xrpusdt', 'up', '10', 60],
  ['btcusdt', 'up', '30', 120],
  ['ethusdt', 'up', '40', 300],
];

/**
 * Creates the demo's terms, its reserve, and the trader's seconds account and positions through the ordinary
 * use cases. There are no past positions, because results come from the index tape, which begins with the
 * first start. The first positions settle half a minute later.
 */
export async function seedSeconds(
  seconds: Seconds,
  hasPoint: () => boolean,
  { attempt, fund, once, trader }: Demo,
): Promise<void> {
  await attempt('seconds reserve', () => seconds.fund(ASSET, RESERVE, 'demo'));
  await attempt('seconds terms', async () => {
    if ((await seconds.terms()) === undefined)
      await seconds.publish(DEMO_TERMS, { by: 'demo', reason: 'the demo’s terms' });
  });
  await once('seconds account', async () => {
    await fund(trader, [{ asset: ASSET, amount: IN_ACCOUNT }]);
    await seconds.transfer(trader, ASSET, IN_ACCOUNT, true);
    await fund(trader, [{ asset: ASSET, amount: d('100000') }]);
  });
  await once('seconds risk', () => seconds.acceptRisk(trader, RISK_VERSION));
  for (const [index, [symbol, direction, stake, duration]] of TRADER_POSITIONS.entries()) {
    const ticket = { direction, stake: d(stake), seconds: duration };
    await once(`seconds position ${index}`, async () => {
      if (!hasPoint()) throw new Refused(refusal('closed', 'l.no_index'));
      await seconds.openForDemo(trader, symbol, ticket, `demo:trader:${index}`);
    });
  }
}
