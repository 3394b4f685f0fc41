import {
  canonicalAddress,
  isBurnAddress,
  isChainAddress,
  taggedAccount,
  type AddressKind,
} from './chain-address.ts';
import { Decimal, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import { levelLimits, type KycLevel } from './kyc.ts';
import type { AssetCode } from './pair.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS, later, untilText, type Instant } from './time.ts';

/** A chain on which coins come in and go out. */
export interface Network {
  /** As the wire, the tables and a person's remark name it, e.g. `TRC20`. */
  readonly code: string;
  readonly name: string;
  readonly addressKind: AddressKind;
  /** Seconds from one block to the next, on average. */
  readonly blockSeconds: number;
  /** Blocks from the one that has a transfer on, that one included, until it is credited. */
  readonly confirmations: number;
  /** Whether one address serves everybody and a memo says whose a transfer is. */
  readonly memo: boolean;
}

/** What may move of a coin on one network; amounts in the coin. */
export interface CoinNetwork {
  readonly asset: AssetCode;
  readonly network: Network;
  readonly minDeposit: Decimal;
  readonly minWithdrawal: Decimal;
  readonly maxWithdrawal: Decimal;
  /** Taken off what is withdrawn. */
  readonly fee: Decimal;
  /** Decimals of the amount that the chain carries. */
  readonly digits: number;
}

type Row = readonly [string, string, AddressKind, number, number, boolean?];

export const NETWORKS: readonly Network[] = (
  [
    ['TRC20', 'Tron (TRC20)', 'tron', 3, 20],
    ['ERC20', 'Ethereum (ERC20)', 'evm', 12, 12],
    ['BEP20', 'BNB Smart Chain (BEP20)', 'evm', 3, 15],
    ['BTC', 'Bitcoin', 'bitcoin', 600, 2],
    ['LTC', 'Litecoin', 'litecoin', 150, 6],
    ['DOGE', 'Dogecoin', 'dogecoin', 60, 20],
    ['XRP', 'XRP Ledger', 'ripple', 4, 12, true],
    ['EOS', 'EOS', 'eos', 1, 12, true],
    ['ADA', 'Cardano', 'cardano', 20, 12],
  ] as const satisfies readonly Row[]
).map(([code, name, addressKind, blockSeconds, confirmations, memo = false]: Row) => ({
  code,
  name,
  addressKind,
  blockSeconds,
  confirmations,
  memo,
}));

/** [coin, network, least deposit, least withdrawal, most of one withdrawal, fee, digits] */
const COIN_NETWORKS: readonly (readonly [string, string, string, string, string, string, number])[] = [
  ['USDT', 'TRC20', '1', '10', '100000', '1', 6],
  ['USDT', 'ERC20', '10', '20', '100000', '4', 6],
  ['USDT', 'BEP20', '1', '10', '100000', '0.3', 8],
  ['BTC', 'BTC', '0.0001', '0.0005', '5', '0.0001', 8],
  ['ETH', 'ERC20', '0.002', '0.005', '100', '0.001', 8],
  ['LTC', 'LTC', '0.01', '0.02', '2000', '0.001', 8],
  ['DOGE', 'DOGE', '10', '20', '1000000', '4', 8],
  ['SHIB', 'ERC20', '200000', '400000', '10000000000', '150000', 8],
  ['XRP', 'XRP', '1', '10', '200000', '0.25', 6],
  ['EOS', 'EOS', '0.5', '1', '200000', '0.1', 4],
  ['ADA', 'ADA', '2', '5', '200000', '0.8', 6],
];

/** Every coin with every network that carries it. */
export const EVERY_COIN_NETWORK: readonly CoinNetwork[] = COIN_NETWORKS.map((row) => {
  const [asset, code, minDeposit, minWithdrawal, maxWithdrawal, fee, digits] = row;
  return {
    asset,
    network: NETWORKS.find((network) => network.code === code)!,
    digits,
    minDeposit: Decimal.parse(minDeposit),
    minWithdrawal: Decimal.parse(minWithdrawal),
    maxWithdrawal: Decimal.parse(maxWithdrawal),
    fee: Decimal.parse(fee),
  };
});

/** The networks of a coin; the first is the one that most people mean. */
export function networksOf(asset: AssetCode): readonly CoinNetwork[] {
  return EVERY_COIN_NETWORK.filter((one) => one.asset === asset);
}

export function findCoinNetwork(asset: AssetCode, network: string): CoinNetwork | undefined {
  return EVERY_COIN_NETWORK.find((one) => one.asset === asset && one.network.code === network);
}

/** About how many minutes a transfer takes to be credited. */
export function expectedMinutes({ blockSeconds, confirmations }: Network): number {
  return Math.max(1, Math.round((blockSeconds * confirmations) / 60));
}

/** Up to 20 letters and digits; the XRP Ledger takes whole numbers only. */
const MEMO = /^[\x21-\x7e]{1,64}$/;
const TAG = /^\d{1,10}$/;
const TAG_MAX = 4_294_967_295n;
/** Names of chains in a remark, as people write them. */
const CHAIN_NAMES = /\b(TRC|ERC|BEP)[-_ ]?20\b/gi;

/** Contracts of the listed tokens, by network: tokens that are sent to their own contract are lost. */
const TOKEN_CONTRACTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['TRC20', new Set(['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'])],
  [
    'ERC20',
    new Set(['0xdAC17F958D2ee523a2206206994597C13D831ec7', '0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE']),
  ],
  ['BEP20', new Set(['0x55d398326f99059fF775485246999027B3197955'])],
  ['EOS', new Set(['eosio.token'])],
]);

