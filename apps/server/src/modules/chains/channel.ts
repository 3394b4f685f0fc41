import type { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { ChainTransfer, Destination, Sending, SendingStatus, Sent } from './domain.ts';

/** Thrown when a network's node cannot be reached. Callers make no further requests to it in this round. */
export class ChannelUnavailable extends Error {}

/** The exchange's own wallets on a chain. */
export interface Wallets {
  /**
   * The newest block that includes every transfer the ledger has counted; undefined before the first block was read.
   */
  block(): number | undefined;
  /** Total balance per coin at a block, including deposits that still lie on user addresses. */
  holdings(block: number): Promise<ReadonlyMap<string, Decimal>>;
}

/** Network fees that the exchange paid for its payments. */
export interface NetworkFees {
  /** Fees of mined and final payments that are not booked, oldest first. `amount` is in the chain's coin. */
  unbooked(limit: number): Promise<readonly NetworkFee[]>;
  /** Records that the fee of the payment with this origin is booked. */
  markBooked(origin: string): Promise<void>;
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
 * A connection to one or more networks. All implementations keep the same guarantees, and one shared test checks them:
 * a destination address is the same at every call; transfers come in the order of their positions and never change; a
 * payment with a given origin is sent at most once, however often it is requested.
 */
export interface Channel {
  readonly kind: 'demo' | 'evm';
  /** Codes of the networks whose transfers this channel reports. */
  readonly networks: readonly string[];
  /** The wallets whose balances can be read from the chain; undefined where the ledger is the only record. */
  readonly wallets: Wallets | undefined;
  /** The fees of the channel's payments; undefined where payments cost the exchange nothing on the network. */
  readonly fees: NetworkFees | undefined;
  /** Token contracts in canonical spelling. Withdrawals to these addresses are refused. */
  readonly contracts: ReadonlySet<string>;
  receives(asset: string, network: string): boolean;
  /** Whether the address is the exchange's own and belongs to no single user: a common address with memos, or a wallet. */
  isHouseAddress(network: string, address: string): boolean;
  sends(asset: string, network: string): boolean;
  /** Actual seconds between two blocks. */
  blockSeconds(network: Network): number;
  /** Blocks needed until a transfer is confirmed, counting the block that contains it. */
  confirmationsNeeded(network: Network): number;
  /** Number of the newest block that has been read; 0 before the first. */
  height(): number;
  /**
   * The deposit address of a user. Pass a higher `attempt` when the previous result already belongs to another user.
   */
  destination(network: Network, owner: string, attempt: number): Promise<Destination>;
  /** Verifies that an address belongs to the owner. An address that fails this check must not be shown. */
  isOwn(network: Network, owner: string, destination: Destination): Promise<boolean>;
  /** Reads new blocks from the chain, at most a bounded number per call. */
  scan(): Promise<void>;
  /** Transfers with a position greater than `position`, in order. */
  transfersSince(position: number, limit: number): Promise<ChainTransfer[]>;
  /**
   * Sends a payment. Repeating an origin returns the first result. Throws if the payment cannot be sent now; in that
   * case nothing was sent.
   */
  send(sending: Sending): Promise<Sent>;
  /** Current status of the payment with this origin. */
  status(origin: string): Promise<SendingStatus>;
  health(): ComponentHealth;
  /** Reloads the scan position from the database, because memory may be ahead of what is stored. */
  load(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
