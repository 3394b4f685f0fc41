import { canonicalAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork, type Network } from '@exchange/core/network.ts';
import type { SignerClient } from '../../platform/signer/client.ts';
import { UTXO_DIGITS, UTXO_NETWORKS, type UtxoChain, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import {
  accountAddresses,
  addressCodec,
  BRANCH,
  CHANGE_INDEX,
  type AccountAddresses,
  type AddressCodec,
  type Place,
} from '../../platform/utxo/scripts.ts';
import {
  ChannelUnavailable,
  type HotWallet,
  type NetworkFee,
  type NetworkFees,
  type Wallets,
} from './channel.ts';
import type { ChainPayment, Destination, SendingStage, VoidStatus, WalletBounds } from './domain.ts';
import { storeVoid } from './repository.ts';
import { SignedChannel, type ChannelParts, type SignerPlace } from './signed-channel.ts';
import { batchesWithoutFee, batchStages, findPayment, markBatchFeeBooked } from './utxo-batch-repository.ts';
import {
  confirmationsFor,
  isBalanceBehind,
  mostConfirmations,
  type ConfirmationSteps,
  type WatchedPlace,
} from './utxo-domain.ts';
import { UtxoNode } from './utxo-node.ts';
import { addressOf, assignAddress, heldAt } from './utxo-repository.ts';
import { UtxoScanner } from './utxo-scanner.ts';
import { UtxoSender, type UtxoRates } from './utxo-sender.ts';

/** Settings of one chain of the Bitcoin family. */
export interface UtxoSettings {
  /** Code of a network in `UTXO_NETWORKS`. */
  readonly network: string;
  readonly chain: UtxoChain;
  readonly rpcUrl: string;
  /** File with `user:password` of the node, such as its cookie file. */
  readonly authFile: string;
  /** Extended public key of an account, as an xpub. */
  readonly xpub: string;
  /** Confirmations by amount; if empty, the network's standard number applies. */
  readonly steps: ConfirmationSteps;
  readonly startBlock: number | undefined;
  /** Further addresses of the exchange, such as cold storage, whose coins count as reserves. */
  readonly reserves: readonly string[];
  /** The signer; undefined when the channel only receives. */
  readonly sending: SignerPlace | undefined;
  /** Cold wallet of the exchange; its coins count as reserves, and surplus of the account is moved to it. */
  readonly cold: string | undefined;
  /** Bounds of the account's balance; undefined if the balance is not watched. */
  readonly bounds: WalletBounds | undefined;
  readonly rates: UtxoRates;
  /** Time after which a transaction that is in no block is replaced automatically. */
  readonly replaceAfterMs: number;
}

interface Parts extends ChannelParts {
  readonly settings: UtxoSettings;
}

/**
 * Number of blocks. The channel reports itself down when the last block that it has read is more than this behind the
 * node's newest block.
 */
const BEHIND = 20;
/**
 * Greatest number of blocks between the newest block and the block at which balances are read. Payments in that older
 * block are already recorded as sent.
 */
const LAG = 2;
/** Prefix of the origin under which a batch's fee is booked. */
const BATCH_ORIGIN = 'batch ';

const NONE: ReadonlySet<string> = new Set();

/**
 * Values derived from the settings once: addresses of the account, and the exchange's own addresses
 * by script.
 */
interface Derived {
  readonly account: AccountAddresses;
  readonly codec: AddressCodec;
  /** The exchange's own address, which receives refills and change. */
  readonly own: Place;
  readonly houses: ReadonlyMap<string, WatchedPlace>;
}

/**
 * A chain of the Bitcoin family: deposit addresses derived from an extended public key, a block scanner, and payments
 * in batches through the signer. Addresses have the form of the public chain even on a developer's chain, because both
 * forms have the same script.
 */
export class UtxoChannel extends SignedChannel<UtxoSender> {
  readonly kind = 'utxo';
  readonly wallets: Wallets;
  readonly hot: HotWallet | undefined;
  readonly sweeps = undefined;
  readonly tokens = undefined;
  readonly fees: NetworkFees | undefined;
  readonly contracts = NONE;
  private readonly parts: Parts;
  private readonly network: UtxoNetwork;
  private readonly steps: ConfirmationSteps;
  protected readonly scanner: UtxoScanner;
  private readonly node: UtxoNode;
  protected readonly sender: UtxoSender | undefined;
  private ownAddress = '';
  private houseAddresses = NONE;
  private derivation: Promise<Derived> | undefined;

  constructor(parts: Parts) {
    super(parts, { network: parts.settings.network, behindMost: BEHIND });
    this.parts = parts;
    const { network: code, chain, rpcUrl, authFile, steps, startBlock } = parts.settings;
    const network = UTXO_NETWORKS.get(code)!;
    this.network = network;
    const usual = findCoinNetwork(code, code)!.network.confirmations;
    this.steps = steps.length === 0 ? [{ from: Decimal.zero, confirmations: usual }] : steps;
    this.node = new UtxoNode(rpcUrl, authFile);
    this.scanner = new UtxoScanner({
      database: parts.database,
      log: parts.log,
      network,
      chain,
      startBlock,
      node: this.node,
      steps: this.steps,
      houses: async () => (await this.derived()).houses,
    });
    this.wallets = {
      block: () => this.coveredBlock(),
      holdings: async (block) => {
        const held = await heldAt(parts.database.store, code, { block, which: 'all' });
        return new Map([[code, held]]);
      },
    };
    const { sending } = parts.settings;
    if (sending === undefined) return;
    this.sender = this.senderOf(this.openSigner(sending));
    this.hot = this.hotWallet();
    this.fees = {
      unbooked: (limit) => this.unbookedFees(limit),
      markBooked: (origin) => markBatchFeeBooked(parts.database.store, origin.slice(BATCH_ORIGIN.length)),
    };
  }

  private senderOf(signer: SignerClient): UtxoSender {
    const { settings } = this.parts;
    return new UtxoSender({
      ...this.parts,
      network: this.network,
      own: async () => (await this.derived()).own,
      codec: async () => (await this.derived()).codec,
      signer,
      node: this.node,
      rates: settings.rates,
      replaceAfterMs: settings.replaceAfterMs,
      height: () => this.height(),
      needed: { payment: this.needed(), deposit: mostConfirmations(this.steps) },
    });
  }

  /** The account as a wallet: all coins that its key can spend, deposits included. */
  private hotWallet(): HotWallet {
    const { settings, database } = this.parts;
    const { code } = this.network;
    const ownAddress = () => this.ownAddress;
    return {
      network: code,
      get address() {
        return ownAddress();
      },
      cold: settings.cold,
      bounds: settings.bounds === undefined ? new Map() : new Map([[code, settings.bounds]]),
      balances: async (at) => {
        const height = this.height();
        if (height === 0) return undefined;
        if (isBalanceBehind(this.head(), height))
          throw new ChannelUnavailable('earlier blocks are still being read');
        const block = at === 'newest' ? height : height - this.needed() + 1;
        return new Map([[code, await heldAt(database.store, code, { block, which: 'hot' })]]);
      },
    };
  }

  /**
   * Fees of final batches that are not booked; a batch whose inputs were spent by a transaction that was not signed for
   * it has no fee.
   */
  private async unbookedFees(limit: number): Promise<readonly NetworkFee[]> {
    const { store } = this.parts.database;
    const { code } = this.network;
    const fees: NetworkFee[] = [];
    for (const { id, txid, fee } of await batchesWithoutFee(store, code, limit))
      if (fee === undefined || fee === 0n) await markBatchFeeBooked(store, id);
      else
        fees.push({
          origin: `${BATCH_ORIGIN}${id}`,
          network: code,
          asset: code,
          txid,
          output: 0,
          amount: Decimal.ofScaled(fee, UTXO_DIGITS),
        });
    return fees;
  }

  private needed(): number {
    return confirmationsFor(this.steps, Decimal.zero);
  }

  receives(asset: string, network: string): boolean {
    const { code } = this.network;
    return network === code && asset === code;
  }

  isHouseAddress(network: string, address: string): boolean {
    return this.networks.includes(network) && this.houseAddresses.has(address);
  }

  confirmationsNeeded(_network: Network, amount = Decimal.zero): number {
    return confirmationsFor(this.steps, amount);
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

  /**
   * Whether the address is the owner's. It is derived again instead of trusting the database, so a tampered
   * row is never shown.
   */
  async isOwn(_network: Network, owner: string, { address }: Destination): Promise<boolean> {
    const assigned = await addressOf(this.parts.database.store, this.network.code, owner);
    if (assigned === undefined) return false;
    const derived = (await this.derived()).account.placeAt(BRANCH.deposits, assigned.index).address;
    return derived === assigned.address && derived === address;
  }

  override async scan(): Promise<void> {
    await super.scan();
    await this.sender?.tend();
  }

  override async dispatch(): Promise<void> {
    await this.sender?.dispatch();
  }

  stagesOf(origins: readonly string[]): Promise<ReadonlyMap<string, SendingStage>> {
    return batchStages(this.parts.database.store, origins);
  }

  async paymentsIn(txid: string): Promise<readonly ChainPayment[] | undefined> {
    if (!/^[0-9a-f]{64}$/i.test(txid)) return undefined;
    const mined = await this.node.mined(txid.toLowerCase());
    if (mined === undefined) return undefined;
    const { codec } = await this.derived();
    const { code } = this.network;
    const { block, transaction } = mined;
    const isFinal = this.height() - block + 1 >= this.needed();
    return transaction.outputs.flatMap(({ script, units }) => {
      const address = codec.addressOf(script);
      if (address === undefined) return [];
      const amount = Decimal.ofScaled(units, UTXO_DIGITS);
      return [{ asset: code, address, memo: undefined, amount, block, isFinal }];
    });
  }

  /**
   * Derives the first addresses, and logs the first deposit address: an operator compares it with the wallet that holds
   * the private key before coins are sent to it.
   */
  async start(): Promise<void> {
    const { log } = this.parts;
    const { account, houses, own } = await this.derived();
    this.ownAddress = own.address;
    this.houseAddresses = new Set([...houses.values()].map(({ address }) => address));
    log.info('chains.account_opened', {
      network: this.network.code,
      firstDepositAddress: account.placeAt(BRANCH.deposits, 0).address,
      ownAddress: own.address,
    });
    await this.load();
  }

  protected override async voidWithoutSender(origin: string): Promise<VoidStatus> {
    const { database, clock } = this.parts;
    await storeVoid(database.store, origin, clock.now());
    // An earlier signer, which the settings no longer name, may have signed the batch of the payment, so the payment
    // waits.
    const payment = await findPayment(database.store, origin);
    return payment === undefined ? { state: 'unsigned' } : { state: 'waiting', txid: '' };
  }

  private derived(): Promise<Derived> {
    this.derivation ??= this.derive();
    return this.derivation;
  }

  private async derive(): Promise<Derived> {
    const { network } = this;
    const { xpub, reserves, cold } = this.parts.settings;
    const [account, codec] = await Promise.all([accountAddresses(network, xpub), addressCodec(network)]);
    const own = account.placeAt(BRANCH.own, CHANGE_INDEX);
    const houses = new Map<string, WatchedPlace>([
      [own.script, { address: own.address, holder: 'own', index: CHANGE_INDEX }],
    ]);
    const { addressKind } = findCoinNetwork(network.code, network.code)!.network;
    for (const text of cold === undefined ? reserves : [cold, ...reserves]) {
      const address = canonicalAddress(addressKind, text);
      const script = codec.scriptOf(address);
      if (script === undefined) throw new Error(`${text} is no address of ${network.code}`);
      houses.set(script, { address, holder: 'reserve', index: undefined });
    }
    return { account, codec, own, houses };
  }

  /**
   * The newest block whose deposits the balances include; undefined before the first block. It lags behind by
   * less than the needed confirmations, so every credited deposit is included.
   */
  private coveredBlock(): number | undefined {
    const height = this.height();
    const lag = Math.min(Math.floor((this.needed() - 1) / 2), LAG);
    return height === 0 ? undefined : Math.max(0, height - lag);
  }
}
