import { chainAddress } from '@exchange/core/chain-address.ts';
import { TRON_COIN } from '@exchange/core/tron-network.ts';
import type { EvmToken } from './evm-domain.ts';

/** Topic of logs of the event `Transfer(address,address,uint256)`; TRON writes hexadecimal digits without `0x`. */
export const TRON_TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Number of hexadecimal digits of a topic, and of the data of a transfer event. */
const WORD_LENGTH = 64;
/** Number of hexadecimal digits before the address in a topic. */
const ADDRESS_START = 24;

/**
 * An event log of a contract; `address` has 40 hexadecimal digits, without the leading byte `41` that other forms of
 * TRON addresses have.
 */
interface TronLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** A transaction on TRON, with its result. */
export interface TronTransaction {
  readonly txid: string;
  /** True if the transaction called a contract and the call did not fail. */
  readonly isSuccess: boolean;
  /** The network's code for the failure of the transaction, such as `OUT_OF_ENERGY`; undefined if it did not fail. */
  readonly failure: string | undefined;
  /** The account that pays for the transaction, as 40 hexadecimal digits; undefined if the node does not state it. */
  readonly owner: string | undefined;
  /**
   * The transfer of TRX by the transaction itself: the receiver as 40 hexadecimal digits, and the amount in sun (10^-6
   * TRX); undefined for other transactions. Transfers by contracts are not included.
   */
  readonly paid: { readonly receiver: string; readonly units: bigint } | undefined;
  /** TRX that the transaction burnt, in sun (10^-6 TRX). */
  readonly fee: bigint;
  readonly logs: readonly TronLog[];
}

/**
 * A solidified block of TRON: more than two thirds of the block producers have built on it, so that it is never
 * replaced.
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
 * Result of a transaction that an account of the exchange paid for, or that was signed for a payment. `result` is the
 * result that the network states, or `NO_TRANSFER` for a successful contract call that moved no listed token of the
 * paying account.
 */
export interface TronOutcome {
  readonly txid: string;
  /** The account that paid for the transaction, in base 58. */
  readonly owner: string;
  readonly result: string;
  /** TRX that the transaction burnt, in sun (10^-6 TRX). */
  readonly fee: bigint;
}

/**
 * Result codes of transactions that did not fail: the network's `SUCCESS`, and the exchange's own code for a
 * successful contract call that moved no token.
 */
export const TRON_RESULT = { success: 'SUCCESS', noTransfer: 'NO_TRANSFER' } as const;

/** Code of the coin in which energy and bandwidth are paid, and the number of its decimals. */
export const TRX = TRON_COIN;
export const TRX_DIGITS = 6;

/**
 * Milliseconds (twenty blocks) after the expiration of a transaction. Once a block later than that has been read, the
 * transaction can no longer get into a block.
 */
export const ENDED_AFTER_MS = 60_000;

/** A transfer of a token or of TRX; its addresses are in base 58. */
export interface TronTransfer {
  readonly txid: string;
  /** One more than the position of the transfer's event in the transaction; 0 for a transfer of TRX. */
  readonly output: number;
  readonly asset: string;
  readonly digits: number;
  readonly sender: string;
  readonly receiver: string;
  readonly units: bigint;
}

/**
 * Lists the transfers of positive amounts of the given tokens in successful transactions. The keys of
 * `tokens` are coin codes, or contracts for tokens that are not listed; the contract addresses are in base
 * 58.
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
 * Lists the transfers of TRX that successful transactions make themselves; transfers by contracts are not
 * included.
 */
export function coinTransfersIn(transactions: readonly TronTransaction[]): TronTransfer[] {
  return transactions.flatMap(({ txid, failure, owner, paid }) =>
    failure !== undefined || owner === undefined || paid === undefined
      ? []
      : [
          {
            txid,
            output: 0,
            asset: TRX,
            digits: TRX_DIGITS,
            sender: tronAddress(owner),
            receiver: tronAddress(paid.receiver),
            units: paid.units,
          },
        ],
  );
}