/** Where coins are to go, as it is stored and compared. */
export interface Destination {
  readonly address: string;
  readonly memo: string | undefined;
  /** The recipient has said that the own wallet needs no memo, or its X-address does. */
  readonly withoutMemo: boolean;
}

/**
 * What somebody typed, in the one spelling that is stored: the address in its canonical form, and an X-address of the XRP
 * Ledger as its account and tag. A tag typed beside an X-address stays, which `addressProblem` refuses.
 */
export function canonicalDestination(
  { addressKind }: Pick<Network, 'addressKind'>,
  { address, memo, withoutMemo = false }: TypedDestination,
): Destination {
  const account = addressKind === 'ripple' ? taggedAccount(address) : undefined;
  if (account === undefined) return { address: canonicalAddress(addressKind, address), memo, withoutMemo };
  // Two tags contradict one another: the X-address stays as it is, which is no address with a memo of its own.
  if (memo !== undefined && memo !== account.tag) return { address, memo, withoutMemo };
  return { address: account.address, memo: account.tag, withoutMemo: account.tag === undefined };
}

export interface TypedDestination {
  readonly address: string;
  readonly memo?: string | undefined;
  readonly withoutMemo?: boolean | undefined;
}

/** Why coins that are sent to this address would be lost, or undefined. `contracts` are those beside the listed tokens'. */
export function lossProblem(
  network: Pick<Network, 'code' | 'name' | 'addressKind'>,
  address: string,
  contracts: ReadonlySet<string> = new Set(),
): Refusal | undefined {
  const about = { field: 'address', limit: network.name, value: address };
  if (isBurnAddress(network.addressKind, address)) return refusal('invalidField', 'l.address_burns', about);
  const canonical = canonicalAddress(network.addressKind, address);
  if (TOKEN_CONTRACTS.get(network.code)?.has(canonical) === true || contracts.has(canonical))
    return refusal('invalidField', 'l.address_contract', about);
  return undefined;
}

