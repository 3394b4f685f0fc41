import type { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type {
  ChainPayment,
  ChainTransfer,
  Destination,
  FeeRaise,
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
 * Thrown when a channel cannot serve a request now, for example because the node of its network does not
 * answer. The same request can succeed later.
 */
export class ChannelUnavailable extends Error {}

/**
 * Thrown for a payment that waits for the next batch of its channel. Nothing failed: the same request
 * succeeds when the payment is in a batch.
 */
export class PaymentQueued extends ChannelUnavailable {
  constructor() {
    super('it waits for the next batch of payments');
  }
}

/**
 * Thrown for a payment that cannot be executed on its chain: the receiver or the contract of the coin refuses it.
 * Nothing was signed, and a later attempt can succeed.
 */
export class PaymentRefused extends Error {}

/** The exchange's own wallets on a chain. */
export interface Wallets {
  /**
   * The block at which the balances of the wallets are read. It includes every transfer that the ledger has counted.
   * Undefined before the first block was read.
   */
  block(): number | undefined;
  /** Total balance per coin at a block, including deposits that still lie on user addresses. */
  holdings(block: number): Promise<ReadonlyMap<string, Decimal>>;
}

/** Network fees that the exchange paid for its payments. */
export interface NetworkFees {
  /**
   * Fees of mined and final payments that are not booked yet, oldest first. `amount` is in the
   * chain's coin.
   */
  unbooked(limit: number): Promise<readonly NetworkFee[]>;
  /** Records that the fee of the payment with this origin is booked. */
  markBooked(origin: string): Promise<void>;
}

/** Network fees that were spent in an unlisted coin. The ledger has no accounts for them. */
export interface SpentFees {
  readonly asset: string;
  /** Fees of final transactions of the exchange's accounts since an instant, in units of the coin. */
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

/** The wallet from which a channel pays, and the cold wallet that refills it and receives its surplus. */
export interface HotWallet {
  readonly network: string;
  readonly address: string;
  /** The only address to which surplus is moved; undefined without a cold wallet. */
  readonly cold: string | undefined;
  /** Bounds by coin; coins without bounds are never refilled or moved. */
  readonly bounds: ReadonlyMap<string, WalletBounds>;
  /**
   * Balance of the wallet by coin, in units of the coin, at the newest block that was read, or at the newest block
   * whose transfers are confirmed; undefined before the first block. Throws `ChannelUnavailable` if the node cannot be
   * reached.
   */
  balances(at: 'newest' | 'confirmed'): Promise<ReadonlyMap<string, Decimal> | undefined>;
}

/** Coins on deposit addresses, and the limits for moving (sweeping) them into the hot wallet. */
export interface DepositSweeps {
  readonly network: string;
  /** The chain's coin, in which gas is paid. */
  readonly coin: string;
  /** The hot wallet, which receives the swept coins. */
  readonly wallet: string;
  /** Least ratio between the value of a sweep and its cost; used where `least` is undefined. */
  readonly factor: number;
  /**
   * Least value of a sweep in USDT. It is set if the chain's coin is not listed, because the cost of a sweep then has
   * no price; otherwise it is undefined.
   */
  readonly least: Decimal | undefined;
  /**
   * Confirmed coins whose next check is due, tokens before the chain's coin, at most `limit`. Empty while fees are
   * above the bound of the settings. Throws `ChannelUnavailable` if the node cannot be reached.
   */
  due(limit: number): Promise<readonly SweepableHolding[]>;
  /**
   * Sets when a coin on an address is checked next. A coin that the address no longer holds is
   * removed.
   */
  looked(holding: SweepableHolding, next: Instant): Promise<void>;
}

/** Contract tokens of a chain on which anybody can create tokens. */
export interface ChannelTokens {
  /** The code of the listed coin with this contract in lower case; undefined if it is not listed. */
  listedAs(contract: string): string | undefined;
  /**
   * Decimals, name and symbol that a contract reports; undefined if there is no token with at most
   * 18 decimals. Throws `ChannelUnavailable` if the node cannot be reached.
   */
  facts(contract: string): Promise<TokenFacts | undefined>;
  /** The user with this deposit address in lower case; undefined if no user has it. */
  ownerOf(address: string): Promise<string | undefined>;
}

/**
 * A connection to one or more networks. All implementations keep the same guarantees, and one shared test checks them:
 * a destination address is the same at every call; transfers come in the order of their positions and never change; a
 * payment with a given origin is sent at most once, however often it is requested.
 */
export interface Channel {
  readonly kind: RealChannelKind | 'demo';
  /** Codes of the networks whose transfers this channel reports. */
  readonly networks: readonly string[];
  /** The wallets whose balances can be read from the chain; undefined where the ledger is the only record. */
  readonly wallets: Wallets | undefined;
  /** The hot wallet that pays; undefined where no wallet of the exchange can run empty. */
  readonly hot: HotWallet | undefined;
  /** Deposit addresses whose coins are swept; undefined where nothing is swept. */
  readonly sweeps: DepositSweeps | undefined;
  /** Tokens that are not listed; undefined on chains without contract tokens. */
  readonly tokens: ChannelTokens | undefined;
  /** The fees of the channel's payments; undefined where payments cost the exchange nothing on the network. */
  readonly fees: NetworkFees | undefined;
  /** Fees in a coin that is not listed; undefined where they are booked or not counted. */
  readonly spentFees: SpentFees | undefined;
  /** Token contracts in canonical spelling. Withdrawals to these addresses are refused. */
  readonly contracts: ReadonlySet<string>;
  receives(asset: string, network: string): boolean;
  /**
   * Whether the address belongs to the exchange and to no single user: an address that users share by memos, or a
   * wallet.
   */
  isHouseAddress(network: string, address: string): boolean;
  sends(asset: string, network: string): boolean;
  /** Whether the channel pays at all. */
  readonly canSend: boolean;
  /** Usual seconds between two blocks, of the real network or of its simulation. */
  blockSeconds(network: Network): number;
  /**
   * Blocks needed until a transfer is confirmed, counting the block that contains it. `amount` is in units of the coin;
   * without it, the result is the number for the smallest amounts.
   */
  confirmationsNeeded(network: Network, amount?: Decimal): number;
  /** Number of the newest block that has been read; 0 before the first. */
  height(): number;
  /**
   * Number of the node's newest block, by the finality of the settings; 0 before the node has
   * answered.
   */
  head(): number;
  /**
   * The deposit address of a user. Pass a higher `attempt` when the previous result already belongs to another user.
   */
  destination(network: Network, owner: string, attempt: number): Promise<Destination>;
  /** Whether an address belongs to the owner. An address for which this is false must not be shown. */
  isOwn(network: Network, owner: string, destination: Destination): Promise<boolean>;
  /**
   * Why the network would not deliver a payment to this recipient; undefined if it would, or if the node cannot answer
   * now. `amount` is the amount that arrives, in units of the coin.
   */
  recipientProblem(destination: Destination, amount: Decimal): Promise<Refusal | undefined>;
  /** Facts about an address that has paid the exchange. */
  senderFacts(address: string): Promise<SenderFacts>;
  /** Reads new blocks from the chain, at most a bounded number per call. */
  scan(): Promise<void>;
  /** Transfers with a position greater than `position`, in order. */
  transfersSince(position: number, limit: number): Promise<ChainTransfer[]>;
  /**
   * Sends a payment. Repeating an origin returns the payment that was sent first. Throws if the payment
   * cannot be sent now; in that case this call sent nothing, although the signer may have signed the payment
   * (see `unanswered`). A channel that pays in batches throws `PaymentQueued` until the payment is in one.
   */
  send(sending: Sending): Promise<Sent>;
  /** Signs and sends the payments that were requested since the last call, if a batch is due. Never throws. */
  dispatch(): Promise<void>;
  /**
   * Current status of the payment with this origin. Its signed transaction is broadcast again if no
   * block contains it.
   */
  status(origin: string): Promise<SendingStatus>;
  /**
   * Makes sure that a payment that is in no block never happens: nothing more is signed for it, and
   * its signed transaction is replaced by a transfer of nothing. Call it again until the state is
   * `unsigned` or `voided`, after which the payment cannot happen, or `mined` or `failed`, if the
   * payment was in a block first. `usedBy` names a transaction that used the nonce of the payment
   * without being signed for it, which voids the payment too.
   */
  void(sending: Sending, usedBy?: string): Promise<VoidStatus>;
  /**
   * Origins of payments whose signing was requested and for which no answer of the signer is stored, at most `limit`.
   */
  unanswered(limit: number): Promise<readonly string[]>;
  /**
   * Reads from the signer the transaction of a payment whose result is unknown, and broadcasts it. Returns undefined if
   * the signer has signed nothing.
   */
  recover(origin: string): Promise<Sent | undefined>;
  /**
   * Replaces the payment's transaction by the same one with higher fees, at most `maxFee`. Units of `maxFee`: wei per
   * unit of gas (EVM), 10^-9 of the coin's smallest unit per virtual byte (UTXO), 10^-9 drops (XRP). Refuses a fee that
   * nodes would not accept for a replacement, a payment that is unsigned or in a block, and a network whose
   * transactions cannot be replaced.
   */
  raiseFee(origin: string, maxFee: bigint): Promise<SignedVariant>;
  /**
   * Fees and costs of the transaction that `raiseFee` would sign. Refuses the same requests as `raiseFee`; signs
   * nothing.
   */
  plannedRaise(origin: string, maxFee: bigint): Promise<FeeRaise>;
  /** All transactions that were signed for a payment, oldest first. */
  signedFor(origin: string): Promise<readonly SignedVariant[]>;
  /**
   * Stages of payments that are in no block; origins that are unknown to the channel are left out.
   */
  stagesOf(origins: readonly string[]): Promise<ReadonlyMap<string, SendingStage>>;
  /**
   * Why operators must raise the fee of a payment or void it, because it is signed but has been in no block for too
   * long; worded as the end of a sentence. Undefined if operators need to do nothing.
   */
  waitReason(origin: string): string | undefined;
  /** Successful payments of a transaction in a block; undefined if the chain does not have it. */
  paymentsIn(txid: string): Promise<readonly ChainPayment[] | undefined>;
  health(): ComponentHealth;
  /** Reloads the scan position from the database, because the position in memory may be ahead of the stored one. */
  load(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
