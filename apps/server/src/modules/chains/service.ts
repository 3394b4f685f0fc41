import type { Network } from '@exchange/core/network.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Channel } from './channel.ts';
import {
  confirmationsOf,
  demoDestination,
  type ChannelKind,
  type Destination,
  type Sending,
  type SendingStatus,
  type Sent,
} from './domain.ts';

interface Parts {
  /** The first that carries a coin on a network has it. */
  readonly channels: readonly Channel[];
  /** Addresses of the house by coin and network (`USDT/BEP20`) whose income is reviewed by hand. */
  readonly manualDeposits: ReadonlyMap<string, string>;
}

const NONE: ReadonlySet<string> = new Set();

/** The networks as modules use them: which channel receives and which sends what. */
export class Chains {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Every channel that finds transfers by itself. */
  get channels(): readonly Channel[] {
    return this.parts.channels;
  }

  /** What stands behind what comes in of a coin on a network. */
  receiving(asset: string, network: string): ChannelKind {
    if (this.manualAddress(asset, network) !== undefined) return 'manual';
    return this.receiver(asset, network)?.kind ?? 'none';
  }

  /** What stands behind what goes out. */
  sending(asset: string, network: string): 'demo' | 'evm' | 'none' {
    return this.sender(asset, network)?.kind ?? 'none';
  }

  /**
   * What tells how much of a coin lies outside under a network's name: a pretended wallet, of which the ledger is the only
   * record, the wallets of a chain, people who look at an address, or nothing.
   */
  seenBy(asset: string, network: string): ChannelKind {
    if (this.manualAddress(asset, network) !== undefined) return 'manual';
    const channel = this.of(network);
    if (channel?.kind === 'evm') return channel.receives(asset, network) ? 'evm' : 'none';
    // What a demo has from outside without a network, as its play money, is in the pretended wallet too.
    return this.parts.channels.some(({ kind }) => kind === 'demo') ? 'demo' : 'none';
  }

  /** Contracts of the tokens that a network's channel is configured with, in the spelling that addresses are compared in. */
  contracts(network: string): ReadonlySet<string> {
    return this.of(network)?.contracts ?? NONE;
  }

  /** The house's address where deposits of a coin are reviewed by hand. */
  manualAddress(asset: string, network: string): string | undefined {
    return this.parts.manualDeposits.get(`${asset}/${network}`);
  }

  /** What finds the transfers of a coin on a network, unless people do. */
  receiver(asset: string, network: string): Channel | undefined {
    if (this.manualAddress(asset, network) !== undefined) return undefined;
    return this.parts.channels.find((channel) => channel.receives(asset, network));
  }

  /** Whether somebody got this address while the network was a pretended one: its real chain never saw it. */
  wasPretended(network: Network, owner: string, { address }: Destination): boolean {
    return demoDestination(network, owner, 0).address === address;
  }

  /** Seconds between two blocks as they really come. */
  blockSeconds(network: Network): number {
    return this.of(network.code)?.blockSeconds(network) ?? network.blockSeconds;
  }

  /** How many blocks a transfer needs. */
  confirmationsNeeded(network: Network): number {
    return this.of(network.code)?.confirmationsNeeded(network) ?? network.confirmations;
  }

  /** Blocks that a transfer has; none while it is in no block. */
  confirmations(network: string, block: number | undefined): number {
    return block === undefined ? 0 : confirmationsOf(block, this.of(network)?.height() ?? 0);
  }

  /** Sends; the same origin again gives what was sent then. */
  async send(sending: Sending): Promise<Sent> {
    const channel = this.sender(sending.asset, sending.network);
    if (channel === undefined) throw new Error(`nothing sends ${sending.asset} on ${sending.network}`);
    return channel.send(sending);
  }

  /** How a sending stands. */
  async status(asset: string, network: string, origin: string): Promise<SendingStatus> {
    return (await this.sender(asset, network)?.status(origin)) ?? { state: 'unknown' };
  }

  health(): ComponentHealth {
    const healths = this.parts.channels.map((channel) => [channel.kind, channel.health()] as const);
    const reasons = healths.flatMap(([, { isUp, reason }]) => (isUp ? [] : (reason ?? 'not up')));
    const facts = Object.assign({}, ...healths.map(([, health]) => health.facts ?? {})) as object;
    const channel = healths.map(([kind]) => kind).join(', ') || 'none';
    const all = { channel, ...facts };
    return reasons.length === 0
      ? { isUp: true, facts: all }
      : { isUp: false, reason: reasons.join('; '), facts: all };
  }

  /** Reads from the database how far every chain has been read. */
  async load(): Promise<void> {
    for (const channel of this.parts.channels) await channel.load();
  }

  async start(): Promise<void> {
    for (const channel of this.parts.channels) await channel.start();
  }

  async stop(): Promise<void> {
    for (const channel of this.parts.channels) await channel.stop();
  }

  private of(network: string): Channel | undefined {
    return this.parts.channels.find(({ networks }) => networks.includes(network));
  }

  private sender(asset: string, network: string): Channel | undefined {
    return this.parts.channels.find((channel) => channel.sends(asset, network));
  }
}
