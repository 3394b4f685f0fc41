import { chainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { sha256, sha256Hex } from '@exchange/core/digests.ts';
import { findCoinNetwork, type Network } from '@exchange/core/network.ts';
import type { Instant } from '@exchange/core/time.ts';

/**
 * Backing of a coin on a network: a simulated chain, an address of the exchange whose deposits operators review by
 * hand, a real chain, or none.
 */
export type ChannelKind = RealChannelKind | 'demo' | 'manual' | 'none';

/**
 * Families of real chains: accounts with contracts, unspent outputs (Bitcoin and similar), the XRP Ledger, and TRON.
 */
export type RealChannelKind = 'evm' | 'utxo' | 'xrp' | 'tron';

/** A real chain as operators see it. */
export interface ChainState {
  readonly network: string;
  readonly kind: RealChannelKind;
  /** Number of the newest block that was read. */
  readonly height: number;
  /** Number of the node's newest block, by the finality of the settings. */
  readonly head: number;
  readonly sends: boolean;
  /** Why the chain is not read or payments wait; undefined if nothing is wrong. */
  readonly problem: string | undefined;
}

/** Block interval of simulated networks; short enough to watch a transfer from start to confirmation. */
export const DEMO_BLOCK_MS = 4_000;

/** A payment to be sent on a network. */
export interface Sending {
  /** Idempotency key chosen by the caller; a payment is sent once per origin. */
  readonly origin: string;
  readonly network: string;
  readonly asset: string;
  readonly address: string;
  readonly memo: string | undefined;
  readonly amount: Decimal;
  readonly remark?: string | undefined;
  /** Operator who approved the payment. */
  readonly approvedBy?: string;
  /**
   * Owner and digest that a user confirmed for a withdrawal; a signer signs no payment to the
   * outside without them.
   */
  readonly confirmed?: { readonly owner: string; readonly digest: string };
  /**
   * `coldTransferDigest` of a transfer to the exchange's own cold wallet, which needs no confirmation of a user. A
   * payment that a signer signs has exactly one of `confirmed`, `coldDigest` and `sweep`.
   */
  readonly coldDigest?: string;
  /** A transfer between a deposit address and the hot wallet. */
  readonly sweep?: SweepTerms;
}

/**
 * The deposit address that pays the hot wallet (`sweep`), or to which the hot wallet pays the gas for a sweep
 * (`gas`).
 */
export interface SweepTerms {
  readonly kind: 'sweep' | 'gas';
  /** Derivation index of the deposit address. */
  readonly index: number;
  /** Gas (or energy) and greatest fee in wei (or sun) per unit of it that the deposit address can pay for the sweep. */
  readonly gasLimit: bigint;
  readonly mostFee: bigint;
}

/** Coins of one kind on a deposit address, and the cost of moving them into the hot wallet. */
export interface SweepableHolding {
  readonly index: number;
  readonly address: string;
  readonly asset: string;
  /**
   * Amount that can be moved, in units of the asset; zero if nothing can be moved now, for example because
   * nothing remains after the gas.
   */
  readonly amount: Decimal;
  /** The balance of the address; zero if there is none. */
  readonly held: Decimal;
  readonly gasLimit: bigint;
  /**
   * Greatest fee in wei (or sun) per unit of gas (or energy) that the address can pay for the sweep, after it has
   * received `gas`.
   */
  readonly mostFee: bigint;
  /** The chain's coin that the address lacks for its gas, in units of the coin; undefined if it has enough. */
  readonly gas: Decimal | undefined;
  /**
   * Cost of the sweep at the current fee, with the transfer of gas, in units of the chain's coin.
   */
  readonly cost: Decimal;
}

/** A transfer to one of our addresses, as reported by a network. Positions increase over time. */
export interface ChainTransfer extends Omit<Sending, 'origin'> {
  /** The paying address; undefined where the network does not name it. */
  readonly sender: string | undefined;
  /** Whether the exchange paid one of its own wallets, so that the ledger does not change. */
  readonly isInternal: boolean;
  readonly position: number;
  readonly txid: string;
  /** Index of this payment within its transaction. */
  readonly output: number;
  readonly block: number;
  /**
   * True when the network dropped the block with this transfer. If the transfer is in a block
   * again, a later entry reports it.
   */
  readonly isGone: boolean;
  /** Confirmations that this transfer needs; undefined if it needs the usual number of its network. */
  readonly confirmations?: number | undefined;
}

/** A payment as found in a block. */
export interface ChainSighting {
  readonly txid: string;
  readonly output: number;
  readonly asset: string;
  readonly address: string;
  /** The paying address; undefined where the chain does not name it. */
  readonly sender: string | undefined;
  /**
   * Whether the exchange paid itself: a deposit address or a wallet of the exchange paid one of its
   * wallets.
   */
  readonly isInternal: boolean;
  readonly amount: Decimal;
  /**
   * Memo or tag that identifies the user on a network with one address for all; undefined if the
   * payment has none.
   */
  readonly memo?: string | undefined;
  /** Note for operators about a payment that they assign to a user. */
  readonly remark?: string | undefined;
  /** The block that contains the payment; undefined if it is the block that is being stored. */
  readonly block?: number | undefined;
  /** Confirmations that this payment needs; undefined if it needs the usual number of its network. */
  readonly confirmations?: number | undefined;
}

/** Bounds and target of a coin in a hot wallet, in units of the coin: `least` < `target` < `most`. */
export interface WalletBounds {
  readonly least: Decimal;
  readonly target: Decimal;
  readonly most: Decimal;
}

/** A payment that was broadcast; `block` is set once it is mined. */
export interface Sent {
  readonly txid: string;
  readonly block: number | undefined;
}

/**
 * Status of a payment: unknown (nothing is signed), waiting, mined, finally rejected by the chain, or finally
 * replaced by a transfer of nothing. `waiting` lasts until the outcome is certain. `txid` is the transaction
 * that is expected or was mined; a payment whose fee was raised has several. `block` is 0 if a transaction
 * that was not signed for the payment used its nonce.
 */
export type SendingStatus =
  | { readonly state: 'unknown' }
  | { readonly state: 'waiting'; readonly txid: string }
  | { readonly state: 'mined' | 'failed' | 'voided'; readonly txid: string; readonly block: number };

/**
 * Result of voiding a payment: nothing was or will be signed, or the status of the transaction that
 * was signed.
 */
export type VoidStatus = SendingStatus | { readonly state: 'unsigned' };

/**
 * Stage of a payment that a channel accepted: signing was requested, the signer has answered, or a
 * node has the transaction.
 */
export type SendingStage = 'signing' | 'signed' | 'sent';

/** A payment inside a transaction of a chain, made by anybody. */
export interface ChainPayment {
  readonly asset: string;
  readonly address: string;
  readonly memo: string | undefined;
  /** Amount in units of the asset, with the digits of the ledger (`ledgerAmount`). */
  readonly amount: Decimal;
  readonly block: number;
  /** Whether the payment's block has the required confirmations. */
  readonly isFinal: boolean;
}

/**
 * Rounds a payment on a network down to the digits with which the ledger counts the coin; the exchange keeps the
 * remainder. Amounts of unlisted coins keep all digits.
 *
 * @param units amount in the smallest units of the coin's contract; one coin has 10^`digits` of them
 */
export function ledgerAmount(
  network: string,
  { asset, units, digits }: { readonly asset: string; readonly units: bigint; readonly digits: number },
): Decimal {
  const coin = findCoinNetwork(asset, network);
  const amount = Decimal.ofScaled(units, digits);
  return coin === undefined ? amount : amount.rounded(coin.digits, 'down');
}

/**
 * A transaction that was signed for a payment. Units of the fees: wei per unit of gas (EVM), 10^-9 of the coin's
 * smallest unit per virtual byte (UTXO), 10^-9 drops (XRP); on TRON they are the fee limit in 10^-9 sun. `nonce` is 0
 * on chains without nonces.
 */
export interface SignedVariant {
  readonly txid: string;
  readonly isVoid: boolean;
  readonly nonce: number;
  readonly maxFee: bigint;
  readonly tip: bigint;
  readonly at: Instant | undefined;
}

/** A replacement of a payment's newest transaction with a higher fee, before it is signed. Fees are in `unit`. */
export interface FeeRaise {
  /** Unit of the fees, in words for operators. */
  readonly unit: string;
  /** Fee of the newest transaction. */
  readonly present: Decimal;
  /** Lowest fee with which nodes accept a replacement. */
  readonly least: Decimal;
  /** Highest fee of automatic replacements. */
  readonly automatic: Decimal;
  /** Fee that the node suggests now. */
  readonly suggested: Decimal;
  /** The coin in which fees are paid. */
  readonly coin: string;
  /** The highest possible costs of the newest transaction and of its replacement, in units of the coin. */
  readonly presentCost: Decimal;
  readonly raisedCost: Decimal;
  /** Number of payments that the transaction makes; more than 1 in a batch. */
  readonly payments: number;
}

/** Facts from a chain and from the exchange's records about an address that has paid the exchange. */
export interface SenderFacts {
  /** Whether the address is a contract; undefined on chains without contracts, or if the node cannot answer now. */
  readonly hasCode: boolean | undefined;
  /** Number of the exchange's addresses that the sender has paid, counted up to `PAID_MOST`. */
  readonly paidAddresses: number;
}

/** Greatest value of `paidAddresses`: counting the exchange's addresses that a sender has paid ends here. */
export const PAID_MOST = 10;

export interface Destination {
  readonly address: string;
  readonly memo: string | undefined;
}

export function demoHeight(now: Instant): number {
  return Math.floor(now / DEMO_BLOCK_MS);
}

/** Confirmations of a block, counting the block itself; 0 for a block above `height`. */
export function confirmationsOf(block: number, height: number): number {
  return Math.max(0, height - block + 1);
}

/** Deterministic transaction ID on a simulated network; EVM networks get a `0x` prefix. */
export function demoTxid(origin: string, network: string): string {
  return `${network === 'ERC20' || network === 'BEP20' ? '0x' : ''}${sha256Hex(origin)}`;
}

/** Deposit address of a user on a simulated network; `attempt` varies the memo to resolve collisions. */
export function demoDestination(network: Network, owner: string, attempt: number): Destination {
  const digest = (text: string) => sha256(new TextEncoder().encode(text));
  if (!network.memo) {
    const address = chainAddress(network.addressKind, digest(`${network.addressKind} ${owner}`).slice(0, 20));
    return { address, memo: undefined };
  }
  const address = chainAddress(network.addressKind, digest(`${network.code} house`).slice(0, 20));
  const memo = new DataView(digest(`${network.code} ${owner} ${attempt}`).buffer).getUint32(0);
  return { address, memo: String(memo) };
}
