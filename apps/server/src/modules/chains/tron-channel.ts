import { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { TRON } from '@exchange/core/tron-network.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import {
  ChannelUnavailable,
  type DepositSweeps,
  type HotWallet,
  type SpentFees,
  type Wallets,
} from './channel.ts';
import {
  ledgerAmount,
  type ChainPayment,
  type Destination,
  type SendingStage,
  type VoidStatus,
  type WalletBounds,
} from './domain.ts';
import type { EvmToken } from './evm-domain.ts';
import { sendingStages, voidWithoutSigner } from './evm-repository.ts';
import { SignedChannel, type ChannelParts, type SignerPlace } from './signed-channel.ts';
import { isBalanceAhead, transfersIn, tronAddress, TRX, TRX_DIGITS } from './tron-domain.ts';
import { TronNode } from './tron-node.ts';
import { tronFeesSince } from './tron-payment-repository.ts';
import { assignTronAddress, tronAddressesAmong, tronAddressOf, tronHoldings } from './tron-repository.ts';
import { TronScanner } from './tron-scanner.ts';
import { TronSender } from './tron-sender.ts';
import { TronSweeps } from './tron-sweeps.ts';

/** Settings of TRON. */
export interface TronSettings {
  readonly rpcUrl: string;
  /** URL at which the node accepts transactions; undefined if it is `rpcUrl`. */
  readonly fullUrl: string | undefined;
  /** URL of a second node, which must have the same blocks; undefined without one. */
  readonly secondUrl: string | undefined;
  /** Extended public key (`m/44'/195'/0'`) from which deposit addresses are derived. */
  readonly xpub: string;
  /** Name of the network in `TRON_GENESIS`. */
  readonly chain: string;
  /** Listed tokens by coin, with contracts in base 58. */
  readonly tokens: ReadonlyMap<string, EvmToken>;
  readonly startBlock: number | undefined;
  /** Further addresses of the exchange, such as cold storage, whose coins count as reserves. */
  readonly reserves: readonly string[];
  /** The hot wallet and its signer; undefined when the channel only receives. */
  readonly sending: (SignerPlace & { readonly wallet: string }) | undefined;
  /** Cold wallet of the exchange; its tokens count as reserves, and surplus is moved to it. */
  readonly cold: string | undefined;
  /** Bounds of the hot wallet by coin. */
  readonly bounds: ReadonlyMap<string, WalletBounds>;
  /** Greatest fee limit of a transaction in sun. */
  readonly feeMost: bigint;
  /**
   * Least value in USDT of tokens on a deposit address that are moved into the hot wallet; undefined if none are moved.
   */
  readonly sweepLeast: Decimal | undefined;
}

interface Parts extends ChannelParts {
  readonly settings: TronSettings;
}

/**
 * Number of blocks. The channel reports itself down when the last block that it has read is more than this behind the
 * node's newest block.
 */
const BEHIND = 200;
/** Milliseconds. The channel reports itself down when the newest solidified block of its node is older than this. */
const NODE_AGE_MOST = 5 * MINUTE_MS;
const TXID = /^[0-9a-f]{64}$/i;

/**
 * The channel of TRON. It derives deposit addresses from an extended public key, scans solidified blocks, and pays
 * tokens through the signer. Solidified blocks are never replaced, so a transfer needs one confirmation.
 */
export class TronChannel extends SignedChannel<TronSender> {
  readonly kind = 'tron';
  readonly wallets: Wallets;
  readonly hot: HotWallet | undefined;
  readonly sweeps: DepositSweeps | undefined;
  readonly tokens = undefined;
  readonly fees = undefined;
  override readonly spentFees: SpentFees;
  readonly contracts: ReadonlySet<string>;
  protected readonly scanner: TronScanner;
  protected readonly sender: TronSender | undefined;
  private readonly parts: Parts;
  private readonly node: TronNode;
  private readonly houses: ReadonlySet<string>;
  private deriveAddress: ((index: number) => string) | undefined;

  constructor(parts: Parts) {
    super(parts, { network: TRON, behindMost: BEHIND });
    this.parts = parts;
    const { rpcUrl, fullUrl, secondUrl, chain, tokens, startBlock, reserves } = parts.settings;
    const { sending, cold, bounds, feeMost, sweepLeast } = parts.settings;
    const { database, clock, log } = parts;
    this.node = new TronNode(rpcUrl, fullUrl);
    const second = secondUrl === undefined ? undefined : new TronNode(secondUrl, undefined);
    this.contracts = new Set([...tokens.values()].map(({ contract }) => contract));
    const own = [sending?.wallet, cold, ...reserves].filter((address) => address !== undefined);
    this.houses = new Set(own);
    const { node, houses } = this;
    this.scanner = new TronScanner({ chain, tokens, startBlock, node, second, database, log, houses });
    this.spentFees = {
      asset: TRX,
      since: async (at) => Decimal.ofScaled(await tronFeesSince(database.store, at), TRX_DIGITS),
    };
    this.wallets = {
      block: () => (this.height() === 0 ? undefined : this.height()),
      holdings: async (block) => {
        const units = await tronHoldings(database.store, block);
        return new Map(
          [...tokens].map(([asset, { digits }]) => [asset, Decimal.ofScaled(units.get(asset) ?? 0n, digits)]),
        );
      },
    };
    if (sending === undefined) return;
    const { wallet } = sending;
    const height = () => this.height();
    this.sender = new TronSender({
      tokens,
      wallet,
      depositAddress: async (index) => (await this.addresses())(index),
      signer: this.openSigner(sending),
      node,
      second,
      clock,
      database,
      log,
      feeMost,
      height,
    });
    this.hot = {
      network: TRON,
      address: wallet,
      cold,
      bounds,
      balances: () => this.balances(wallet),
    };
    if (sweepLeast !== undefined)
      this.sweeps = new TronSweeps({
        tokens,
        node,
        clock,
        database,
        wallet,
        least: sweepLeast,
        feeMost,
        height,
      });
  }

