import { otherChainsOf } from './address-family.ts';
import { canonicalAddress, isBurnAddress, isChainAddress, taggedAccount } from './chain-address.ts';
import { Decimal, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import { levelLimits, type KycLevel } from './kyc.ts';
import { findNetwork, KNOWN_NETWORKS, type Network } from './network-table.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, later, untilText, type Instant } from './time.ts';

/** Deposit and withdrawal settings of a coin on a network. Amounts are in the coin. */
export interface CoinNetwork {
  readonly asset: AssetCode;
  readonly network: Network;
  readonly minDeposit: Decimal;
  readonly minWithdrawal: Decimal;
  readonly maxWithdrawal: Decimal;
  /** Withdrawal fee in the withdrawn coin. It is subtracted from the withdrawn amount. */
  readonly fee: Decimal;
  /** Number of decimals of deposited and withdrawn amounts. Amounts on the chain may have more. */
  readonly digits: number;
}

/** Rows of [coin, network, minimum deposit, minimum withdrawal, maximum withdrawal, withdrawal fee, decimals]. */
const COIN_NETWORKS: readonly (readonly [string, string, string, string, string, string, number])[] = [
  ['USDT', 'TRC20', '1', '10', '100000', '1', 6],
  ['USDT', 'ERC20', '10', '20', '100000', '4', 6],
  ['USDT', 'BEP20', '1', '10', '100000', '0.3', 8],
  ['USDT', 'POLYGON', '1', '10', '100000', '0.2', 6],
  ['USDT', 'ARBITRUM', '1', '10', '100000', '0.2', 6],
  ['BTC', 'BTC', '0.0001', '0.0005', '5', '0.0001', 8],
  ['ETH', 'ERC20', '0.002', '0.005', '100', '0.001', 8],
  ['ETH', 'ARBITRUM', '0.0005', '0.001', '100', '0.0001', 8],
  ['LTC', 'LTC', '0.01', '0.02', '2000', '0.001', 8],
  ['DOGE', 'DOGE', '10', '20', '1000000', '4', 8],
  ['SHIB', 'ERC20', '200000', '400000', '10000000000', '150000', 8],
  ['XRP', 'XRP', '1', '10', '200000', '0.25', 6],
  ['EOS', 'EOS', '0.5', '1', '200000', '0.1', 4],
  ['ADA', 'ADA', '2', '5', '200000', '0.8', 6],
];

/**
 * All known pairs of a coin and a network on which the coin can be deposited and withdrawn, also those on networks that
 * an installation does not offer (see `OfferedNetworks`).
 */
export const EVERY_COIN_NETWORK: readonly CoinNetwork[] = COIN_NETWORKS.map((row) => {
  const [asset, code, minDeposit, minWithdrawal, maxWithdrawal, fee, digits] = row;
  return {
    asset,
    network: findNetwork(code)!,
    digits,
    minDeposit: Decimal.parse(minDeposit),
    minWithdrawal: Decimal.parse(minWithdrawal),
    maxWithdrawal: Decimal.parse(maxWithdrawal),
    fee: Decimal.parse(fee),
  };
});

/** True if the coin has a network, even one that this installation does not offer or that is not connected. */
export function hasNetworks(asset: AssetCode): boolean {
  return EVERY_COIN_NETWORK.some((coinNetwork) => coinNetwork.asset === asset);
}

/** The terms of a coin on a known network, even if the installation does not offer it; undefined if there are none. */
export function findCoinNetwork(asset: AssetCode, network: string): CoinNetwork | undefined {
  return EVERY_COIN_NETWORK.find(
    (coinNetwork) => coinNetwork.asset === asset && coinNetwork.network.code === network,
  );
}

/**
 * Returns the expected number of minutes until a deposit on the network is credited, at least 1. `finalitySeconds` are
 * the seconds until the exchange reads a new block, if it waits for final blocks.
 */
export function expectedMinutes({
  blockSeconds,
  confirmations,
  finalitySeconds = 0,
}: Pick<Network, 'blockSeconds' | 'confirmations'> & { readonly finalitySeconds?: number }): number {
  return Math.max(1, Math.round((finalitySeconds + blockSeconds * confirmations) / 60));
}

/**
 * A memo is 1 to 64 characters of printable ASCII without spaces. On the XRP Ledger it is a destination tag,
 * an unsigned 32-bit number.
 */
const MEMO = /^[\x21-\x7e]{1,64}$/;
const TAG = /^\d{1,10}$/;
const TAG_MAX = 4_294_967_295n;
/** The networks that every installation offers. */
const ALWAYS_OFFERED = KNOWN_NETWORKS.filter(({ isOptional }) => !isOptional);

/** A withdrawal destination in the form in which it is stored and compared. */
export interface Destination {
  readonly address: string;
  readonly memo: string | undefined;
  /** True if the user has confirmed that the recipient needs no memo, or if the entered X-address states this. */
  readonly withoutMemo: boolean;
}

/**
 * Converts a withdrawal destination that a user entered to its stored form: the address in its canonical
 * spelling, and on the XRP Ledger an X-address as account and tag, and a tag without leading zeros. An
 * X-address is not converted if the user also entered another tag; `addressProblem` then refuses it. Memos of
 * other networks stay unchanged.
 */
export function canonicalDestination(
  { addressKind }: Pick<Network, 'addressKind'>,
  { address, memo, withoutMemo = false }: TypedDestination,
): Destination {
  if (addressKind !== 'ripple') return { address: canonicalAddress(addressKind, address), memo, withoutMemo };
  // Remove leading zeros from the destination tag.
  const tag = memo?.replace(/^0+(?=\d)/, '');
  const account = taggedAccount(address);
  if (account === undefined) return { address, memo: tag, withoutMemo };
  // The entered tag contradicts the tag of the X-address. The X-address stays unconverted, so that it is refused as an
  // invalid address.
  if (tag !== undefined && tag !== account.tag) return { address, memo: tag, withoutMemo };
  return { address: account.address, memo: account.tag, withoutMemo: account.tag === undefined };
}

export interface TypedDestination {
  readonly address: string;
  readonly memo?: string | undefined;
  readonly withoutMemo?: boolean | undefined;
}

/**
 * Returns a refusal for a burn address and for the contract of a listed token, because coins sent there are lost.
 * Otherwise returns undefined. `contracts` are further token contracts, in canonical spelling.
 */
export function lossProblem(
  network: Pick<Network, 'name' | 'addressKind' | 'contracts'>,
  address: string,
  contracts: ReadonlySet<string> = new Set(),
): Refusal | undefined {
  const details = { field: 'address', limit: network.name, value: address };
  if (isBurnAddress(network.addressKind, address)) return refusal('invalidField', 'l.address_burns', details);
  const canonical = canonicalAddress(network.addressKind, address);
  if (network.contracts.has(canonical) || contracts.has(canonical))
    return refusal('invalidField', 'l.address_contract', details);
  return undefined;
}

/**
 * Returns a refusal if the address, the memo or the remark of a withdrawal does not suit the network; otherwise
 * undefined. For an address of another network the refusal names that network's chains. On a network with memos the
 * user must either enter a valid memo or confirm that none is needed (`withoutMemo`), not both. On other networks a
 * memo is refused. For USDT a remark that names another network that is always offered is refused.
 */
export function addressProblem(
  { asset, network }: Pick<CoinNetwork, 'asset' | 'network'>,
  {
    address,
    memo,
    remark,
    withoutMemo = false,
  }: {
    readonly address: string;
    readonly memo?: string;
    readonly remark?: string;
    readonly withoutMemo?: boolean;
  },
): Refusal | undefined {
  if (!isChainAddress(network.addressKind, address)) {
    const details = { field: 'address', limit: network.name, value: address };
    const chains = otherChainsOf(network.addressKind, address);
    return chains === undefined
      ? refusal('invalidField', 'l.address_invalid', details)
      : refusal('invalidField', 'l.address_other_network', { ...details, unit: chains });
  }
  if (network.memo && !(withoutMemo && memo === undefined)) {
    const fits = memo !== undefined && (network.code === 'XRP' ? isTag(memo) : MEMO.test(memo));
    if (!fits || withoutMemo) {
      const details = { field: 'memo', limit: network.name, value: memo ?? '' };
      return refusal('invalidField', memo === undefined ? 'l.memo_required' : 'l.memo_invalid', details);
    }
  } else if (memo !== undefined && !network.memo)
    return refusal('invalidField', 'l.memo_unexpected', { field: 'memo', limit: network.name, value: memo });
  // A replay runs the journaled requests again with this function, so networks that were added later must not
  // change its result. Callers check a remark for the names of those networks with
  // `remarkProblem` before they journal a request.
  return remarkProblem({ asset, network }, remark, ALWAYS_OFFERED);
}

/**
 * Returns a refusal if the remark of a USDT withdrawal or address names another network, also one that the installation
 * does not offer; otherwise undefined. Callers check new requests with it in addition to `addressProblem`.
 */
export function remarkProblem(
  { asset, network }: Pick<CoinNetwork, 'asset' | 'network'>,
  remark: string | undefined,
  networks: readonly Network[] = KNOWN_NETWORKS,
): Refusal | undefined {
  if (asset !== 'USDT' || remark === undefined) return undefined;
  const other = networks.find(
    ({ code, remarkName }) => code !== network.code && remarkName?.test(remark) === true,
  );
  if (other === undefined) return undefined;
  return refusal('invalidField', 'l.address_remark', {
    field: 'remark',
    limit: network.code,
    value: other.code,
  });
}

function isTag(memo: string): boolean {
  return TAG.test(memo) && BigInt(memo) <= TAG_MAX;
}

/**
 * Withdrawal limits of a verification level, in USDT at the index price: the sums of a user's withdrawals in any 24
 * hours (`day`) and in any 30 days (`month`).
 */
export interface WithdrawalLimits {
  readonly day: Decimal;
  readonly month: Decimal;
  /**
   * Maximum sum, in USDT, within 24 hours of a user's withdrawals that are sent without a review. Only
   * withdrawals to saved addresses can be sent without a review.
   */
  readonly auto: Decimal;
}

/**
 * Maximum sum, in USDT, within 24 hours of the withdrawals of a verified user that are sent without a review
 * (`WithdrawalLimits.auto`).
 */
const AUTO = Decimal.parse('1000');

/**
 * Returns the withdrawal limits for an identity verification level. Users at level 0 are not verified and cannot
 * withdraw.
 */
export function withdrawalLimits(level: KycLevel): WithdrawalLimits {
  return { ...levelLimits(level), auto: level === 0 ? Decimal.zero : AUTO };
}
export const LIMIT_DAY_MS = DAY_MS;
export const LIMIT_MONTH_MS = 30 * DAY_MS;
/**
 * Milliseconds that must pass after an address was first saved or used before a withdrawal to the address is sent. A
 * user who switches off the restriction to saved addresses must wait as long until it ends.
 */
export const ADDRESS_WAIT_MS = DAY_MS;
/**
 * Milliseconds within which the exchange promises to complete a withdrawal, counted from the time at which it may be
 * sent. Also those within which it promises to review a deposit report, counted from the report.
 */
export const PROMISED_MS = DAY_MS;
export const ADDRESSES_MAX = 50;
/**
 * Maximum number of a user's withdrawal requests within 24 hours, including those that were refused by
 * operators or cancelled, and the minimum number of seconds between two requests.
 */
export const WITHDRAWALS_PER_DAY = 20;
export const WITHDRAWAL_GAP_SECONDS = 5;

/**
 * A user's withdrawal requests within the last 24 hours that count for the limit: their number, at most the limit, and
 * the time of the oldest; undefined if there are none.
 */
export interface WithdrawalRequests {
  readonly count: number;
  readonly firstAt: Instant | undefined;
}

/**
 * Returns the time from which the user can request another withdrawal, if at most `most` requests are permitted within
 * 24 hours. Returns undefined if the user can request one now.
 */
export function nextRequestAt({ count, firstAt }: WithdrawalRequests, most: number): Instant | undefined {
  return count < most || firstAt === undefined ? undefined : later(firstAt, LIMIT_DAY_MS);
}

/**
 * Returns a refusal if the user has reached the maximum number of withdrawal requests within 24 hours; otherwise
 * undefined.
 */
export function requestsProblem(requests: WithdrawalRequests, most: number): Refusal | undefined {
  const nextAt = nextRequestAt(requests, most);
  if (nextAt === undefined) return undefined;
  const details = { limit: String(most), value: String(requests.count), nextAt: String(nextAt) };
  return refusal('rateLimited', 'l.withdraw_requests', { ...details, until: untilText(nextAt) });
}

/**
 * Returns the amount that the recipient receives, in the withdrawn coin: the withdrawn amount minus the fee,
 * or zero if the fee is not less.
 */
export function receivedAmount({ fee }: Pick<CoinNetwork, 'fee'>, amount: Decimal): Decimal {
  return amount.isMore(fee) ? amount.minus(fee) : Decimal.zero;
}

/**
 * The balance, limits and other facts with which a withdrawal request is checked. `dayUsed` and `monthUsed`
 * are the sums of the user's withdrawals that count for the limits of 24 hours and of 30 days, in USDT.
 */
export interface WithdrawalState {
  readonly available: Decimal;
  readonly limits: WithdrawalLimits;
  readonly dayUsed: Decimal;
  readonly monthUsed: Decimal;
  /**
   * Price of the withdrawn coin in USDT; undefined if the exchange has none. A withdrawal is then refused.
   */
  readonly price: Decimal | undefined;
  /** Time until which the user's withdrawals are blocked, for example after a change of the password. */
  readonly holdUntil: Instant;
}

/** Returns the value of `amount` in USDT. It is rounded up, so that many small withdrawals cannot exceed a limit. */
export function usdtValue(amount: Decimal, price: Decimal): Decimal {
  return amount.times(price, 'up', 8);
}

/** Returns a refusal if the user's withdrawals are blocked until a later time than `now`; otherwise undefined. */
export function holdProblem(holdUntil: Instant, now: Instant): Refusal | undefined {
  if (holdUntil <= now) return undefined;
  const until = untilText(holdUntil);
  return refusal('securityHold', 'l.withdraw_hold', { until, limit: String(holdUntil), value: String(now) });
}

/**
 * Returns a refusal if a withdrawal is not possible; otherwise undefined. Reasons: withdrawals are blocked, the coin
 * has no price, or the amount is not positive, has too many decimals, is outside the network's limits, or exceeds the
 * balance or the user's remaining limits. Screens and server both use this check.
 */
export function withdrawalProblem(
  coin: CoinNetwork,
  amount: Decimal,
  state: WithdrawalState,
  now: Instant,
): Refusal | undefined {
  const { asset, digits, minWithdrawal, maxWithdrawal } = coin;
  const details = { field: 'amount', value: amount.toString(), unit: asset };
  const hold = holdProblem(state.holdUntil, now);
  if (hold !== undefined) return hold;
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (!amount.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(digits) });
  if (amount.isLess(minWithdrawal))
    return refusal('belowMinimum', 'l.amount_min', { ...details, limit: minWithdrawal.toString() });
  if (amount.isMore(maxWithdrawal))
    return refusal('aboveMaximum', 'l.amount_max', { ...details, limit: maxWithdrawal.toString() });
  const short = shortOf({ needed: amount, available: state.available, asset, field: 'amount' });
  if (short !== undefined) return short;
  if (state.price === undefined) return refusal('closed', 'l.no_index');
  const value = usdtValue(amount, state.price);
  const [dayLeft, monthLeft] = [
    remainderOf(state.limits.day, state.dayUsed),
    remainderOf(state.limits.month, state.monthUsed),
  ];
  const valueDetails = { field: 'amount', value: value.toString(), unit: 'USDT' };
  if (value.isMore(dayLeft))
    return refusal('aboveMaximum', 'l.withdraw_day', { ...valueDetails, limit: dayLeft.toString() });
  if (value.isMore(monthLeft))
    return refusal('aboveMaximum', 'l.withdraw_month', { ...valueDetails, limit: monthLeft.toString() });
  return undefined;
}

