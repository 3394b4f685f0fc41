import { canonicalAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import type { Network } from '@exchange/core/network-table.ts';
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
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import {
  ChannelUnavailable,
  type ChannelChildren,
  type HotWallet,
  type NetworkFee,
  type NetworkFees,
  type Wallets,
} from './channel.ts';
import type {
  ChainChild,
  ChainPayment,
  ConfirmationSteps,
  Destination,
  SendingStage,
  WalletBounds,
} from './domain.ts';
import { SignedChannel, type ChannelParts, type SignerPlace } from './signed-channel.ts';
import { openChildren, type OpenChild } from './utxo-child-repository.ts';
import { batchesWithoutFee, batchStages, markBatchFeeBooked } from './utxo-batch-repository.ts';
import { confirmationsFor, isBalanceBehind, mostConfirmations, type WatchedPlace } from './utxo-domain.ts';
import { UtxoNode } from './utxo-node.ts';
import { addressOf, assignAddress, heldAt } from './utxo-repository.ts';
import { UtxoScanner } from './utxo-scanner.ts';
import type { UtxoRates } from './utxo-parts.ts';
import { UtxoSender } from './utxo-sender.ts';

/** Settings of a single chain of the Bitcoin family. */
export interface UtxoSettings {
  /** Code of the network, a key of `UTXO_NETWORKS`. */
  readonly network: string;
  readonly chain: UtxoChain;
  readonly rpcUrl: string;
  /** Path of the file with the `user:password` of the node, such as the node's cookie file. */
  readonly authFile: string;
  /**
   * Extended public key (xpub) of the account from which the users' deposit addresses and the exchange's own
   * address are derived.
   */
  readonly xpub: string;
  /** Number of confirmations that deposits need, by amount; if empty, the standard number of the network applies. */
  readonly steps: ConfirmationSteps;
  readonly startBlock: number | undefined;
  /** Further addresses of the exchange, such as cold storage, whose coins back the liabilities to users. */
  readonly reserves: readonly string[];
  /** Address and credentials of the signer; undefined if the channel only receives payments. */
  readonly sending: SignerPlace | undefined;
  /**
   * Address of the exchange's cold wallet; surplus of the account is moved to it, and its coins back the liabilities to
   * users. Undefined if there is none.
   */
  readonly cold: string | undefined;
  /**
   * Extended public key (xpub) of the account of cold storage, whose first addresses back the liabilities to users like
   * `reserves`, because an ordinary wallet sends its change to an address of its own. Undefined if there is none.
   */
  readonly coldXpub: string | undefined;
  /**
   * Lower bound, target and upper bound of the account's balance, in units of the coin, with decimals (20
   * means 20 LTC); undefined if the account is neither refilled nor its surplus moved to the cold wallet.
   */
  readonly bounds: WalletBounds | undefined;
  readonly rates: UtxoRates;
  /** Milliseconds after which a transaction that is in no block is replaced automatically. */
  readonly replaceAfterMs: number;
}

interface Parts extends ChannelParts {
  readonly settings: UtxoSettings;
}

/**
 * Number of blocks by which the last block read may be behind the node's newest block; if it is further behind, the
 * channel reports itself down.
 */
const BEHIND = 20;
/**
 * Greatest number of blocks by which the block at which balances are read is behind the newest block. The delay ensures
 * that payments in that block are already recorded as sent.
 */
const LAG = 2;
/** Prefix of the origin under which the ledger books the fee of a batch. */
const BATCH_ORIGIN = 'batch ';

/** Number of addresses of each branch of the cold storage's account that count as reserves. */
const COLD_ADDRESSES = 200;

const NONE: ReadonlySet<string> = new Set();

/**
 * Values that are computed once from the settings, such as the addresses of the account, and all addresses of
 * the exchange itself, including cold storage, by their scripts (`houses`).
 */
interface Derived {
  readonly account: AccountAddresses;
  readonly codec: AddressCodec;
  /** The account's address that belongs to the exchange itself; it receives refills and change. */
  readonly own: Place;
  readonly houses: ReadonlyMap<string, WatchedPlace>;
}

/**
 * Channel of a chain of the Bitcoin family: it derives deposit addresses from an extended public key, scans blocks for
 * payments to them, and pays in batches through the signer. Addresses are written in the form of the public chain also
 * on a developer's test chain, because both forms stand for the same script.
 */
export class UtxoChannel extends SignedChannel<UtxoSender> {
  readonly kind = 'utxo';
  readonly wallets: Wallets;
  readonly hot: HotWallet | undefined;
  readonly sweeps = undefined;
  readonly tokens = undefined;
  readonly fees: NetworkFees | undefined;
  readonly children: ChannelChildren | undefined;
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
    const sender = this.senderOf(this.openSigner(sending));
    this.sender = sender;
    this.hot = this.hotWallet();
    this.fees = {
      unbooked: (limit) => this.unbookedFees(limit),
      markBooked: (origin) => markBatchFeeBooked(parts.database.store, origin.slice(BATCH_ORIGIN.length)),
    };
    this.children = {
      add: (origin, maxFee) => sender.addChild(origin, maxFee),
      planned: (origin, maxFee) => sender.plannedChild(origin, maxFee),
      open: async (limit) =>
        mapBounded(await openChildren(parts.database.store, code, limit), (child) => childView(child, code)),
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

  /**
   * Returns the account as the hot wallet: its balance is the total of all outputs that its key can spend,
   * including users' deposits, but without dust.
   */
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
   * Lists the fees of final batches that the ledger has not booked, at most `limit`. A batch without a fee,
   * for example because a transaction that was not signed for it spent its inputs, is marked as booked.
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

  get largerConfirmations(): ConfirmationSteps {
    return this.steps.filter(({ from }) => from.isPositive());
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
   * True if the address is the deposit address of the owner. The address is derived again from the owner's index, so
   * that one that was manipulated in the database is never shown.
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
   * Derives the first addresses, and logs the first deposit address and the exchange's own address, so that
   * an operator can compare them with the wallet that has the private key before coins are sent to them. Then
   * loads the scan position.
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

  private derived(): Promise<Derived> {
    this.derivation ??= this.derive();
    return this.derivation;
  }

  private async derive(): Promise<Derived> {
    const { network } = this;
    const { xpub, reserves, cold, coldXpub } = this.parts.settings;
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
    if (coldXpub !== undefined) {
      const coldAccount = await accountAddresses(network, coldXpub);
      for (const branch of Object.values(BRANCH))
        for (let index = 0; index < COLD_ADDRESSES; index += 1) {
          const { address, script } = coldAccount.placeAt(branch, index);
          houses.set(script, { address, holder: 'reserve', index: undefined });
        }
    }
    return { account, codec, own, houses };
  }

  /**
   * Returns the number of the newest block whose deposits the balances include; undefined before the first
   * block was read. It can be behind the newest block, but by fewer blocks than the confirmations that
   * deposits need, so every credited deposit is included.
   */
  private coveredBlock(): number | undefined {
    const height = this.height();
    const lag = Math.min(Math.floor((this.needed() - 1) / 2), LAG);
    return height === 0 ? undefined : Math.max(0, height - lag);
  }
}

function childView(
  { id, spends, txid, fee, transactions, isMined, isSent, createdAt }: OpenChild,
  coin: string,
): ChainChild {
  const unmined = isSent ? 'inFlight' : txid === undefined ? 'signing' : 'waiting';
  return {
    id,
    spends,
    txid,
    coin,
    fee: Decimal.ofScaled(fee, UTXO_DIGITS),
    transactions,
    state: isMined ? 'inBlock' : unmined,
    createdAt,
  };
}
