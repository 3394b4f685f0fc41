import { canonicalAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork, type Network } from '@exchange/core/network.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import { UTXO_NETWORKS, type UtxoChain, type UtxoNetwork } from '../../platform/utxo/networks.ts';
import {
  accountAddresses,
  addressCodec,
  BRANCH,
  type AccountAddresses,
  type AddressCodec,
} from '../../platform/utxo/scripts.ts';
import { sightingsSince } from './block-repository.ts';
import type { Channel, Wallets } from './channel.ts';
import type {
  ChainPayment,
  ChainTransfer,
  Destination,
  Sending,
  SendingStage,
  SendingStatus,
  Sent,
  SignedVariant,
  VoidStatus,
} from './domain.ts';
import { voidWithoutSigner } from './evm-repository.ts';
import { confirmationsFor, type ConfirmationSteps, type WatchedPlace } from './utxo-domain.ts';
import { UtxoNode } from './utxo-node.ts';
import { addressOf, assignAddress, heldAt } from './utxo-repository.ts';
import { UtxoScanner } from './utxo-scanner.ts';

/** Operator settings of one chain of the Bitcoin family. */
export interface UtxoSettings {
  /** Code of a network in `UTXO_NETWORKS`. */
  readonly network: string;
  readonly chain: UtxoChain;
  readonly rpcUrl: string;
  /** File with `user:password` of the node, such as its cookie file. */
  readonly authFile: string;
  /** Extended public key of an account, as an xpub. */
  readonly xpub: string;
  /** Confirmations by amount; empty for those of the network. */
  readonly steps: ConfirmationSteps;
  readonly startBlock: number | undefined;
  /** Further addresses of the exchange, such as cold storage, whose coins count as reserves. */
  readonly reserves: readonly string[];
}

interface Parts {
  readonly settings: UtxoSettings;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
}

/** The channel reports itself down when its node has not answered for this long. */
const SILENT_MS = 60_000;
/** The channel reports itself down when it is more than this many blocks behind the node. */
const BEHIND = 20;
/** Blocks behind the newest after which a sent payment is certainly recorded as sent. */
const LAG = 2;
/** Index of the own address that receives refills and change. */
const OWN_INDEX = 0;

const NONE: ReadonlySet<string> = new Set();

/** What is derived from the settings once: addresses of the account, and the exchange's own places by script. */
interface Derived {
  readonly account: AccountAddresses;
  readonly codec: AddressCodec;
  readonly houses: ReadonlyMap<string, WatchedPlace>;
}

/**
 * A chain of the Bitcoin family: deposit addresses derived from an extended public key, and a block scanner. Addresses
 * are written as those of the public chain, also on a developer's chain, because both pay to the same scripts.
 */
