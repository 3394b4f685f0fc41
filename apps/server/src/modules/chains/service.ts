import type { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network-table.ts';
import type { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Channel, ChannelChildren } from './channel.ts';
import type { WatchedTokens } from './watched-tokens.ts';
import {
  confirmationsOf,
  demoDestination,
  type ChainChild,
  type ChainPayment,
  type ChainState,
  type ChannelKind,
  type ConfirmationSteps,
  type Destination,
  type RealChannelKind,
  type Sending,
  type SendingStage,
  type SendingStatus,
  type SenderFacts,
  type Sent,
  type FeeRaise,
  type PaymentCost,
  type SignedVariant,
  type VoidStatus,
} from './domain.ts';

interface Parts {
  readonly offered: OfferedNetworks;
  /**
   * The service for watched tokens: tokens that the exchange does not list, but whose transfers operators
   * see.
   */
  readonly watched: WatchedTokens;
  /** The channels in order of priority: for a coin on a network, the first channel that serves both is used. */
  readonly channels: readonly Channel[];
  /** The exchange's deposit addresses whose deposits operators review by hand, by coin and network (`USDT/BEP20`). */
  readonly manualDeposits: ReadonlyMap<string, string>;
  /** URLs of block explorers' pages about transactions, by network; `{txid}` in a URL stands for the transaction id. */
  readonly explorers: ReadonlyMap<string, string>;
  /**
   * Stores that a payment on a network without a channel is voided, so that nothing further is signed for it.
   * The returned state is `unsigned` if no signature was ever requested for the payment; otherwise `waiting`,
   * because an earlier signer may have signed it.
   */
  readonly voidWithoutChannel: (origin: string) => Promise<VoidStatus>;
  /**
   * Returns the origins (idempotency keys) of the payments for which a transaction with one of the given ids
   * was signed, replaced transactions included, on every network.
   */
  readonly originsOf: (transactions: readonly string[]) => Promise<readonly string[]>;
}

const NONE: ReadonlySet<string> = new Set();
const NO_CHILDREN: BoundedRows<ChainChild> = { list: [], total: 0, hasMore: false };
const NO_STAGES: ReadonlyMap<string, SendingStage> = new Map();
const NO_COSTS: ReadonlyMap<string, PaymentCost> = new Map();

/** Selects the channel that receives or sends a coin on a network, and forwards calls to it. */
export class Chains {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** The networks that users and operators can choose. */
  get offered(): OfferedNetworks {
    return this.parts.offered;
  }

  /**
   * Returns the origins (idempotency keys) of the payments for which one of the given transactions was signed;
   * transactions that were replaced later count too.
   */
  originsOf(transactions: readonly string[]): Promise<readonly string[]> {
    return this.parts.originsOf(transactions);
  }

  /**
   * The service for watched tokens: tokens that the exchange does not list, but whose transfers operators
   * see.
   */
  get watched(): WatchedTokens {
    return this.parts.watched;
  }

  /** All channels; each detects transfers automatically, without a report by the user. */
  get channels(): readonly Channel[] {
    return this.parts.channels;
  }

  /**
   * Returns the network fees in coins that the exchange does not list, by network, in units of the coin, with
   * decimals: of the exchange's final transactions since a time (see `SpentFees.since`). Networks without
   * such fees are left out.
   */
  async spentFees(
    since: Instant,
  ): Promise<readonly { readonly network: string; readonly asset: string; readonly amount: Decimal }[]> {
    const spent = await Promise.all(
      this.parts.channels.flatMap(({ networks, spentFees }) =>
        spentFees === undefined
          ? []
          : networks.map(async (network) => ({
              network,
              asset: spentFees.asset,
              amount: await spentFees.since(since),
            })),
      ),
    );
    return spent.filter(({ amount }) => amount.isPositive());
  }

  /**
   * Returns the kind of the channel that receives a coin on a network, `manual` if operators review its
   * deposits, or `none`.
   */
  receiving(asset: string, network: string): ChannelKind {
    if (this.manualAddress(asset, network) !== undefined) return 'manual';
    return this.receiver(asset, network)?.kind ?? 'none';
  }

  /** Returns the kind of the channel that sends a coin on a network, or `none`. */
  sending(asset: string, network: string): RealChannelKind | 'demo' | 'none' {
    return this.sender(asset, network)?.kind ?? 'none';
  }

  /**
   * Returns where the balances of a coin on a network are, outside the ledger: in a simulated wallet
   * (recorded only in the ledger), in the wallets of a chain, at an address that operators review, or
   * nowhere.
   */
  backingOf(asset: string, network: string): ChannelKind {
    if (this.manualAddress(asset, network) !== undefined) return 'manual';
    const channel = this.channelOf(network);
    if (channel !== undefined && channel.kind !== 'demo')
      return channel.receives(asset, network) ? channel.kind : 'none';
    // In a demo, balances of coins without a network, such as play money, belong to the simulated wallet too.
    return this.parts.channels.some(({ kind }) => kind === 'demo') ? 'demo' : 'none';
  }

  /**
   * Returns the addresses of the token contracts of a network's channel, to which withdrawals are refused, in
   * canonical spelling; empty without a channel.
   */
  contracts(network: string): ReadonlySet<string> {
    return this.channelOf(network)?.contracts ?? NONE;
  }

  /**
   * Returns the exchange's deposit address for a coin on a network if operators review its deposits by hand;
   * otherwise undefined.
   */
  manualAddress(asset: string, network: string): string | undefined {
    return this.parts.manualDeposits.get(`${asset}/${network}`);
  }

  /**
   * Returns the channel that detects deposits of a coin on a network; undefined if operators review the
   * deposits by hand, or if no channel receives the coin.
   */
  receiver(asset: string, network: string): Channel | undefined {
    if (this.manualAddress(asset, network) !== undefined) return undefined;
    return this.parts.channels.find((channel) => channel.receives(asset, network));
  }

  /** True if the destination is the user's address on the simulated network, which does not exist on the real chain. */
  wasSimulated(network: Network, owner: string, { address }: Destination): boolean {
    return demoDestination(network, owner, 0).address === address;
  }

  /**
   * True if an address on a network belongs to the exchange but not to a single user (see
   * `Channel.isHouseAddress`); false if the network has no channel.
   */
  isHouseAddress(network: string, address: string): boolean {
    return this.channelOf(network)?.isHouseAddress(network, address) ?? false;
  }

  /**
   * Returns the usual number of seconds between two blocks of the network; for a simulated network, of the
   * simulation.
   */
  blockSeconds(network: Network): number {
    return this.channelOf(network.code)?.blockSeconds(network) ?? network.blockSeconds;
  }

  /**
   * Returns the usual number of seconds until a new block has the finality with which the network's channel
   * reads it (`Channel.finalitySeconds`); 0 if the newest block is read, or if the network has no channel.
   */
  finalitySeconds(network: string): number {
    return this.channelOf(network)?.finalitySeconds?.() ?? 0;
  }

  /**
   * Returns the number of confirmations that a transfer needs (see `Channel.confirmationsNeeded`); on a
   * network without a channel, the number in the table of networks. `amount` is in units of the coin, with
   * decimals.
   */
  confirmationsNeeded(network: Network, amount?: Decimal): number {
    return this.channelOf(network.code)?.confirmationsNeeded(network, amount) ?? network.confirmations;
  }

  /**
   * Returns the numbers of confirmations that larger deposits need, by amount (see
   * `Channel.largerConfirmations`); empty if all deposits need the same number.
   */
  largerConfirmations(network: string): ConfirmationSteps {
    return this.channelOf(network)?.largerConfirmations ?? [];
  }

  /**
   * Returns the number of confirmations that a transfer in the block `block` has at the newest block that was
   * read; 0 for a transfer that is in no block (`block` is undefined), and on a network without a channel.
   */
  confirmations(network: string, block: number | undefined): number {
    return block === undefined ? 0 : confirmationsOf(block, this.channelOf(network)?.height() ?? 0);
  }

  /**
   * Returns why the network would not deliver a payment to this recipient (see `Channel.recipientProblem`);
   * undefined if it would deliver it, or if no channel sends the coin.
   */
  async recipientProblem(
    { asset, network }: { readonly asset: string; readonly network: string },
    destination: Destination,
    amount: Decimal,
  ): Promise<Refusal | undefined> {
    return this.sender(asset, network)?.recipientProblem(destination, amount);
  }

  /**
   * Returns the facts about an address from which the exchange has received a payment. If the network has no
   * channel, `hasCode` is undefined and `paidAddresses` is 0.
   */
  async senderFacts(network: string, address: string): Promise<SenderFacts> {
    return (await this.channelOf(network)?.senderFacts(address)) ?? { hasCode: undefined, paidAddresses: 0 };
  }

  /**
   * Sends a payment through its channel (see `Channel.send`, also for its errors). If a payment with this origin was
   * sent before, nothing is sent, and the earlier payment is returned. Throws if no channel sends the coin on the
   * network.
   */
  async send(sending: Sending): Promise<Sent> {
    const channel = this.sender(sending.asset, sending.network);
    if (channel === undefined) throw new Error(`nothing sends ${sending.asset} on ${sending.network}`);
    return channel.send(sending);
  }

  /** Signs and sends the batches of payments that are due, on all channels (see `Channel.dispatch`). */
  async dispatch(): Promise<void> {
    await Promise.all(this.parts.channels.map((channel) => channel.dispatch()));
  }

  /**
   * Returns the status of a payment; it is known also for a coin that the settings no longer contain.
   * `unknown` if the network has no channel.
   */
  async status(network: string, origin: string): Promise<SendingStatus> {
    return (await this.channelOf(network)?.status(origin)) ?? { state: 'unknown' };
  }

  /**
   * Takes the next step to void a payment; call it again until the payment has ended (see `Channel.void`). If the
   * network no longer has a channel, a payment that a signer may have signed stays `waiting` until the settings contain
   * the channel again.
   */
  async void(sending: Sending, usedBy?: string): Promise<VoidStatus> {
    const channel = this.channelOf(sending.network);
    return channel === undefined
      ? this.parts.voidWithoutChannel(sending.origin)
      : channel.void(sending, usedBy);
  }

  /**
   * Calls `recover` for at most `limit` payments of each channel whose signer's answer was lost (see
   * `Channel.unanswered`). Returns the origins (idempotency keys) and transaction ids of those that are signed.
   */
  async recoverLost(limit: number): Promise<readonly { readonly origin: string; readonly txid: string }[]> {
    const found: { origin: string; txid: string }[] = [];
    for (const channel of this.parts.channels)
      for (const origin of await channel.unanswered(limit)) {
        const sent = await channel.recover(origin);
        if (sent !== undefined) found.push({ origin, txid: sent.txid });
      }
    return found;
  }

  /**
   * Replaces the transaction of a payment by one with the higher fee `maxFee` (see `Channel.raiseFee`); undefined if
   * the network has no channel.
   */
  async raiseFee(network: string, origin: string, maxFee: bigint): Promise<SignedVariant | undefined> {
    return this.channelOf(network)?.raiseFee(origin, maxFee);
  }

  /**
   * Returns the fees and costs of the transaction that `raiseFee` would sign (see `Channel.plannedRaise`);
   * undefined if the network has no channel.
   */
  async plannedRaise(network: string, origin: string, maxFee: bigint): Promise<FeeRaise | undefined> {
    return this.channelOf(network)?.plannedRaise(origin, maxFee);
  }

  /**
   * Signs and broadcasts a child transaction, which raises the effective fee of the waiting transaction of a payment
   * (see `ChannelChildren.add`). Refuses a network whose channel makes no child transactions.
   */
  async addChild(network: string, origin: string, maxFee: bigint): Promise<SignedVariant> {
    return this.requireChildren(network).add(origin, maxFee);
  }

  /**
   * Returns the fees and costs of the child transaction that `addChild` would sign; refuses the same
   * requests.
   */
  async plannedChild(network: string, origin: string, maxFee: bigint): Promise<FeeRaise> {
    return this.requireChildren(network).planned(origin, maxFee);
  }

  /**
   * Returns the child transactions (see `ChainChild`) on a network that are not final themselves, the oldest
   * first, at most `limit`; empty if the network's channel makes none, or if the network has no channel.
   */
  async children(network: string, limit: number): Promise<BoundedRows<ChainChild>> {
    return (await this.channelOf(network)?.children?.open(limit)) ?? NO_CHILDREN;
  }

  private requireChildren(network: string): ChannelChildren {
    const children = this.channelOf(network)?.children;
    if (children === undefined) throw new Refused(refusal('closed', 'l.child_network', { limit: network }));
    return children;
  }

  async signedFor(network: string, origin: string): Promise<readonly SignedVariant[]> {
    return (await this.channelOf(network)?.signedFor(origin)) ?? [];
  }

  async stagesOf(network: string, origins: readonly string[]): Promise<ReadonlyMap<string, SendingStage>> {
    return (await this.channelOf(network)?.stagesOf(origins)) ?? NO_STAGES;
  }

  /**
   * The network fee that a usual payment of each of the coins costs at present, by coin of the payment; each
   * fee names its own coin, in whose units it is (see `Channel.paymentCosts`). Coins that no channel sends on
   * the network are left out.
   */
  async paymentCosts(assets: readonly string[], network: string): Promise<ReadonlyMap<string, PaymentCost>> {
    const sent = assets.filter((asset) => this.sender(asset, network) !== undefined);
    return (await this.channelOf(network)?.paymentCosts(sent, network)) ?? NO_COSTS;
  }

  /**
   * Returns why operators must raise the fee of a signed payment or void it (see `Channel.waitReason`);
   * undefined if they need to do nothing, or if the network has no channel.
   */
  waitReason(network: string, origin: string): string | undefined {
    return this.channelOf(network)?.waitReason(origin);
  }

  /**
   * Lists the successful payments of a transaction; undefined if the chain does not contain the transaction,
   * or if the network has no channel.
   */
  async paymentsIn(network: string, txid: string): Promise<readonly ChainPayment[] | undefined> {
    return this.channelOf(network)?.paymentsIn(txid);
  }

  /** True if the network has a channel, from which the status of its payments can be read. */
  serves(network: string): boolean {
    return this.channelOf(network) !== undefined;
  }

  /**
   * Returns the URL of the block explorer's page about a transaction of a real chain; undefined without a
   * transaction id, if the settings contain none for the network, and for simulated networks.
   */
  explorerPage(network: string, txid: string | undefined): string | undefined {
    const page = this.channelOf(network)?.kind === 'demo' ? undefined : this.parts.explorers.get(network);
    return txid === undefined ? undefined : page?.replace('{txid}', encodeURIComponent(txid));
  }

  /**
   * Returns for each configured real chain whether it is up, its block numbers, and the reason if it is down
   * or read too late, in the order of the settings.
   */
  states(): readonly ChainState[] {
    return this.parts.channels.flatMap((channel) => {
      const { kind, networks } = channel;
      if (kind === 'demo') return [];
      const { isUp, reason } = channel.health();
      return networks.map((network) => ({
        network,
        kind,
        height: channel.height(),
        head: channel.head(),
        sends: channel.canSend,
        problem: isUp ? undefined : (reason ?? 'not up'),
        readingProblem: channel.readingProblem(),
      }));
    });
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

  /**
   * Loads into each channel, from the database, the number of the block up to which it has scanned its chain.
   */
  async load(): Promise<void> {
    for (const channel of this.parts.channels) await channel.load();
  }

  async start(): Promise<void> {
    for (const channel of this.parts.channels) await channel.start();
  }

  async stop(): Promise<void> {
    for (const channel of this.parts.channels) await channel.stop();
  }

  private channelOf(network: string): Channel | undefined {
    return this.parts.channels.find(({ networks }) => networks.includes(network));
  }

  private sender(asset: string, network: string): Channel | undefined {
    return this.parts.channels.find((channel) => channel.sends(asset, network));
  }
}
