import { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network.ts';
import { TRON } from '@exchange/core/tron-network.ts';
import type { Wallets } from './channel.ts';
import type { ChainPayment, Destination, SendingStage, VoidStatus } from './domain.ts';
import type { EvmToken } from './evm-domain.ts';
import { sendingStages, voidWithoutSigner } from './evm-repository.ts';
import { SignedChannel, type ChannelParts } from './signed-channel.ts';
import { transfersIn, tronAddress } from './tron-domain.ts';
import { TronNode } from './tron-node.ts';
import { assignTronAddress, tronAddressOf, tronHoldings } from './tron-repository.ts';
import { TronScanner } from './tron-scanner.ts';

/** Operator settings of TRON. */
export interface TronSettings {
  readonly rpcUrl: string;
  /** Extended public key (`m/44'/195'/0'`) from which deposit addresses are derived. */
  readonly xpub: string;
  /** Name of the network in `TRON_GENESIS`. */
  readonly chain: string;
  /** Listed tokens by coin, with contracts in base 58. */
  readonly tokens: ReadonlyMap<string, EvmToken>;
  readonly startBlock: number | undefined;
  /** Further addresses of the exchange, such as cold storage, whose coins count as reserves. */
  readonly reserves: readonly string[];
}

interface Parts extends ChannelParts {
  readonly settings: TronSettings;
}

/** The channel reports itself down when it is more than this many blocks behind the node. */
const BEHIND = 200;
const TXID = /^[0-9a-f]{64}$/i;

/**
 * The channel of TRON, whose tokens can be deposited only: deposit addresses derived from an
 * extended public key, and a scanner of solidified blocks. These are never replaced, so a transfer
 * needs one confirmation.
 */
export class TronChannel extends SignedChannel {
  readonly kind = 'tron';
  readonly wallets: Wallets;
  readonly hot = undefined;
  readonly sweeps = undefined;
  readonly tokens = undefined;
  readonly fees = undefined;
  readonly contracts: ReadonlySet<string>;
  protected readonly scanner: TronScanner;
  protected readonly sender = undefined;
  private readonly parts: Parts;
  private readonly node: TronNode;
  private readonly houses: ReadonlySet<string>;
  private deriveAddress: ((index: number) => string) | undefined;

  constructor(parts: Parts) {
    super(parts, { network: TRON, behindMost: BEHIND });
    this.parts = parts;
    const { rpcUrl, chain, tokens, startBlock, reserves } = parts.settings;
    const { database, log } = parts;
    this.node = new TronNode(rpcUrl);
    this.contracts = new Set([...tokens.values()].map(({ contract }) => contract));
    this.houses = new Set(reserves);
    const { node, houses } = this;
    this.scanner = new TronScanner({ chain, tokens, startBlock, node, database, log, houses });
    this.wallets = {
      block: () => (this.height() === 0 ? undefined : this.height()),
      holdings: async (block) => {
        const units = await tronHoldings(database.store, block);
        return new Map(
          [...tokens].map(([asset, { digits }]) => [asset, Decimal.ofScaled(units.get(asset) ?? 0n, digits)]),
        );
      },
    };
  }

  receives(asset: string, network: string): boolean {
    return network === TRON && this.parts.settings.tokens.has(asset);
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
    return { address, memo: undefined };
  }

  /** Derives the address again instead of trusting the database, so a tampered row is never shown. */
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
    return transfersIn([transaction], this.parts.settings.tokens).map(
      ({ asset, receiver, units, digits }) => ({
        asset,
        address: receiver,
        memo: undefined,
        amount: Decimal.ofScaled(units, digits),
        block: transaction.block,
        isFinal: true,
      }),
    );
  }

  /**
   * Logs the first deposit address: an operator compares it with the wallet that holds the private key before coins are sent to
   * it.
   */
  async start(): Promise<void> {
    const derive = await this.addresses();
    this.parts.log.info('chains.account_opened', { network: TRON, firstDepositAddress: derive(0) });
    await this.load();
  }

  protected override voidWithoutSender(origin: string): Promise<VoidStatus> {
    const { database, clock } = this.parts;
    return voidWithoutSigner(database.store, origin, clock.now());
  }

  /** Derives deposit addresses from the extended public key. */
  private async addresses(): Promise<(index: number) => string> {
    if (this.deriveAddress === undefined) {
      const { HDNodeWallet } = await import('ethers');
      const account = HDNodeWallet.fromExtendedKey(this.parts.settings.xpub);
      if (account instanceof HDNodeWallet)
        throw new Error('TRON_XPUB must be a public key: a private one is not to be here');
      const receiving = account.deriveChild(0);
      // An address of TRON is the same hash of the public key as on Ethereum, in another spelling.
      this.deriveAddress = (index) => tronAddress(receiving.deriveChild(index).address.slice(2));
    }
    return this.deriveAddress;
  }
}
