import type { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { ChainTransfer, Destination, Sending, SendingStatus, Sent } from './domain.ts';

/** A network that does not answer now: nothing else is asked of it for the moment. */
export class ChannelAway extends Error {}

/** The house's own wallets, as a chain has them. */
export interface Wallets {
  /** A block in which everything stands that the ledger has counted so far; undefined before the first was read. */
  block(): number | undefined;
  /** What all of them have of each coin as of a block, deposits that still lie on their addresses among it. */
  holdings(block: number): Promise<ReadonlyMap<string, Decimal>>;
}

/**
 * A way to and from networks. Every kind keeps the same promises, and one test holds all of them to these: an address
 * is the same at every call; entries come in the order of their positions and are never changed; what is sent under an
 * origin is sent once, however often it is asked for.
 */
export interface Channel {
  readonly kind: 'demo' | 'evm';
  /** Networks whose entries it gives, by their codes. */
  readonly networks: readonly string[];
  /** What can be asked how much the house has; none where it has nothing but what the ledger says. */
  readonly wallets: Wallets | undefined;
  /** Contracts of the tokens that it carries, in their canonical spelling: nobody can be paid there. */
  readonly contracts: ReadonlySet<string>;
  /** Whether a coin on a network can be received. */
  receives(asset: string, network: string): boolean;
  /** Whether a coin on a network can be sent. */
  sends(asset: string, network: string): boolean;
  /** Seconds between two blocks as they really come. */
  blockSeconds(network: Network): number;
  /** Blocks from the one with a transfer on, until it counts. */
  confirmationsNeeded(network: Network): number;
  /** The number of the newest block that has been looked at; 0 before the first. */
  height(): number;
  /** Where somebody's coins are taken in; another `attempt` where that is somebody else's already. */
  destination(network: Network, owner: string, attempt: number): Promise<Destination>;
  /** Whether it can show that an address is the owner's; an address that it cannot is not shown. */
  isOwn(network: Network, owner: string, destination: Destination): Promise<boolean>;
  /** Looks at what is new on the chain, a bounded part of it. */
  look(): Promise<void>;
  /** What the networks have had since a position. */
  transfersSince(position: number, limit: number): Promise<ChainTransfer[]>;
  /** Sends; the same origin again gives what was sent then. Throws where it cannot be sent now, and nothing was. */
  send(sending: Sending): Promise<Sent>;
  /** How the sending of an origin stands. */
  status(origin: string): Promise<SendingStatus>;
  health(): ComponentHealth;
  /** Reads from the database how far the chain has been read: memory of it may be newer than what is stored. */
  load(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}
