import { isChainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network-table.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { TRON } from '@exchange/core/tron-network.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import {
  ChannelUnavailable,
  type ChannelTokens,
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
  type WalletBounds,
} from './domain.ts';
import type { EvmToken } from './evm-domain.ts';
import { sendingStages } from './evm-repository.ts';
import { SignedChannel, type ChannelParts, type SignerPlace } from './signed-channel.ts';
import {
  coinTransfersIn,
  isBalanceAhead,
  transfersIn,
  tronAddress,
  TRX,
  TRX_DIGITS,
  unlistedTokens,
} from './tron-domain.ts';
import { TronNode } from './tron-node.ts';
import { adoptTronHoldings, tronFeesSince } from './tron-payment-repository.ts';
import {
  assignTronAddress,
  ownerOfTronAddress,
  tronAddressesAmong,
  tronAddressOf,
  tronHoldings,
} from './tron-repository.ts';
import { TronScanner } from './tron-scanner.ts';
import { TronSender } from './tron-sender.ts';
import { TronSweeps } from './tron-sweeps.ts';
import { watchedTokens, watchFirst } from './watched-tokens-repository.ts';

/** Settings of the TRON channel. */
export interface TronSettings {
  readonly rpcUrl: string;
  /**
   * URL at which the node accepts transactions and reports prices and resources of accounts; undefined if it
   * does so at `rpcUrl`.
   */
  readonly fullUrl: string | undefined;
  /** URL of a second node, whose blocks must be the same as those of the first; undefined without a second node. */
  readonly secondUrl: string | undefined;
  /** Extended public key of the account `m/44'/195'/0'`, from which the deposit addresses are derived. */
  readonly xpub: string;
  /** Name of the TRON network, a key of `TRON_GENESIS`. */
  readonly chain: string;
  /** Listed tokens by coin; the addresses of their contracts are in base 58. */
  readonly tokens: ReadonlyMap<string, EvmToken>;
  readonly startBlock: number | undefined;
  /** Further addresses of the exchange, such as cold storage, whose coins back the liabilities to users. */
  readonly reserves: readonly string[];
  /** The hot wallet and its signer; undefined if the channel only receives payments. */
  readonly sending: (SignerPlace & { readonly wallet: string }) | undefined;
  /**
   * Address of the exchange's cold wallet; surplus of the hot wallet is moved to it, and its tokens back the
   * liabilities to users. Undefined if there is none.
   */
  readonly cold: string | undefined;
  /**
   * Lower bound, target and upper bound of the hot wallet's balance by coin, in units of the coin, with
   * decimals.
   */
  readonly bounds: ReadonlyMap<string, WalletBounds>;
  /** Greatest fee limit of a transaction, in sun (10^-6 TRX). */
  readonly feeMost: bigint;
  /**
   * Least value in USDT of the tokens on a deposit address that are swept into the hot wallet; undefined if nothing is
   * swept.
   */
  readonly sweepLeast: Decimal | undefined;
}

interface Parts extends ChannelParts {
  readonly settings: TronSettings;
}

/**
 * Number of blocks by which the last block read may be behind the node's newest block; if it is further behind, the
 * channel reports itself down.
 */
const BEHIND = 200;
/**
 * Greatest age, in milliseconds, of the node's newest solidified block; if it is older, the channel reports itself
 * down.
 */
const NODE_AGE_MOST = 5 * MINUTE_MS;
const TXID = /^[0-9a-f]{64}$/i;
const COIN_FACTS = { name: 'TRON', symbol: TRX, digits: TRX_DIGITS };
/**
 * Least amount in TRX of a transfer to a deposit address that operators see. Smaller amounts are sent to many addresses
 * as advertising or deception.
 */
const COIN_LEAST = Decimal.one;

/**
 * The channel of TRON. It derives deposit addresses from an extended public key, scans solidified blocks, and pays
 * tokens through the signer. Solidified blocks are never replaced, so a transfer needs one confirmation.
 */
