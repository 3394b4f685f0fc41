import { chainAddress } from '@exchange/core/chain-address.ts';
import type { EvmToken } from './evm-domain.ts';

/** Topic of the event `Transfer(address,address,uint256)`; TRON writes hex without `0x`. */
export const TRON_TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Hex digits of a topic, and of the data of a transfer. */
const WORD_LENGTH = 64;
/** Digits before the address in a topic. */
const ADDRESS_START = 24;

/**
 * An event of a contract; `address` has 40 hex digits, without the leading byte `41` that other texts of TRON addresses
 * have.
 */
interface TronLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A transaction with its result. */
export interface TronTransaction {
  readonly txid: string;
  /** Whether a contract was called and did not fail. */
  readonly isSuccess: boolean;
  /** The network's code for the failure of the transaction, such as `OUT_OF_ENERGY`; undefined if it did not fail. */
  readonly failure: string | undefined;
  /** The paying account as 40 hex digits; undefined if the node does not name it. */
  readonly owner: string | undefined;
  /** Burnt TRX in sun. */
  readonly fee: bigint;
  readonly logs: readonly TronLog[];
}

/**
 * A block that is solidified: more than two thirds of the block producers have built on it, and it is never replaced.
 */
export interface TronBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Time of the block in milliseconds UTC. */
  readonly time: number;
  readonly transactions: readonly TronTransaction[];
}

/**
 * Result of a transaction that one of the exchange's accounts paid or that was signed for a payment. `result` is the
 * result of the network, or `NO_TRANSFER` for a successful contract call that moved no listed token of the paying
 * account.
 */
export interface TronOutcome {
  readonly txid: string;
  /** The paying account in base 58. */
  readonly owner: string;
  readonly result: string;
  /** Burnt TRX in sun. */
  readonly fee: bigint;
}

/** Results of transactions of own accounts. */
export const TRON_RESULT = { success: 'SUCCESS', noTransfer: 'NO_TRANSFER' } as const;

/** The coin in which energy and bandwidth are paid, and its decimals. */
export const TRX = 'TRX';
export const TRX_DIGITS = 6;

/**
 * Time in milliseconds, of twenty blocks, after the expiration of a transaction. When a later block has been read, the
 * transaction can be in no block any more.
 */
export const ENDED_AFTER_MS = 60_000;

/** A transfer of a listed token. Its addresses are in base 58. */
interface TronTransfer {
  readonly txid: string;
  /** One more than the position of its event in the transaction. */
  readonly output: number;
  readonly asset: string;
  readonly digits: number;
  readonly sender: string;
  readonly receiver: string;
  readonly units: bigint;
}

/**
 * Transfers of listed tokens in successful transactions. `tokens` are keyed by coin; their contracts are in base 58.
 */
export function transfersIn(
  transactions: readonly TronTransaction[],
  tokens: ReadonlyMap<string, EvmToken>,
): TronTransfer[] {
  const byContract = new Map(
    [...tokens].map(([asset, { contract, digits }]) => [contract, { asset, digits }] as const),
  );
  const contracts = new Map<string, string>();
  const contractOf = (hex: string) => {
    const known = contracts.get(hex) ?? tronAddress(hex);
    contracts.set(hex, known);
    return known;
  };
  return transactions.flatMap(({ txid, isSuccess, logs }) =>
    logs.flatMap(({ address, topics, data }, at) => {
      const token = isSuccess ? byContract.get(contractOf(address)) : undefined;
      const [kind, from, to] = topics;
      const isTransfer =
        kind === TRON_TRANSFER_TOPIC &&
        topics.length === 3 &&
        from?.length === WORD_LENGTH &&
        to?.length === WORD_LENGTH &&
        data.length === WORD_LENGTH;
      if (token === undefined || !isTransfer) return [];
      const units = BigInt(`0x${data}`);
      if (units === 0n) return [];
      const sender = tronAddress(from.slice(ADDRESS_START));
      const receiver = tronAddress(to.slice(ADDRESS_START));
      return [{ txid, output: at + 1, asset: token.asset, digits: token.digits, sender, receiver, units }];
    }),
  );
}

/**
 * Change of the total balance of all own addresses by transfers, in the smallest units, by coin. Coins of
 * which no transfer changed the total are left out.
 */