/**
 * Why coins cannot be sent to this address, or undefined. A remark that names another chain is a contradiction. Without a
 * memo where the network has memos only if the recipient has said that there is none.
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
  if (!isChainAddress(network.addressKind, address))
    return refusal('invalidField', 'l.address_invalid', {
      field: 'address',
      limit: network.name,
      value: address,
    });
  if (network.memo && !(withoutMemo && memo === undefined)) {
    const fits = memo !== undefined && (network.code === 'XRP' ? isTag(memo) : MEMO.test(memo));
    if (!fits || withoutMemo) {
      const about = { field: 'memo', limit: network.name, value: memo ?? '' };
      return refusal('invalidField', memo === undefined ? 'l.memo_required' : 'l.memo_invalid', about);
    }
  } else if (memo !== undefined && !network.memo)
    return refusal('invalidField', 'l.memo_unexpected', { field: 'memo', limit: network.name, value: memo });
  const named = [...(remark ?? '').matchAll(CHAIN_NAMES)].map(([, chain]) => `${chain!.toUpperCase()}20`);
  const other = named.find((chain) => chain !== network.code);
  if (asset === 'USDT' && other !== undefined)
    return refusal('invalidField', 'l.address_remark', {
      field: 'remark',
      limit: network.code,
      value: other,
    });
  return undefined;
}

function isTag(memo: string): boolean {
  return TAG.test(memo) && BigInt(memo) <= TAG_MAX;
}

/** What a level may withdraw, in USDT at the index. */
export interface WithdrawalLimits {
  readonly day: Decimal;
  readonly month: Decimal;
  /** Up to this much within 24 hours goes out to known addresses without anybody looking at it. */
  readonly auto: Decimal;
}

/** Up to so much, in USDT, goes out within 24 hours to known addresses without anybody looking at it. */
const AUTO = Decimal.parse('1000');

/** By level of verification; without verification nothing goes out. */
export function withdrawalLimits(level: KycLevel): WithdrawalLimits {
  return { ...levelLimits(level), auto: level === 0 ? Decimal.zero : AUTO };
}
export const LIMIT_DAY_MS = DAY_MS;
export const LIMIT_MONTH_MS = 30 * DAY_MS;
/** A new address waits so long before anything is sent to it; so long takes leaving the whitelist. */
export const ADDRESS_WAIT_MS = DAY_MS;
/** Within this a withdrawal is promised to be done. */
export const PROMISED_MS = DAY_MS;
export const ADDRESSES_MAX = 50;
/** So many withdrawals somebody may ask for within 24 hours, whatever becomes of them, and one in so many seconds. */
export const WITHDRAWALS_PER_DAY = 20;
export const WITHDRAWAL_GAP_SECONDS = 5;

/** What somebody has asked for within 24 hours: how many withdrawals, and when the first of them was. */
export interface WithdrawalRequests {
  readonly count: number;
  readonly firstAt: Instant | undefined;
}

/** When the next withdrawal may be asked for, of `most` within 24 hours; undefined where that is now. */
export function nextRequestAt({ count, firstAt }: WithdrawalRequests, most: number): Instant | undefined {
  return count < most || firstAt === undefined ? undefined : later(firstAt, LIMIT_DAY_MS);
}

/** Why no further withdrawal may be asked for, or undefined. */
export function requestsProblem(asked: WithdrawalRequests, most: number): Refusal | undefined {
  const nextAt = nextRequestAt(asked, most);
  if (nextAt === undefined) return undefined;
  const about = { limit: String(most), value: String(asked.count), nextAt: String(nextAt) };
  return refusal('rateLimited', 'l.withdraw_requests', { ...about, until: untilText(nextAt) });
}

/** What arrives of an amount, after the fee. */
export function arrivalOf({ fee }: Pick<CoinNetwork, 'fee'>, amount: Decimal): Decimal {
  return amount.isMore(fee) ? amount.minus(fee) : Decimal.zero;
}