/**
 * Returns the maximum amount of the coin that a user can withdraw: the least of the balance, the network's
 * maximum and, if the coin has a price, the user's remaining limits. It is rounded down to the `digits` of
 * the coin on the network.
 */
export function mostWithdrawable(coin: CoinNetwork, state: WithdrawalState): Decimal {
  const most = least(state.available, coin.maxWithdrawal).rounded(coin.digits, 'down');
  if (state.price?.isPositive() !== true) return most;
  const remaining = least(
    remainderOf(state.limits.day, state.dayUsed),
    remainderOf(state.limits.month, state.monthUsed),
  );
  return least(most, remaining.over(state.price, 'down', coin.digits));
}

function remainderOf(limit: Decimal, used: Decimal): Decimal {
  return limit.isMore(used) ? limit.minus(used) : Decimal.zero;
}

/** Reasons for which operators refuse a withdrawal. The user sees the corresponding reason of `ownerReason`. */
export const REFUSAL_REASONS = [
  'wrongAddress',
  'networkPaused',
  'hold',
  'limit',
  'sanctions',
  'ownerFreeze',
  'duplicate',
  'userRequest',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/**
 * Stages of an approved withdrawal that is not completed. `paused`: the exchange currently sends no withdrawals of the
 * coin or on the network; a withdrawal can be in this stage before its approval, too. `refused`: the network does not
 * accept the payment, and the exchange tries again. `byHand`: operators pay it themselves. `returning`: it is not sent,
 * and its amount is being returned to the user.
 */
export const WITHDRAWAL_STAGES = [
  'approved',
  'paused',
  'refused',
  'signing',
  'signed',
  'sent',
  'byHand',
  'returning',
] as const;
export type WithdrawalStage = (typeof WITHDRAWAL_STAGES)[number];

/** Reasons for which operators return an approved withdrawal to its owner. */
export const RETURN_REASONS = ['networkRefused', ...REFUSAL_REASONS] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/** Reasons for refusing or returning a withdrawal that users can see. */
export const OWNER_REASONS = [
  'wrongAddress',
  'networkPaused',
  'networkRefused',
  'review',
  'limit',
  'ownerFreeze',
  'duplicate',
  'userRequest',
] as const;
export type OwnerReason = (typeof OWNER_REASONS)[number];

/**
 * Returns the reason that the user sees for an operators' reason. The user must not learn of a sanctions match (tipping
 * off), so sanctions and holds are both shown as a review.
 */
export function ownerReason(reason: ReturnReason): OwnerReason {
  return reason === 'sanctions' || reason === 'hold' ? 'review' : reason;
}
