import { findNetwork } from '@exchange/core/network-table.ts';
import type { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Channel } from './channel.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import {
  confirmationsOf,
  DEMO_BLOCK_MS,
  demoDestination,
  demoHeight,
  demoTxid,
  type ChainPayment,
  type ChainTransfer,
  type Destination,
  type PaymentCost,
  type Sending,
  type SendingStage,
  type SendingStatus,
  type SenderFacts,
  type Sent,
  type VoidStatus,
} from './domain.ts';
import { findTransfer, insertTransfer, transfersIn, transfersSince, voidTransfer } from './repository.ts';

interface Parts {
  readonly offered: OfferedNetworks;
  /**
   * Codes of networks that are not simulated, because a real channel serves them; omitted if all networks are
   * simulated.
   */
  readonly except?: readonly string[];
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
}

/**
 * Channel of simulated networks, whose block numbers follow from the time. A payment to a deposit address arrives as a
 * deposit.
 */
export class DemoChannel implements Channel {
  readonly kind = 'demo';
  readonly canSend = true;
  readonly networks: readonly string[];
  readonly wallets = undefined;
  readonly hot = undefined;
  readonly sweeps = undefined;
  readonly tokens = undefined;
  readonly fees = undefined;
  readonly spentFees = undefined;
  /** The deposit address of each network with memos, which all users share, by network code. */
  private readonly commonAddresses: ReadonlyMap<string, string>;
  readonly contracts: ReadonlySet<string> = new Set();
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
    const { except = [] } = parts;
    const { networks } = parts.offered;
    this.networks = networks.map(({ code }) => code).filter((code) => !except.includes(code));
    this.commonAddresses = new Map(
      networks
        .filter(({ memo }) => memo)
        .map((network) => [network.code, demoDestination(network, '', 0).address]),
    );
  }

  isHouseAddress(network: string, address: string): boolean {
    return this.networks.includes(network) && this.commonAddresses.get(network) === address;
  }

  receives(...[, network]: Parameters<Channel['receives']>): boolean {
    return this.networks.includes(network);
  }

  sends(...[, network]: Parameters<Channel['sends']>): boolean {
    return this.networks.includes(network);
  }

  blockSeconds(): number {
    return DEMO_BLOCK_MS / 1_000;
  }

  confirmationsNeeded({ confirmations }: { readonly confirmations: number }): number {
    return confirmations;
  }

  height(): number {
    return demoHeight(this.parts.clock.now());
  }

  head(): number {
    return this.height();
  }

  destination(...[network, owner, attempt]: Parameters<Channel['destination']>): Promise<Destination> {
    return Promise.resolve(demoDestination(network, owner, attempt));
  }

  isOwn(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async recipientProblem(): Promise<undefined> {
    // Returns no problem, because simulated recipients accept every payment.
  }

  senderFacts(): Promise<SenderFacts> {
    return Promise.resolve({ hasCode: undefined, paidAddresses: 0 });
  }

  async scan(): Promise<void> {
    // Reads nothing: the block numbers of simulated networks follow from the time.
  }

  transfersSince(position: number, limit: number): Promise<ChainTransfer[]> {
    return transfersSince(this.parts.database.store, position, limit);
  }

  send(sending: Sending): Promise<Sent> {
    const { origin, network } = sending;
    const sent = { txid: demoTxid(origin, network), block: this.height() + 1 };
    return this.parts.database.transaction((tx) => insertTransfer(tx, sending, sent));
  }

  async dispatch(): Promise<void> {
    // Does nothing: simulated payments are sent at once, so there are no batches.
  }

  async status(origin: string): Promise<SendingStatus> {
    const transfer = await findTransfer(this.parts.database.store, origin);
    return transfer === undefined ? { state: 'unknown' } : { state: 'mined', ...transfer };
  }

  async void({ origin }: Sending): Promise<VoidStatus> {
    const { database, clock } = this.parts;
    const transfer = await database.transaction((tx) => voidTransfer(tx, origin, clock.now()));
    return transfer === undefined ? { state: 'unsigned' } : { state: 'mined', ...transfer };
  }

  unanswered(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  recover(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  raiseFee(): Promise<never> {
    throw new Refused(refusal('generic', 'l.not_found'));
  }

  plannedRaise(): Promise<never> {
    return this.raiseFee();
  }

  signedFor(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }

  stagesOf(): Promise<ReadonlyMap<string, SendingStage>> {
    return Promise.resolve(new Map());
  }

  paymentCosts(): Promise<ReadonlyMap<string, PaymentCost>> {
    return Promise.resolve(new Map());
  }

  waitReason(): undefined {
    return undefined;
  }

  async paymentsIn(txid: string): Promise<readonly ChainPayment[] | undefined> {
    const transfers = await transfersIn(this.parts.database.store, txid);
    if (transfers.length === 0) return undefined;
    return transfers.map(({ asset, network, address, memo, amount, block }) => {
      const needed = findNetwork(network)?.confirmations ?? 1;
      const isFinal = confirmationsOf(block, this.height()) >= needed;
      return { asset, address, memo, amount, block, isFinal };
    });
  }

  health(): ComponentHealth {
    // Reports no block number: that of a simulated network follows from the time, and would take the place of a real
    // chain's block number in a report about all channels.
    return { isUp: true };
  }

  readingProblem(): undefined {
    return undefined;
  }

  async load(): Promise<void> {
    // Loads nothing: the channel has no scan position in memory that could differ from the stored one.
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}
}
