import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS, DAY_MS } from '@exchange/core/time.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Recurring } from './service.ts';

/**
 * Creates the demo trader's plan, once. The plan buys a basket of coins at the first start and then
 * every day at that time.
 */
export async function seedRecurring(recurring: Recurring, demo: Demo): Promise<void> {
  const request = {
    asset: 'USDT',
    amount: Decimal.parse('50'),
    coins: [
      { asset: 'BTC', share: 60 },
      { asset: 'ETH', share: 40 },
    ],
    schedule: {
      frequency: 'day' as const,
      weekday: undefined,
      monthDay: undefined,
      minute: Math.floor((demo.now % DAY_MS) / MINUTE_MS),
      timeZone: 'UTC',
    },
  };
  await demo.attempt('recurring buy', () =>
    recurring.createForDemo(demo.trader, request, demo.now, 'demo:trader:basket'),
  );
}
