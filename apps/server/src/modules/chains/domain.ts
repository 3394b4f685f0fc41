import { chainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { sha256, sha256Hex } from '@exchange/core/digests.ts';
import { EVM_NETWORKS } from '@exchange/core/evm-network.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import type { Network } from '@exchange/core/network-table.ts';
import type { Instant } from '@exchange/core/time.ts';

/**
 * Number of confirmations that deposits need, by amount: each step applies to amounts of at least `from` (in
 * units of the coin, with decimals), up to the next step; the lowest `from` is zero.
 */
export type ConfirmationSteps = readonly { readonly from: Decimal; readonly confirmations: number }[];

/**
 * How deposits and withdrawals of a coin on a network work: on a simulated chain, by an address of the exchange whose
 * deposits operators review by hand, on a real chain, or not at all.
 */
export type ChannelKind = RealChannelKind | 'demo' | 'manual' | 'none';

/**
 * Families of real blockchains: chains with accounts and contracts (EVM), chains with unspent outputs (Bitcoin and
 * similar), the XRP Ledger, and TRON.
 */
export type RealChannelKind = 'evm' | 'utxo' | 'xrp' | 'tron';

/** State of a real blockchain, as operators see it. */
export interface ChainState {
  readonly network: string;
  readonly kind: RealChannelKind;
  /** Number of the newest block that the exchange has read. */
  readonly height: number;
  /** Number of the newest block that the node has with the finality at which the exchange reads the chain. */
  readonly head: number;
  readonly sends: boolean;
  /** Why the chain is not read or payments wait; undefined if there is no problem. */
  readonly problem: string | undefined;
  /** Why the chain is not read, or is read too late; undefined if it is read as usual, also while payments wait. */
  readonly readingProblem: string | undefined;
}

/**
 * Time between two blocks of simulated networks in milliseconds; short enough to watch a transfer from its start to its
 * confirmation.
 */
export const DEMO_BLOCK_MS = 4_000;

/** A payment that the exchange is to send on a network. */
export interface Sending {
  /** Idempotency key of the payment, chosen by the caller: at most one payment is sent per origin. */
  readonly origin: string;
  readonly network: string;
  readonly asset: string;
  readonly address: string;
  readonly memo: string | undefined;
  readonly amount: Decimal;
  readonly remark?: string | undefined;
  /**
   * Who approved the payment: the names of operators, or `the limits` for a withdrawal that needed no review; undefined
   * or empty if nobody is known.
   */
  readonly approvedBy?: string;
  /**
   * The owner of a withdrawal, and the digest of the details that the owner confirmed; for an incoming
   * payment that is sent back, a fixed owner and the digest of the details that operators approved. Undefined
   * for transfers among the exchange's own addresses. A signer signs no payment to any other address without
   * both.
   */
  readonly confirmed?: { readonly owner: string; readonly digest: string };
  /**
   * `coldTransferDigest` of a transfer to the exchange's own cold wallet, which no user confirms; undefined
   * for all other payments. A payment that a signer signs has exactly one of `confirmed`, `coldDigest` and
   * `sweep`.
   */
  readonly coldDigest?: string;
  /** The terms of a transfer between a deposit address and the hot wallet; undefined for all other payments. */
  readonly sweep?: SweepTerms;
}

/**
 * Returns who approved a payment, for the request to the signer. Returns `nobody` if no approval is known,
 * because the signer refuses an empty text.
 */
export function approverOf({ approvedBy }: Pick<Sending, 'approvedBy'>): string {
  return approvedBy === undefined || approvedBy === '' ? 'nobody' : approvedBy;
}

/**
 * Terms of a transfer between a deposit address and the hot wallet. `sweep`: the deposit address pays the hot wallet.
 * `gas`: the hot wallet pays the deposit address the gas for a sweep.
 */
export interface SweepTerms {
  readonly kind: 'sweep' | 'gas';
  /** Index with which the deposit address is derived from the extended public key. */
  readonly index: number;
  /**
   * Gas (on TRON: energy) of the sweep, and the greatest fee in wei (on TRON: sun) per unit of it that the deposit
   * address can pay.
   */
  readonly gasLimit: bigint;
  readonly mostFee: bigint;
}

/** The balance of one coin on a deposit address, and the cost of moving it into the hot wallet. */
export interface SweepableHolding {
  readonly index: number;
  readonly address: string;
  readonly asset: string;
  /**
   * Amount that can be moved into the hot wallet, in units of the coin, with decimals; zero if nothing can be
   * moved now, for example because nothing remains after the gas is paid.
   */
  readonly amount: Decimal;
  /** The balance of the coin on the address, in units of the coin, with decimals; zero if there is none. */
  readonly held: Decimal;
  readonly gasLimit: bigint;
  /**
   * Greatest fee in wei per unit of gas (on TRON: sun per unit of energy) that the address can pay for the sweep, after
   * it has received the amount `gas`.
   */
  readonly mostFee: bigint;
  /**
   * Amount of the chain's coin that the address still needs to pay its gas, in units of that coin, with
   * decimals; undefined if it has enough.
   */
  readonly gas: Decimal | undefined;
  /**
   * Cost of the sweep at the current fee, including the transfer of gas to the address, in units of the
   * chain's own coin, with decimals.
   */
  readonly cost: Decimal;
}

/**
 * A transfer to an address of the exchange, as its network reports it. A transfer that is recorded later has a greater
 * position.
 */
export interface ChainTransfer extends Omit<Sending, 'origin'> {
  /** The address that paid; undefined if the network does not state it. */
  readonly sender: string | undefined;
  /** True if the exchange paid one of its own wallets, so that no user's balance changes. */
  readonly isInternal: boolean;
  readonly position: number;
  readonly txid: string;
  /** Index of this payment within its transaction. */
  readonly output: number;
  readonly block: number;
  /**
   * True if this entry reports that the network dropped the block that contained the transfer. If the transfer is in a
   * block again, a later entry with a greater position reports it.
   */
  readonly isGone: boolean;
  /** Number of confirmations that this transfer needs; undefined if it needs the usual number of its network. */
  readonly confirmations?: number | undefined;
}

/** A payment in a block that was read, to an address of the exchange: a deposit address or a wallet. */
export interface ChainSighting {
  readonly txid: string;
  readonly output: number;
  readonly asset: string;
  readonly address: string;
  /** The address that paid; undefined if the chain does not state it. */
  readonly sender: string | undefined;
  /**
   * True if the exchange paid itself: the payer is a deposit address or a wallet of the exchange, and the receiver one
   * of its wallets.
   */
  readonly isInternal: boolean;
  readonly amount: Decimal;
  /**
   * Memo or tag that identifies the user on a network where all users share one address; undefined if the payment has
   * none.
   */
  readonly memo?: string | undefined;
  /** Note for operators about a payment that they have to assign to a user; undefined if there is none. */
  readonly remark?: string | undefined;
  /** Number of the block that contains the payment; undefined if it is the block that is being stored. */
  readonly block?: number | undefined;
  /** Number of confirmations that this payment needs; undefined if it needs the usual number of its network. */
  readonly confirmations?: number | undefined;
}

/**
 * Lower bound, target and upper bound of a coin's balance in a hot wallet, in units of the coin, with
 * decimals: `least` < `target` < `most`.
 */
export interface WalletBounds {
  readonly least: Decimal;
  readonly target: Decimal;
  readonly most: Decimal;
}

/**
 * A payment that the exchange has accepted for sending: its transaction is stored, and is broadcast until a block
 * contains it. `block` is undefined while the block of the payment is not known.
 */
export interface Sent {
  readonly txid: string;
  readonly block: number | undefined;
}

/**
 * Status of a payment. `unknown`: nothing is signed. `waiting`: signed, and the outcome is not certain yet. `mined`:
 * paid. `failed`: the chain has finally rejected it. `voided`: it can never happen, because a transfer of nothing
 * finally replaced it, or because all its transactions have expired (TRON). `txid` is the transaction that is expected
 * or was mined; a payment whose fee was raised has several transactions. `block` is 0 if a transaction that was not
 * signed for the payment used its nonce.
 */
export type SendingStatus =
  | { readonly state: 'unknown' }
  | { readonly state: 'waiting'; readonly txid: string }
  | { readonly state: 'mined' | 'failed' | 'voided'; readonly txid: string; readonly block: number };

/**
 * Result of voiding a payment. `unsigned`: nothing was signed for it or ever will be. Otherwise the status of the
 * transaction that was signed.
 */
export type VoidStatus = SendingStatus | { readonly state: 'unsigned' };

/**
 * How far an accepted payment has come: the signature was requested (`signing`), the signer has returned it (`signed`),
 * or a node has the transaction (`sent`).
 */
export type SendingStage = 'signing' | 'signed' | 'sent';

/** A payment that anybody made in a transaction of a chain. */
export interface ChainPayment {
  readonly asset: string;
  readonly address: string;
  readonly memo: string | undefined;
  /** Amount in units of the coin, rounded down to the decimals of the ledger (`ledgerAmount`). */
  readonly amount: Decimal;
  readonly block: number;
  /** True if the payment's block has the required confirmations. */
  readonly isFinal: boolean;
}

/**
 * Converts the amount of a payment on a network from smallest units to units of the coin, rounded down to the
 * decimals with which the ledger counts the coin; the exchange keeps the remainder. Amounts of coins that the
 * exchange does not list keep all decimals.
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
 * A transaction that the signer signed for a payment. Units of the fees: wei per unit of gas (EVM), 10^-9 of the coin's
 * smallest unit per virtual byte (UTXO), 10^-9 drops (XRP), and on TRON the fee limit in 10^-9 sun. `nonce` is
 * the sequence number on the XRP Ledger and undefined on chains without nonces.
 */
export interface SignedVariant {
  readonly txid: string;
  readonly isVoid: boolean;
  readonly nonce: number | undefined;
  readonly maxFee: bigint;
  readonly tip: bigint;
  /**
   * Name of the unit in which operators see the fees; one such unit is 10^9 units of `maxFee` and `tip`, for example 1
   * Gwei = 10^9 wei.
   */
  readonly unit: string;
  readonly at: Instant | undefined;
}

/**
 * The plan of a transaction that raises the fee of a waiting payment: a replacement with a higher fee or a child
 * transaction; nothing is signed yet. The fees are in the unit named by `unit`, per unit of gas (EVM) or size (UTXO).
 */
export interface FeeRaise {
  /** Name of the unit of the fees, shown to operators. */
  readonly unit: string;
  /**
   * Fee that the waiting transactions pay now, in the unit named by `unit`; on EVM chains the maximum fee of the newest
   * transaction.
   */
  readonly present: Decimal;
  /**
   * Lowest fee that can be requested, in the unit named by `unit`: nodes may refuse a replacement with less, and a
   * child with less would not raise the fee.
   */
  readonly least: Decimal;
  /** Highest fee to which the exchange raises fees automatically, in the unit named by `unit`. */
  readonly automatic: Decimal;
  /** Fee that the node suggests at present, in the unit named by `unit`. */
  readonly suggested: Decimal;
  /** Code of the coin in which the fees of the payment's network are paid. */
  readonly coin: string;
  /**
   * The highest total fees that the waiting transactions (`presentCost`), and these with the replacement or
   * child (`raisedCost`), can cost, in units of `coin`, with decimals.
   */
  readonly presentCost: Decimal;
  readonly raisedCost: Decimal;
  /** Number of payments that the transaction makes; more than 1 in a batch. */
  readonly payments: number;
}

/**
 * A child transaction ("child pays for parent"): it makes no payment, spends the change output of a transaction that
 * waits for a block, and pays a high fee. A miner who includes it must include the waiting transaction too.
 */
export interface ChainChild {
  readonly id: string;
  /** Id of the waiting transaction whose change the child spends. */
  readonly spends: string;
  /**
   * Id of the child's newest version that a node accepted or, if none was accepted, of its newest signed version;
   * undefined while none is signed.
   */
  readonly txid: string | undefined;
  /** Code of the chain's own coin, in which the child's fee is paid. */
  readonly coin: string;
  /**
   * Fee of the version `txid`, or the planned fee while none is signed, in units of `coin`, with decimals.
   */
  readonly fee: Decimal;
  /** Number of signed versions of the child, which differ in their fees; at most one of them is ever in a block. */
  readonly transactions: number;
  /**
   * State of the child transaction. `signing`: not signed yet. `waiting`: signed, but no node has accepted
   * it. `inFlight`: a node has accepted it, and no block contains it. `inBlock`: a block contains it.
   */
  readonly state: 'signing' | 'waiting' | 'inFlight' | 'inBlock';
  readonly createdAt: Instant;
}

/**
 * Facts about an address from which the exchange has received a payment, from the chain and from the exchange's
 * records.
 */
export interface SenderFacts {
  /** True if the address is a contract; undefined on chains without contracts, or if the node cannot answer now. */
  readonly hasCode: boolean | undefined;
  /** Number of the exchange's addresses to which this address has paid; at most `PAID_MOST`, where counting ends. */
  readonly paidAddresses: number;
}

/** Greatest value of `paidAddresses`; counting the exchange's addresses to which a sender has paid ends at it. */
export const PAID_MOST = 10;

/**
 * Network fee of a usual payment at present; `amount` is in units, with decimals, of `coin`, the coin in
 * which the network's fees are paid.
 */
export interface PaymentCost {
  readonly coin: string;
  readonly amount: Decimal;
}

export interface Destination {
  readonly address: string;
  readonly memo: string | undefined;
}

export function demoHeight(now: Instant): number {
  return Math.floor(now / DEMO_BLOCK_MS);
}

/**
 * Returns the number of confirmations of a block at the chain height `height`, counting the block itself; 0
 * for a block above `height`.
 */
export function confirmationsOf(block: number, height: number): number {
  return Math.max(0, height - block + 1);
}

/**
 * Returns the transaction id on a simulated network, computed from the payment's origin (idempotency key); on
 * EVM networks with the prefix `0x`.
 */
export function demoTxid(origin: string, network: string): string {
  return `${EVM_NETWORKS.has(network) ? '0x' : ''}${sha256Hex(origin)}`;
}

/**
 * Returns the deposit address of a user on a simulated network. On a network with memos, all users share the
 * address, and a different `attempt` yields a different memo, in case another user already has the same; on
 * other networks `attempt` has no effect.
 */
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
