import { Decimal } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, later, type Instant } from '@exchange/core/time.ts';

export interface Portion {
  readonly asset: AssetCode;
  readonly amount: Decimal;
}

const portion = (asset: AssetCode, amount: string): Portion => ({ asset, amount: Decimal.parse(amount) });

/** Amounts of play money that a user receives for one claim. */
export const CLAIM: readonly Portion[] = [
  portion('USDT', '10000'),
  portion('BTC', '0.05'),
  portion('ETH', '1'),
];

/** Play money with which the demo trader starts. */
export const DEMO_TRADER_FUNDS: readonly Portion[] = [
  portion('USDT', '50000'),
  portion('BTC', '0.75'),
  portion('ETH', '8'),
  portion('LTC', '40'),
  portion('XRP', '6000'),
  portion('ADA', '5000'),
  portion('DOGE', '25000'),
];

/** Earliest time at which a user may claim play money again after a claim at `claimedAt`. */
export function nextClaimAt(claimedAt: Instant): Instant {
  return later(claimedAt, DAY_MS);
}

/**
 * The refusal of a claim of play money less than 24 hours after the user's last claim; undefined if the user may claim
 * now.
 */
export function claimProblem(lastClaimAt: Instant | undefined, now: Instant): Refusal | undefined {
  if (lastClaimAt === undefined || now >= nextClaimAt(lastClaimAt)) return undefined;
  const hours = Math.ceil((nextClaimAt(lastClaimAt) - now) / HOUR_MS);
  return refusal('rateLimited', 'l.faucet_wait', {
    hours: String(hours),
    nextTime: String(nextClaimAt(lastClaimAt)),
  });
}