/** What a withdrawal is checked against; what has been used is in USDT. */
export interface WithdrawalState {
  readonly available: Decimal;
  readonly limits: WithdrawalLimits;
  readonly dayUsed: Decimal;
  readonly monthUsed: Decimal;
  /** Price in USDT; undefined while there is none. */
  readonly price: Decimal | undefined;
  /** A hold for the account's safety, in force until this moment. */
  readonly holdUntil: Instant;
}

/** What so much of a coin is worth, rounded up so that no limit is passed by rounding. */
export function usdtValue(amount: Decimal, price: Decimal): Decimal {
  return amount.times(price, 'up', 8);
}

/** Why nothing is withdrawn from an account that is held until a moment; undefined where it is not held any more. */
export function holdProblem(holdUntil: Instant, now: Instant): Refusal | undefined {
  if (holdUntil <= now) return undefined;
  const until = untilText(holdUntil);
  return refusal('securityHold', 'l.withdraw_hold', { until, limit: String(holdUntil), value: String(now) });
}

/** Why an amount cannot be withdrawn, or undefined. Screens and the server ask the same. */
export function withdrawalProblem(
  coin: CoinNetwork,
  amount: Decimal,
  state: WithdrawalState,
  now: Instant,
): Refusal | undefined {
  const { asset, digits, minWithdrawal, maxWithdrawal } = coin;
  const about = { field: 'amount', value: amount.toString(), unit: asset };
  const held = holdProblem(state.holdUntil, now);
  if (held !== undefined) return held;
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  if (!amount.fits(digits))
    return refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(digits) });
  if (amount.isLess(minWithdrawal))
    return refusal('belowMinimum', 'l.amount_min', { ...about, limit: minWithdrawal.toString() });
  if (amount.isMore(maxWithdrawal))
    return refusal('aboveMaximum', 'l.amount_max', { ...about, limit: maxWithdrawal.toString() });
  const short = shortOf({ needed: amount, available: state.available, asset, field: 'amount' });
  if (short !== undefined) return short;
  if (state.price === undefined) return refusal('closed', 'l.no_index');
  const value = usdtValue(amount, state.price);
  const [dayLeft, monthLeft] = [
    left(state.limits.day, state.dayUsed),
    left(state.limits.month, state.monthUsed),
  ];
  const worth = { field: 'amount', value: value.toString(), unit: 'USDT' };
  if (value.isMore(dayLeft))
    return refusal('aboveMaximum', 'l.withdraw_day', { ...worth, limit: dayLeft.toString() });
  if (value.isMore(monthLeft))
    return refusal('aboveMaximum', 'l.withdraw_month', { ...worth, limit: monthLeft.toString() });
  return undefined;
}

/** The most that can be withdrawn at once: balance, the network's maximum and what is left of the limits, cut to the chain's digits. */
export function mostWithdrawable(coin: CoinNetwork, state: WithdrawalState): Decimal {
  const most = least(state.available, coin.maxWithdrawal).rounded(coin.digits, 'down');
  if (state.price?.isPositive() !== true) return most;
  const free = least(left(state.limits.day, state.dayUsed), left(state.limits.month, state.monthUsed));
  return least(most, free.over(state.price, 'down', coin.digits));
}

function left(limit: Decimal, used: Decimal): Decimal {
  return limit.isMore(used) ? limit.minus(used) : Decimal.zero;
}

/** Why a withdrawal may be refused; nothing else can be stored. */
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

/** Why a withdrawal was refused, as its owner is told. */
export const OWNER_REASONS = [
  'wrongAddress',
  'networkPaused',
  'review',
  'limit',
  'ownerFreeze',
  'duplicate',
  'userRequest',
] as const;
export type OwnerReason = (typeof OWNER_REASONS)[number];

/**
 * The reason that an owner is told. A sanctions match must not be told to whom it is about; it is called a review, and so
 * are holds, so that the word gives nothing away.
 */
export function ownerReason(reason: RefusalReason): OwnerReason {
  return reason === 'sanctions' || reason === 'hold' ? 'review' : reason;
}