export function flowsOf(
  transfers: readonly TronTransfer[],
  isOwn: (address: string) => boolean,
): ReadonlyMap<string, bigint> {
  const flows = new Map<string, bigint>();
  for (const { asset, sender, receiver, units } of transfers) {
    const change = (isOwn(receiver) ? units : 0n) - (isOwn(sender) ? units : 0n);
    if (change !== 0n) flows.set(asset, (flows.get(asset) ?? 0n) + change);
  }
  return flows;
}

/**
 * The results of the block's transactions that own accounts paid, or that were signed for payments (`signed`, by id)
 * from any account. `transfers` are the block's transfers of listed tokens.
 */
export function outcomesOf(
  transactions: readonly TronTransaction[],
  transfers: readonly TronTransfer[],
  { isOwn, signed }: { readonly isOwn: (address: string) => boolean; readonly signed: ReadonlySet<string> },
): TronOutcome[] {
  const moved = new Set(transfers.map(({ txid, sender }) => `${txid} ${sender}`));
  return transactions.flatMap(({ txid, owner: hex, isSuccess, failure, fee }) => {
    const owner = hex === undefined ? undefined : tronAddress(hex);
    if (owner === undefined || !(isOwn(owner) || signed.has(txid))) return [];
    const isIdle = isSuccess && !moved.has(`${txid} ${owner}`);
    const result = failure ?? (isIdle ? TRON_RESULT.noTransfer : TRON_RESULT.success);
    return [{ txid, owner, result, fee }];
  });
}

/** Prices of the network in sun. */
export interface TronPrices {
  readonly energy: bigint;
  /** Price of a byte of a transaction. */
  readonly bandwidth: bigint;
  /** Price of the first transfer of TRX to an address. */
  readonly activation: bigint;
}

/** Energy and bandwidth that an account can use without burning TRX. */
export interface TronResources {
  readonly energy: bigint;
  readonly bandwidth: bigint;
}

/** Bytes of a signed transfer of a token, with the bytes that the network adds. */
const TRANSFER_BYTES = 350n;
const ENERGY_MARGIN = { times: 6n, parts: 5n };

/** The fee limit in sun of a transfer that uses an amount of energy, with a fifth as margin. */
export function feeLimitOf(energy: bigint, { energy: price }: Pick<TronPrices, 'energy'>): bigint {
  return ((energy * ENERGY_MARGIN.times) / ENERGY_MARGIN.parts + 1n) * price;
}

/**
 * Sun that an account may have to burn for `count` transfers in addition to the energy and bandwidth that it can use.
 * `limits` is the sum of the transfers' fee limits in sun.
 */
export function burntFor(
  { limits, count }: { readonly limits: bigint; readonly count: number },
  prices: TronPrices,
  resources: TronResources,
): bigint {
  const energy = limits - resources.energy * prices.energy;
  const bytes = TRANSFER_BYTES * BigInt(count);
  const bandwidth = bytes <= resources.bandwidth ? 0n : bytes * prices.bandwidth;
  return (energy > 0n ? energy : 0n) + bandwidth;
}

/**
 * Milliseconds until a transaction expires: five minutes at first, up to an hour for a payment that was
 * signed several times.
 */
export function tronLifetimeOf(signedBefore: number): number {
  const [first, factor, most] = [300_000, 3, 3_600_000];
  return Math.min(most, first * factor ** Math.min(signedBefore, 3));
}

/**
 * Whether a signed transaction may name the block with this number; `refBytes` are the last two bytes of its number in
 * hex.
 */
export function isReferenceTo({ refBytes }: { readonly refBytes: string }, number: number): boolean {
  return Number.parseInt(refBytes, 16) === number % 0x1_0000;
}

/** Converts an address of 40 hex digits to base 58. */
export function tronAddress(hex: string): string {
  return chainAddress('tron', Buffer.from(hex, 'hex'));
}

/**
 * Greatest number of unread blocks (about a minute of the chain) with which a balance at the node's newest block is
 * compared with the scanned payments.
 */
const BALANCE_AHEAD_MOST = 20;

/**
 * Whether the balances at the node's newest block are too far ahead of the scanned blocks to decide about refills and
 * surplus. One or two blocks are usually unread, because a block comes every three seconds.
 */
export function isBalanceAhead(head: number, height: number): boolean {
  return head - height > BALANCE_AHEAD_MOST;
}