/** Lists the watched tokens among `watched` that are not listed, by contract; TRX is none of them. */
export function unlistedTokens(
  watched: readonly { readonly contract: string; readonly digits: number }[],
  listed: ReadonlyMap<string, EvmToken>,
): ReadonlyMap<string, EvmToken> {
  const contracts = new Set([...listed.values()].map(({ contract }) => contract));
  return new Map(
    watched
      .filter(({ contract }) => contract !== TRX && !contracts.has(contract))
      .map(({ contract, digits }) => [contract, { contract, digits }]),
  );
}

/**
 * Returns the changes that the transfers make to the total balance of the exchange's addresses, in the
 * smallest units, by coin. Coins whose total no transfer changed are left out.
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
 * Returns the results of those transactions in a block that the exchange's accounts paid for, or whose ids
 * are in `signed` (they were signed for payments), whoever paid for them. `transfers` are the block's
 * transfers of listed tokens.
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

/** Prices of the TRON network, in sun (10^-6 TRX). */
export interface TronPrices {
  readonly energy: bigint;
  /** Price of the bandwidth for one byte of a transaction, in sun (10^-6 TRX). */
  readonly bandwidth: bigint;
  /** Price of the first transfer of TRX to a new address, in sun (10^-6 TRX). */
  readonly activation: bigint;
}

/** Energy and bandwidth that an account can use at present without burning TRX. */
export interface TronResources {
  readonly energy: bigint;
  readonly bandwidth: bigint;
}

/**
 * Size in bytes of a signed transfer of a token, including the bytes that the network adds; it also counts
 * for transfers of TRX, which are smaller.
 */
const TRANSFER_BYTES = 350n;
const ENERGY_MARGIN = { times: 6n, parts: 5n };

/**
 * Returns the fee limit in sun of a transfer that needs the given energy; it includes a margin of a fifth.
 */
export function feeLimitOf(energy: bigint, { energy: price }: Pick<TronPrices, 'energy'>): bigint {
  return ((energy * ENERGY_MARGIN.times) / ENERGY_MARGIN.parts + 1n) * price;
}

/** Energy of a transfer of a token to an address that holds the token already. */
const USUAL_ENERGY = 65_000n;

/**
 * Returns the cost of a usual transfer in sun (10^-6 TRX) without staked resources. `energy` is the node's
 * estimate for a token, of which at least `USUAL_ENERGY` counts; undefined for a transfer of TRX, which needs
 * bandwidth only.
 */
export function usualCost(
  energy: bigint | undefined,
  prices: Pick<TronPrices, 'energy' | 'bandwidth'>,
): bigint {
  const used = energy === undefined ? 0n : energy > USUAL_ENERGY ? energy : USUAL_ENERGY;
  return used * prices.energy + TRANSFER_BYTES * prices.bandwidth;
}

/**
 * Returns the amount in sun (10^-6 TRX) that an account may have to burn for `count` transfers, because they
 * need more energy and bandwidth than the account can use without burning. `limits` is the sum of the
 * transfers' fee limits in sun.
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
 * Returns the milliseconds until a new transaction of a payment expires: five minutes for the first
 * transaction, longer after each earlier one, up to an hour.
 */
export function tronLifetimeOf(signedBefore: number): number {
  const [first, factor, most] = [300_000, 3, 3_600_000];
  return Math.min(most, first * factor ** Math.min(signedBefore, 3));
}

/**
 * True if the reference in a signed transaction fits the block with this number; `refBytes` are the last two bytes of
 * the referenced block's number in hexadecimal digits.
 */
export function isReferenceTo({ refBytes }: { readonly refBytes: string }, number: number): boolean {
  return Number.parseInt(refBytes, 16) === number % 0x1_0000;
}

/** Converts an address from 40 hexadecimal digits to base 58. */
export function tronAddress(hex: string): string {
  return chainAddress('tron', Buffer.from(hex, 'hex'));
}

/**
 * Greatest number of unread blocks (about a minute of the chain) at which the balance at the node's newest block may
 * still be compared with the payments in the blocks that were read.
 */
const BALANCE_AHEAD_MOST = 20;

/**
 * True if the node's newest block, at which it reports balances, is so far ahead of the blocks that were read
 * that these balances must not decide about refills and surplus. One or two blocks are usually unread,
 * because the chain has a new block every three seconds.
 */
export function isBalanceAhead(head: number, height: number): boolean {
  return head - height > BALANCE_AHEAD_MOST;
}