export class UtxoChannel implements Channel {
  readonly kind = 'utxo';
  readonly networks: readonly string[];
  readonly wallets: Wallets;
  readonly hot = undefined;
  readonly sweeps = undefined;
  readonly fees = undefined;
  readonly contracts = NONE;
  private readonly parts: Parts;
  private readonly network: UtxoNetwork;
  private readonly steps: ConfirmationSteps;
  private readonly scanner: UtxoScanner;
  private houseAddresses = NONE;
  private heardAt: number | undefined;
  private lastTrouble: string | undefined;
  private derivation: Promise<Derived> | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
    const { network: code, chain, rpcUrl, authFile, steps, startBlock } = parts.settings;
    const network = UTXO_NETWORKS.get(code)!;
    this.network = network;
    this.networks = [code];
    const usual = findCoinNetwork(code, code)!.network.confirmations;
    this.steps = steps.length === 0 ? [{ from: Decimal.zero, confirmations: usual }] : steps;
    this.scanner = new UtxoScanner({
      database: parts.database,
      log: parts.log,
      network,
      chain,
      startBlock,
      node: new UtxoNode(rpcUrl, authFile),
      steps: this.steps,
      houses: async () => (await this.derived()).houses,
    });
    this.wallets = {
      block: () => this.coveredBlock(),
      holdings: async (block) => new Map([[code, await heldAt(parts.database.store, code, block)]]),
    };
  }

  receives(asset: string, network: string): boolean {
    const { code } = this.network;
    return network === code && asset === code;
  }

  isHouseAddress(network: string, address: string): boolean {
    return this.networks.includes(network) && this.houseAddresses.has(address);
  }

  sends(): boolean {
    return false;
  }

  blockSeconds({ blockSeconds }: Network): number {
    return blockSeconds;
  }

  confirmationsNeeded(_network: Network, amount = Decimal.zero): number {
    return confirmationsFor(this.steps, amount);
  }

  height(): number {
    return this.scanner.height;
  }

  async destination(_network: Network, owner: string): Promise<Destination> {
    const { database, clock } = this.parts;
    const { code: network } = this.network;
    const { account } = await this.derived();
    const { address } =
      (await addressOf(database.store, network, owner)) ??
      (await database.transaction((tx) =>
        assignAddress(
          tx,
          { network, owner },
          (index) => account.placeAt(BRANCH.deposits, index),
          clock.now(),
        ),
      ));
    return { address, memo: undefined };
  }

  /** Derives the address again instead of trusting the database, so a tampered row is never shown. */
  async isOwn(_network: Network, owner: string, { address }: Destination): Promise<boolean> {
    const assigned = await addressOf(this.parts.database.store, this.network.code, owner);
    if (assigned === undefined) return false;
    const derived = (await this.derived()).account.placeAt(BRANCH.deposits, assigned.index).address;
    return derived === assigned.address && derived === address;
  }

  async scan(): Promise<void> {
    try {
      await this.scanner.round();
      this.heardAt = this.parts.clock.now();
      this.lastTrouble = undefined;
    } catch (cause) {
      this.lastTrouble = cause instanceof Error ? cause.message : String(cause);
      throw cause;
    }
  }

  transfersSince(position: number, limit: number): Promise<ChainTransfer[]> {
    const { store } = this.parts.database;
    return sightingsSince(store, this.network.code, position, limit, (address) => address);
  }

  send(): Promise<Sent> {
    return Promise.reject(new Error(`nothing is sent on ${this.network.code}`));
  }

  status(): Promise<SendingStatus> {
    return Promise.resolve({ state: 'unknown' });
  }

  void({ origin }: Sending): Promise<VoidStatus> {
    const { database, clock } = this.parts;
    return voidWithoutSigner(database.store, origin, clock.now());
  }

  unanswered(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  recover(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  raiseFee(): Promise<never> {
    return Promise.reject(new Refused(refusal('generic', 'l.not_found')));
  }

  signedFor(): Promise<readonly SignedVariant[]> {
    return Promise.resolve([]);
  }

  stagesOf(): Promise<ReadonlyMap<string, SendingStage>> {
    return Promise.resolve(new Map());
  }

  paymentsIn(): Promise<readonly ChainPayment[] | undefined> {
    return Promise.resolve(undefined);
  }

  health(): ComponentHealth {
    const { height, head } = this.scanner;
    const { code: network } = this.network;
    const facts = { [network]: `block ${height} of ${head}, receives only` };
    const silentMs = this.heardAt === undefined ? undefined : this.parts.clock.now() - this.heardAt;
    const reason =
      this.lastTrouble !== undefined && (silentMs === undefined || silentMs > SILENT_MS)
        ? `${network} is not heard: ${this.lastTrouble}`
        : head - height > BEHIND
          ? `${network} is read ${head - height} blocks late`
          : undefined;
    return reason === undefined ? { isUp: true, facts } : { isUp: false, reason, facts };
  }

  /**
   * Derives the first addresses, and logs the first deposit address: an operator compares it with the wallet that holds
   * the private key before coins are sent to it.
   */
  async start(): Promise<void> {
    const { log } = this.parts;
    const { account, houses } = await this.derived();
    this.houseAddresses = new Set([...houses.values()].map(({ address }) => address));
    log.info('chains.account_opened', {
      network: this.network.code,
      firstDepositAddress: account.placeAt(BRANCH.deposits, 0).address,
      ownAddress: account.placeAt(BRANCH.own, OWN_INDEX).address,
    });
    await this.load();
  }

  async load(): Promise<void> {
    await this.scanner.load();
  }

  async stop(): Promise<void> {}

  private derived(): Promise<Derived> {
    this.derivation ??= this.derive();
    return this.derivation;
  }

  private async derive(): Promise<Derived> {
    const { network } = this;
    const { xpub, reserves } = this.parts.settings;
    const [account, codec] = await Promise.all([accountAddresses(network, xpub), addressCodec(network)]);
    const own = account.placeAt(BRANCH.own, OWN_INDEX);
    const houses = new Map<string, WatchedPlace>([
      [own.script, { address: own.address, holder: 'own', index: OWN_INDEX }],
    ]);
    const { addressKind } = findCoinNetwork(network.code, network.code)!.network;
    for (const text of reserves) {
      const address = canonicalAddress(addressKind, text);
      const script = codec.scriptOf(address);
      if (script === undefined) throw new Error(`${text} is no address of ${network.code}`);
      houses.set(script, { address, holder: 'reserve', index: undefined });
    }
    return { account, codec, houses };
  }

  /** Lags by less than the needed confirmations, so every credited deposit is included. */
  private coveredBlock(): number | undefined {
    const height = this.height();
    const needed = confirmationsFor(this.steps, Decimal.zero);
    const lag = Math.min(Math.floor((needed - 1) / 2), LAG);
    return height === 0 ? undefined : Math.max(0, height - lag);
  }
}