export class TronChannel extends SignedChannel<TronSender> {
  readonly kind = 'tron';
  readonly wallets: Wallets;
  readonly hot: HotWallet | undefined;
  readonly sweeps: DepositSweeps | undefined;
  readonly tokens: ChannelTokens;
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
    this.scanner = new TronScanner({
      chain,
      tokens,
      startBlock,
      node,
      second,
      clock,
      database,
      log,
      houses,
    });
    this.tokens = {
      canonical: (contract) =>
        contract.toUpperCase() === TRX ? TRX : isChainAddress('tron', contract) ? contract : undefined,
      listed: () => this.coinsByContract(),
      holdsUnread: false,
      facts: (contract) => (contract === TRX ? Promise.resolve(COIN_FACTS) : node.tokenFacts(contract)),
      ownerOf: (address) => ownerOfTronAddress(database.store, address),
    };
    this.spentFees = {
      asset: TRX,
      since: async (at) => Decimal.ofScaled(await tronFeesSince(database.store, at), TRX_DIGITS),
    };
    this.wallets = {
      block: () => (this.height() === 0 ? undefined : this.height()),
      holdings: async (block) => {
        const units = await tronHoldings(database.store, block);
        return new Map(
          [...tokens].map(([asset, { contract, digits }]) => {
            // Tokens that arrived before the exchange listed them are counted under the address of their
            // contract, later ones under the coin's code; the holding of the coin is the sum of both.
            const held = (units.get(asset) ?? 0n) + (units.get(contract) ?? 0n);
            return [asset, Decimal.ofScaled(held, digits)];
          }),
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
   * True if the channel sends the coin. It sends the listed tokens, and TRX to pay for the energy of sweeps; the
   * exchange does not list TRX, so no user can withdraw it.
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
   * True if the address is the deposit address of the owner. The address is derived again from the owner's index, so
   * that one that was manipulated in the database is never shown.
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
    const transaction = await this.node.wholeTransaction(txid.toLowerCase());
    if (transaction === undefined) return undefined;
    const { tokens } = this.parts.settings;
    const watched = unlistedTokens(await watchedTokens(this.parts.database.store, TRON), tokens);
    return [
      ...transfersIn([transaction], new Map([...tokens, ...watched])),
      ...coinTransfersIn([transaction]),
    ].map((transfer) => ({
      asset: transfer.asset,
      address: transfer.receiver,
      memo: undefined,
      amount: ledgerAmount(TRON, transfer),
      block: transaction.block,
      isFinal: true,
    }));
  }

  /**
   * Loads the scan position. Starts the watch of TRX transfers to deposit addresses, which operators see, unless TRX
   * was ever watched. Renames tokens that arrived before their listing to the listed coin, so that they are swept. Logs
   * the first deposit address, so that an operator can compare it with the wallet that has the private key before coins
   * are sent to it. Throws if a wallet in the settings is a deposit address of a user.
   */
  async start(): Promise<void> {
    const { clock, database, log } = this.parts;
    const derive = await this.addresses();
    log.info('chains.account_opened', { network: TRON, firstDepositAddress: derive(0) });
    const users = await tronAddressesAmong(database.store, [...this.houses]);
    if (users.size > 0) throw new Error(houseProblem([...users].join(', ')));
    await watchFirst(database.store, {
      network: TRON,
      contract: TRX,
      least: COIN_LEAST,
      allowedAt: clock.now(),
      allowedBy: 'the exchange',
      reason: 'users send TRX to their deposit addresses by mistake',
      ...COIN_FACTS,
    });
    await database.transaction((tx) => adoptTronHoldings(tx, this.coinsByContract()));
    await this.load();
  }

  /**
   * Returns the health of the channel: down if the node does not answer, blocks are read late, payments wait,
   * a signer certificate has a problem, or the node's newest solidified block is too old, even if the
   * exchange has read all blocks of the node.
   */
  override health(): ComponentHealth {
    const health = super.health();
    const age = this.node.headTime === undefined ? 0 : this.parts.clock.now() - this.node.headTime;
    if (!health.isUp || age <= NODE_AGE_MOST) return health;
    const reason = `the newest solidified block of the node on ${TRON} is ${Math.floor(age / MINUTE_MS)} minutes old`;
    return Object.assign({}, health, { isUp: false, reason });
  }

  /**
   * Returns the balances of the hot wallet by coin, in units of the coin, with decimals, at the node's newest
   * solidified block, the only block at which the node reports them; undefined before the first block was
   * read. Throws `ChannelUnavailable` while the last block read is many blocks behind.
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

  /** Returns the codes of the listed tokens by the addresses of their contracts. */
  private coinsByContract(): ReadonlyMap<string, string> {
    return new Map([...this.parts.settings.tokens].map(([asset, { contract }]) => [contract, asset]));
  }

  /**
   * Returns a function that derives the deposit address of an index from the extended public key. Throws if the setting
   * contains a private key.
   */
  private async addresses(): Promise<(index: number) => string> {
    if (this.deriveAddress === undefined) {
      const { HDNodeWallet } = await import('ethers');
      const account = HDNodeWallet.fromExtendedKey(this.parts.settings.xpub);
      if (account instanceof HDNodeWallet)
        throw new Error('TRON_XPUB must be an extended public key: the server must not have a private key');
      const receiving = account.deriveChild(0);
      // A TRON address is the same hash of the public key as an Ethereum address, in another spelling.
      this.deriveAddress = (index) => tronAddress(receiving.deriveChild(index).address.slice(2));
    }
    return this.deriveAddress;
  }
}

/**
 * Returns the sentence with which a wallet address in the settings is refused: the address is also a user's
 * deposit address, so coins that arrive at it would count both for the user and for the exchange.
 */
function houseProblem(address: string): string {
  return `${address} in TRON_WALLET, TRON_COLD_WALLET or TRON_RESERVES is a deposit address of TRON_XPUB`;
}