  receives(asset: string, network: string): boolean {
    return network === TRON && this.parts.settings.tokens.has(asset);
  }

  /**
   * Whether the channel sends the coin. It sends its tokens, and TRX for the energy of sweeps; TRX is not listed, so no
   * user withdraws it.
   */
  override sends(asset: string, network: string): boolean {
    return super.sends(asset, network) || (this.sender !== undefined && network === TRON && asset === TRX);
  }

  isHouseAddress(network: string, address: string): boolean {
    return network === TRON && this.houses.has(address);
  }

  confirmationsNeeded(): number {
    return 1;
  }

  async destination(_network: Network, owner: string): Promise<Destination> {
    const { database, clock } = this.parts;
    const derive = await this.addresses();
    const { address } =
      (await tronAddressOf(database.store, owner)) ??
      (await database.transaction((tx) => assignTronAddress(tx, owner, derive, clock.now())));
    if (this.houses.has(address)) throw new Error(houseProblem(address));
    return { address, memo: undefined };
  }

  /**
   * Whether the address is the owner's. It is derived again instead of trusting the database, so a tampered
   * row is never shown.
   */
  async isOwn(_network: Network, owner: string, { address }: Destination): Promise<boolean> {
    const assigned = await tronAddressOf(this.parts.database.store, owner);
    if (assigned === undefined) return false;
    const derived = (await this.addresses())(assigned.index);
    return derived === assigned.address && derived === address;
  }

  stagesOf(origins: readonly string[]): Promise<ReadonlyMap<string, SendingStage>> {
    return sendingStages(this.parts.database.store, origins);
  }

  async paymentsIn(txid: string): Promise<readonly ChainPayment[] | undefined> {
    if (!TXID.test(txid)) return undefined;
    const transaction = await this.node.transaction(txid.toLowerCase());
    if (transaction === undefined) return undefined;
    return transfersIn([transaction], this.parts.settings.tokens).map((transfer) => ({
      asset: transfer.asset,
      address: transfer.receiver,
      memo: undefined,
      amount: ledgerAmount(TRON, transfer),
      block: transaction.block,
      isFinal: true,
    }));
  }

  /**
   * Logs the first deposit address: an operator compares it with the wallet that holds the private key before
   * coins are sent to it. Throws if a wallet of the settings is a deposit address of a user.
   */
  async start(): Promise<void> {
    const { database, log } = this.parts;
    const derive = await this.addresses();
    log.info('chains.account_opened', { network: TRON, firstDepositAddress: derive(0) });
    const users = await tronAddressesAmong(database.store, [...this.houses]);
    if (users.size > 0) throw new Error(houseProblem([...users].join(', ')));
    await this.load();
  }

  /**
   * See `SignedChannel.health`. The channel is also reported down if the node's newest block is too old, even when all
   * blocks of the node were read.
   */
  override health(): ComponentHealth {
    const health = super.health();
    const age = this.node.headTime === undefined ? 0 : this.parts.clock.now() - this.node.headTime;
    if (!health.isUp || age <= NODE_AGE_MOST) return health;
    const reason = `the newest solidified block of the node on ${TRON} is ${Math.floor(age / MINUTE_MS)} minutes old`;
    return Object.assign({}, health, { isUp: false, reason });
  }

  protected override voidWithoutSender(origin: string): Promise<VoidStatus> {
    const { database, clock } = this.parts;
    return voidWithoutSigner(database.store, origin, clock.now());
  }

  /**
   * Balances of the hot wallet. The node knows them only at its newest solidified block; undefined before the first
   * block was read. Throws while the scan is many blocks behind that block.
   */
  private async balances(wallet: string): Promise<ReadonlyMap<string, Decimal> | undefined> {
    if (this.height() === 0) return undefined;
    if (isBalanceAhead(this.head(), this.height()))
      throw new ChannelUnavailable('earlier blocks are still being read');
    const balances = new Map<string, Decimal>();
    for (const [asset, { contract, digits }] of this.parts.settings.tokens)
      balances.set(asset, Decimal.ofScaled(await this.node.tokenBalance(contract, wallet), digits));
    return balances;
  }

  /** Derives deposit addresses from the extended public key. */
  private async addresses(): Promise<(index: number) => string> {
    if (this.deriveAddress === undefined) {
      const { HDNodeWallet } = await import('ethers');
      const account = HDNodeWallet.fromExtendedKey(this.parts.settings.xpub);
      if (account instanceof HDNodeWallet)
        throw new Error('TRON_XPUB must be an extended public key: the server must not have a private key');
      const receiving = account.deriveChild(0);
      // An address of TRON is the same hash of the public key as on Ethereum, in another spelling.
      this.deriveAddress = (index) => tronAddress(receiving.deriveChild(index).address.slice(2));
    }
    return this.deriveAddress;
  }
}

/**
 * The reason why an address of the settings cannot be used: coins that arrive there would count both for a user and for
 * the exchange.
 */
function houseProblem(address: string): string {
  return `${address} in TRON_WALLET, TRON_COLD_WALLET or TRON_RESERVES is a deposit address of TRON_XPUB`;
}
