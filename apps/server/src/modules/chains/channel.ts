import type { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network-table.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type {
  ChainChild,
  ChainPayment,
  ChainTransfer,
  ConfirmationSteps,
  Destination,
  FeeRaise,
  PaymentCost,
  RealChannelKind,
  Sending,
  SendingStage,
  SendingStatus,
  SenderFacts,
  Sent,
  SignedVariant,
  SweepableHolding,
  VoidStatus,
  WalletBounds,
} from './domain.ts';
import type { TokenFacts } from './watched-tokens-domain.ts';

/**
 * Thrown when a channel cannot serve a request at present, for example because the node of its network does not answer.
 * The same request may succeed later.
 */
export class ChannelUnavailable extends Error {}

/**
 * Throws `ChannelUnavailable` if the id in a node's answer differs from the requested transaction id. Networks that
 * write an id in several ways pass the result of their own comparison as `isSame`.
 */
export function requireAsked(answered: string, asked: string, isSame = answered === asked): void {
  if (!isSame) throw new ChannelUnavailable(`the node gave the transaction ${answered} instead of ${asked}`);
}

/**
 * Thrown when a payment waits for the next batch of its channel. This is no failure: the same request succeeds once the
 * payment is in a batch.
 */
export class PaymentQueued extends ChannelUnavailable {
  constructor() {
    super('it waits for the next batch of payments');
  }
}

/**
 * Thrown when a payment cannot be executed on its chain, because the receiver or the contract of the coin refuses it.
 * Nothing was signed, and a later attempt may succeed.
 */
export class PaymentRefused extends Error {}

/** The exchange's own wallets on a chain, and their balances. */
export interface Wallets {
  /**
   * Returns the number of the block at which the balances of the wallets are read; it includes every transfer
   * that the ledger has counted. Undefined before the first block was read.
   */
  block(): number | undefined;
  /**
   * Returns the total balance per coin at a block, in units of the coin, with decimals: that of the
   * exchange's own wallets (hot wallet, cold wallet, reserves) and of the deposits that are still on users'
   * deposit addresses.
   */
  holdings(block: number): Promise<ReadonlyMap<string, Decimal>>;
}

/**
 * Functions about the network fees of a channel's payments: they return the fees that must still be booked in
 * the ledger, and record that a fee is booked.
 */
export interface NetworkFees {
  /**
   * Lists the fees of mined and final payments that are not booked in the ledger yet, oldest first, at most
   * `limit`. `amount` is in units of the chain's own coin, with decimals. The caller must book each fee and
   * then call `markBooked`.
   */
  unbooked(limit: number): Promise<readonly NetworkFee[]>;
  /**
   * Records that the fee of the payment with this origin (idempotency key) is booked in the ledger, so that `unbooked`
   * no longer returns it.
   */
  markBooked(origin: string): Promise<void>;
}

/** Network fees that the exchange spent in a coin that it does not list. The ledger has no accounts for such fees. */
export interface SpentFees {
  readonly asset: string;
  /**
   * Returns the total of the fees of the exchange's final transactions since a time, in units of the coin,
   * with decimals. The time that counts for a transaction is that of its block on TRON, and that at which its
   * fee was recorded on EVM chains.
   */
  since(at: Instant): Promise<Decimal>;
}

export interface NetworkFee {
  readonly origin: string;
  readonly network: string;
  readonly asset: string;
  readonly txid: string;
  readonly output: number;
  readonly amount: Decimal;
}

/**
 * The hot wallet, from which a channel pays, and the cold wallet, which refills the hot wallet and receives its
 * surplus.
 */
export interface HotWallet {
  readonly network: string;
  readonly address: string;
  /** The only address to which surplus of the hot wallet is moved; undefined if there is no cold wallet. */
  readonly cold: string | undefined;
  /**
   * Bounds of the hot wallet's balance by coin; a coin without bounds is neither refilled nor moved to the cold wallet.
   */
  readonly bounds: ReadonlyMap<string, WalletBounds>;
  /**
   * Returns the balance of the hot wallet by coin, in units of the coin with decimals, at the newest block
   * that was read (`newest`), or at the newest block whose transfers are confirmed (`confirmed`); undefined
   * before the first block. Throws `ChannelUnavailable` if the node cannot be reached. On TRON and the XRP
   * Ledger, whose read blocks are final, both are the same: on TRON the balance at the node's newest
   * solidified block (`ChannelUnavailable` while too many blocks are unread), on the XRP Ledger the balance
   * without the reserve of the account.
   */
  balances(at: 'newest' | 'confirmed'): Promise<ReadonlyMap<string, Decimal> | undefined>;
}

/** The coins on users' deposit addresses, and the limits for moving (sweeping) them into the hot wallet. */
export interface DepositSweeps {
  readonly network: string;
  /** Code of the chain's own coin, in which gas is paid. */
  readonly coin: string;
  /** Address of the hot wallet, which receives the swept coins. */
  readonly wallet: string;
  /** Least ratio between the value of a sweep and its cost; it applies only if `least` is undefined. */
  readonly factor: number;
  /**
   * Least value of a sweep in USDT. It is set if the exchange does not list the chain's coin, because the cost of a
   * sweep then has no price; otherwise it is undefined and `factor` applies.
   */
  readonly least: Decimal | undefined;
  /**
   * Lists confirmed coins on deposit addresses that are due to be checked for a sweep, tokens before the
   * chain's coin, at most `limit`. While network fees are above the limit in the settings, the list is empty
   * (EVM) or its entries have the amount zero (TRON). Throws `ChannelUnavailable` if the node cannot be
   * reached.
   */
  due(limit: number): Promise<readonly SweepableHolding[]>;
  /**
   * Sets the time before which `due` does not return this coin on this deposit address again. If none of the coin was
   * on the address (`held` is zero), removes it from the list until more of it arrives.
   */
  looked(holding: SweepableHolding, next: Instant): Promise<void>;
}

/** Functions about the tokens of a chain on which anybody can create token contracts. */
export interface ChannelTokens {
  /**
   * Converts the address of a contract to the form in which it is stored. The name of the chain's own coin is accepted
   * too if its transfers can be watched. Undefined for any other text.
   */
  canonical(contract: string): string | undefined;
  /** Returns the codes of the listed coins by their contracts in canonical form. */
  listed(): ReadonlyMap<string, string>;
  /**
   * True if the network's holdings include what arrived in blocks that the exchange did not read; false if they are the
   * sum of the transfers that it has read.
   */
  readonly holdsUnread: boolean;
  /**
   * Returns the decimals, name and symbol that a token contract reports; undefined if the address is no token
   * contract, or if the token has more than 18 decimals. Throws `ChannelUnavailable` if the node cannot be
   * reached.
   */
  facts(contract: string): Promise<TokenFacts | undefined>;
  /** Returns the id of the user with this deposit address; undefined if no user has it. */
  ownerOf(address: string): Promise<string | undefined>;
}

/**
 * Child transactions of a channel (see `ChainChild`), which raise the effective fee of transactions that are in no
 * block.
 */
export interface ChannelChildren {
  /**
   * Signs and broadcasts a child transaction (see `ChainChild`) that spends the change of a payment's transaction or,
   * if that has children already, of the last of them. The child's fee is chosen so that all these transactions
   * together pay `maxFee` (10^-9 of the coin's smallest unit per virtual byte). Refuses a `maxFee` that the
   * transactions without the new child reach already, a payment that is unsigned or in a block, and a transaction that
   * can have no child.
   */
  add(origin: string, maxFee: bigint): Promise<SignedVariant>;
  /**
   * Returns the fees and costs, with the child that `add` would sign, of that child and the unconfirmed
   * transactions it depends on; nothing is signed. Refuses the same requests as `add`.
   */
  planned(origin: string, maxFee: bigint): Promise<FeeRaise>;
  /** Returns the child transactions that are not final, the oldest first, at most `limit`. */
  open(limit: number): Promise<BoundedRows<ChainChild>>;
}

/**
 * A connection to one or more networks on which coins are received and sent. All implementations give the same
 * guarantees, which one shared test checks: the destination address of a user is the same at every call; transfers are
 * returned in the order of their positions and never change; a payment with a given origin (idempotency key) is sent at
 * most once, however often it is requested.
 */
export interface Channel {
  readonly kind: RealChannelKind | 'demo';
  /** Codes of the networks whose transfers this channel reports. */
  readonly networks: readonly string[];
  /**
   * The exchange's wallets whose balances can be read from the chain; undefined if the ledger is the only record of the
   * balances.
   */
  readonly wallets: Wallets | undefined;
  /** The hot wallet that pays; undefined if the channel pays from no wallet that could become empty. */
  readonly hot: HotWallet | undefined;
  /** The deposit addresses whose coins are swept into the hot wallet; undefined if the channel sweeps nothing. */
  readonly sweeps: DepositSweeps | undefined;
  /**
   * Reads facts about tokens of the chain, also of tokens that the exchange does not list; undefined on
   * chains without contract tokens.
   */
  readonly tokens: ChannelTokens | undefined;
  /**
   * The network fees of the channel's payments, which are booked in the ledger. Undefined if the channel pays
   * no network fees, or pays them in a coin that the exchange does not list (see `spentFees`).
   */
  readonly fees: NetworkFees | undefined;
  /**
   * Network fees in a coin that the exchange does not list; undefined if the fees are booked in the ledger, or not
   * counted.
   */
  readonly spentFees: SpentFees | undefined;
  /** Child transactions that raise the effective fee of waiting transactions; undefined if the channel makes none. */
  readonly children?: ChannelChildren | undefined;
  /** Addresses of token contracts in canonical spelling; withdrawals to these addresses are refused. */
  readonly contracts: ReadonlySet<string>;
  receives(asset: string, network: string): boolean;
  /**
   * True if the address belongs to the exchange but not to a single user: an address that users share by memos, or a
   * wallet of the exchange. False for users' deposit addresses.
   */
  isHouseAddress(network: string, address: string): boolean;
  sends(asset: string, network: string): boolean;
  /**
   * True if the channel can send payments; false for a channel without a signer, which only receives
   * payments.
   */
  readonly canSend: boolean;
  /**
   * Returns the usual number of seconds between two blocks of the network; for a simulated network, of the
   * simulation.
   */
  blockSeconds(network: Network): number;
  /**
   * Usual number of seconds until a new block has the finality with which the chain is read; undefined if the newest
   * block is read.
   */
  finalitySeconds?(): number;
  /**
   * Returns the number of blocks until a transfer is confirmed; the block that contains the transfer counts
   * as the first. `amount` is in units of the coin, with decimals; if it is undefined, the result is the
   * number for the smallest amounts.
   */
  confirmationsNeeded(network: Network, amount?: Decimal): number;
  /**
   * Numbers of confirmations for larger deposits, smallest amount first: each applies to deposits of at least
   * `from`, in units of the coin, with decimals. Undefined if every deposit needs the same number.
   */
  readonly largerConfirmations?: ConfirmationSteps | undefined;
  /** Returns the number of the newest block that the channel has read; 0 before the first block. */
  height(): number;
  /**
   * Returns the number of the node's newest block of the finality in the settings; 0 before the node has
   * answered.
   */
  head(): number;
  /**
   * Returns the deposit address of a user on a network. If the previous result already belongs to another
   * user, call it again with a higher `attempt`.
   */
  destination(network: Network, owner: string, attempt: number): Promise<Destination>;
  /** True if the deposit address belongs to the owner. If false, the address must not be shown to the owner. */
  isOwn(network: Network, owner: string, destination: Destination): Promise<boolean>;
  /**
   * Returns why the network would not deliver a payment to this recipient. Undefined if it would, if the node
   * cannot answer now, without a signer, for an address that is no account of the XRP Ledger or is the
   * exchange's own, and on all other networks, whose recipients are not checked. `amount` is the amount that
   * the recipient receives, in units of the coin, with decimals.
   */
  recipientProblem(destination: Destination, amount: Decimal): Promise<Refusal | undefined>;
  /** Returns the facts about an address from which the exchange has received a payment. */
  senderFacts(address: string): Promise<SenderFacts>;
  /**
   * Reads new blocks from the chain, at most a fixed number per call, and stores in the database the payments
   * in them to addresses of the exchange. Throws if the node does not answer.
   */
  scan(): Promise<void>;
  /** Lists the transfers whose position is greater than `position`, in ascending order, at most `limit`. */
  transfersSince(position: number, limit: number): Promise<ChainTransfer[]>;
  /**
   * Sends a payment. If a payment with this origin (idempotency key) was sent before, nothing is sent, and the earlier
   * payment is returned. Throws if the payment cannot be sent now; this call then sent nothing, although the signer may
   * have signed the payment (see `unanswered`). A channel that pays in batches throws `PaymentQueued` until the payment
   * is in a batch.
   */
  send(sending: Sending): Promise<Sent>;
  /**
   * If a batch is due, signs and sends as many of the payments passed to `send` since the last call of this method as
   * the spendable coins can pay; the others must be passed to `send` again. Does nothing on channels without batches.
   * Never throws.
   */
  dispatch(): Promise<void>;
  /**
   * Returns the current status of the payment with this origin (idempotency key). If its transaction is
   * signed but in no block, the transaction is broadcast again, replaced or, after it has expired, signed
   * again, as far as the chain has these steps; a voided payment is never signed again.
   */
  status(origin: string): Promise<SendingStatus>;
  /**
   * Takes the next step to void a payment; after one call the payment can still happen. From the first call on, no
   * further transaction that makes the payment is signed. If it is signed but in no block, its transaction is replaced
   * by one that does not make the payment or, on chains whose transactions expire without a replacement (TRON), left to
   * expire. Call it again until the state is `unsigned` or `voided`, after which the payment cannot happen, or `mined`
   * or `failed`, if the payment was in a block first. `usedBy` names a transaction that used the nonce of the payment
   * without being signed for it, which voids the payment too.
   */
  void(sending: Sending, usedBy?: string): Promise<VoidStatus>;
  /**
   * Returns the origins (idempotency keys) of payments, at most `limit`, for which `recover` must be called:
   * those that the signer was requested to sign and for which no answer of the signer is stored. On the
   * Bitcoin family, whose batches wait for the signer's answer by themselves, those that are signed and whose
   * status was never read.
   */
  unanswered(limit: number): Promise<readonly string[]>;
  /**
   * For a payment whose origin `unanswered` returned: obtains its transaction from the signer, stores it, and
   * broadcasts it, except a voided payment on TRON. On the Bitcoin family, only returns the newest stored
   * transaction. Undefined if the signer has signed nothing for the payment.
   */
  recover(origin: string): Promise<Sent | undefined>;
  /**
   * Signs and broadcasts a transaction with the same content as the newest one of a payment and with the higher fee
   * `maxFee`. Units of `maxFee`: wei per unit of gas (EVM, where it is the maximum and the base fee decides what is
   * paid), 10^-9 of the coin's smallest unit per virtual byte (UTXO), 10^-9 drops (XRP). Refuses a fee that nodes would
   * not accept for a replacement, a payment that is unsigned or in a block, and a network whose transactions cannot be
   * replaced.
   */
  raiseFee(origin: string, maxFee: bigint): Promise<SignedVariant>;
  /**
   * Returns the fees and costs of the transaction that `raiseFee` would sign; nothing is signed. Refuses the
   * same requests as `raiseFee`.
   */
  plannedRaise(origin: string, maxFee: bigint): Promise<FeeRaise>;
  /**
   * Returns all transactions that were signed for the payment with this origin (idempotency key), also those
   * that void it, oldest first; in a batch, the transactions of the whole batch. Empty without a signed one,
   * and on a simulated network.
   */
  signedFor(origin: string): Promise<readonly SignedVariant[]>;
  /**
   * Returns the stage of each of the given payments, by origin (idempotency key), also of payments that are
   * in a block; origins without a request for a signature are left out, and so are all origins on a simulated
   * network.
   */
  stagesOf(origins: readonly string[]): Promise<ReadonlyMap<string, SendingStage>>;
  /**
   * Returns what a usual payment of each of the coins costs on the network at present, by coin. The price of
   * the network is read from the node once for all of them. Coins that the channel does not send, or whose
   * payments cost nothing, are left out. Throws `ChannelUnavailable` if the node cannot answer.
   */
  paymentCosts(assets: readonly string[], network: string): Promise<ReadonlyMap<string, PaymentCost>>;
  /**
   * Returns the reason, as a clause such as "it waits with a fee of 91 Gwei, …", why operators must raise the
   * fee of a signed payment that has been in no block for too long, or void it; undefined if they need to do
   * neither.
   */
  waitReason(origin: string): string | undefined;
  /**
   * All successful payments, to whatever address, of a transaction that is in a block; undefined if the chain
   * does not contain the transaction.
   */
  paymentsIn(txid: string): Promise<readonly ChainPayment[] | undefined>;
  health(): ComponentHealth;
  /** Returns why the chain is not read, or is read too late; undefined if it is read as usual. */
  readingProblem(): string | undefined;
  /**
   * Loads into memory, from the database, the position up to which the chain was scanned. Must be called
   * after a failed transaction, because the position in memory may then be ahead of the stored one.
   */
  load(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
