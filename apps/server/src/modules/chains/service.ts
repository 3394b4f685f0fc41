import type { Network } from '@exchange/core/network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  confirmationsOf,
  DEMO_BLOCK_MS,
  demoDestination,
  demoHeight,
  demoTxid,
  type ChainTransfer,
  type ChannelKind,
  type Destination,
  type Sending,
} from './domain.ts';
import { insertTransfer, transfersSince } from './repository.ts';

interface Parts {
  readonly mode: 'demo' | 'live';
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
}

/** The networks as modules use them: where coins are received, what has come, what is sent. */
export class Chains {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** What stands behind the networks. */
  get channel(): ChannelKind {
    return this.parts.mode === 'demo' ? 'demo' : 'none';
  }

  get isOpen(): boolean {
    return this.channel !== 'none';
  }

  /** Seconds between two blocks as they really come. */
  blockSeconds(network: Network): number {
    return this.channel === 'demo' ? DEMO_BLOCK_MS / 1_000 : network.blockSeconds;
  }

  /** The number of the newest block. */
  height(): number {
    return demoHeight(this.parts.clock.now());
  }

  confirmations(block: number): number {
    return confirmationsOf(block, this.height());
  }

  /** Where somebody's coins are taken in; another `attempt` where that is somebody else's already. */
  destination(network: Network, owner: string, attempt: number): Destination {
    return demoDestination(network, owner, attempt);
  }

  /** Sends; the same origin again gives the transfer that was sent then. */
  send(sending: Sending): Promise<{ readonly txid: string; readonly block: number }> {
    const { origin, network } = sending;
    const made = { txid: demoTxid(origin, network), block: this.height() + 1 };
    return this.parts.database.transaction((tx) => insertTransfer(tx, sending, made));
  }

  /** What the networks have had since a position of `ChainTransfer`. */
  transfersSince(position: number, limit: number): Promise<ChainTransfer[]> {
    return transfersSince(this.parts.database.store, position, limit);
  }
}
