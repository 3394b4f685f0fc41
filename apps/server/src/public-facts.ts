import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { ALERT_LIMIT } from '@exchange/core/price-alert.ts';
import type { Platform } from './app.ts';
import type { ListedPair } from './modules/assets/index.ts';
import type { Files } from './modules/files/index.ts';
import type { AccountLimits, Avatars } from './modules/identity/index.ts';
import { FAVORITE_LIMIT } from './modules/watchlist/index.ts';
import type { Products } from './products.ts';
import { HUB_LIMITS } from './platform/feed/feed.ts';
import type { LimitTable } from './platform/limits/limits.ts';
import { SESSION_LIMITS } from './platform/session/store.ts';

/**
 * Returns, by the setting's key, functions that return the current values of those public settings whose
 * values come from the configuration or from a product's terms instead of the table of settings, e.g. the fee
 * rate of the seconds contract.
 */
export function storedElsewhere({ chat, operator }: Platform['config'], products: () => Products) {
  const feeRate = async () => (await products().seconds.seconds.sharedTerms())?.feeRate.toString() ?? '0';
  const { entity, address, governingLaw, supportEmail } = operator;
  const values = new Map<string, () => Promise<string>>([
    ['contract_fee_rate', feeRate],
    ['customer_service_url', async () => chat?.url ?? ''],
    ['legal_entity', async () => entity ?? ''],
    ['legal_address', async () => address ?? ''],
    ['governing_law', async () => governingLaw ?? ''],
  ]);
  if (supportEmail !== undefined) values.set('customer_service_email', async () => supportEmail);
  return values;
}

/**
 * Returns the public URL of the site for links in emails: PUBLIC_URL if it is set. Otherwise the demo uses
 * its port on this machine, and a live exchange has none (undefined).
 */
export function siteUrlOf({ config }: Platform): string | undefined {
  if (config.publicUrl !== undefined) return config.publicUrl;
  return config.mode === 'demo' ? `http://localhost:${config.port}` : undefined;
}

/**
 * Returns the contact URL that push services receive with each push: the site's `https:` URL, or a fixed
 * `mailto:` address if the site has no such URL. Push services accept only these two kinds.
 */
export function pushContactOf({ config }: Platform): string {
  const url = config.publicUrl;
  return url?.startsWith('https:') === true ? url : 'mailto:operators@localhost';
}

/** Returns functions that assign an uploaded file to a user as the profile picture, and that remove it. */
export function avatarsIn(files: () => Files): Avatars {
  return {
    claim: async (tx, owner, id) => {
      await files().claim(tx, [id], { owner, purpose: 'avatar', about: owner });
    },
    remove: (tx, id) => files().remove(tx, [id]),
  };
}

/**
 * Returns the limits that apply to every account, as the API returns them: one object for all accounts. They
 * are taken from the limits that the server enforces; a limit per pair is the smallest of all pairs.
 */
export function accountLimitsOf(rates: LimitTable, pairs: readonly ListedPair[]): AccountLimits {
  const smallestOfPairs = (limit: 'maxOpenOrders' | 'maxStopOrders') =>
    Math.min(...pairs.map(({ filters }) => filters[limit]));
  return {
    ordersPerSecond: rates.order.perSecond,
    ordersAtOnce: rates.order.burst,
    changesPerSecond: rates.transfer.perSecond,
    withdrawalsPerDay: WITHDRAWALS_PER_DAY,
    withdrawalGapSeconds: 1 / rates.withdrawal.perSecond,
    readsPerMinute: rates.signedInRead.perSecond * 60,
    openOrdersPerPair: smallestOfPairs('maxOpenOrders'),
    stopOrdersPerPair: smallestOfPairs('maxStopOrders'),
    favorites: FAVORITE_LIMIT,
    priceAlerts: ALERT_LIMIT,
    sessions: SESSION_LIMITS.perUser,
    feedConnections: HUB_LIMITS.connectionsPerUser,
  };
}
