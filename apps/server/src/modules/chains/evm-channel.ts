import { Decimal } from '@exchange/core/decimal.ts';
import { canonicalAddress } from '@exchange/core/chain-address.ts';
import {
  feeCoinOf,
  requireEvmNetwork,
  type EvmFeeModel,
  type EvmFinality,
} from '@exchange/core/evm-network.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { findNetwork, type Network } from '@exchange/core/network-table.ts';
import { ChannelUnavailable } from './channel.ts';
import type {
  ChannelTokens,
  DepositSweeps,
  HotWallet,
  NetworkFee,
  NetworkFees,
  SpentFees,
} from './channel.ts';
import {
  ledgerAmount,
  type ChainPayment,
  type Destination,
  type SendingStage,
  type WalletBounds,
} from './domain.ts';
import {
  checksummed,
  candidatesIn,
  COIN_DIGITS,
  withWatched,
  type EvmReceipt,
  type EvmTerms,
  type EvmToken,
} from './evm-domain.ts';
import { EvmNode } from './evm-node.ts';
import {
  addressOf,
  markFeeBooked,
  paymentsWithoutFee,
  sendingStages,
  spentFeesSince,
  storeSpentFee,
  assignAddress,
  ownerOfAddress,
  type PaymentWithoutFee,
} from './evm-repository.ts';
import { EvmScanner } from './evm-scanner.ts';
import { EvmSender } from './evm-sender.ts';
import { EvmSweeps } from './evm-sweeps.ts';
import { EvmWallets } from './evm-wallets.ts';
import { adoptHoldings, watchedTokens } from './watched-tokens-repository.ts';
import { SignedChannel, type ChannelParts, type SignerPlace } from './signed-channel.ts';

/** Settings of a single EVM chain. */
export interface EvmSettings {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** The network's code, e.g. `ERC20`. */
  readonly network: string;
  /** Extended public key of the account `m/44'/60'/0'`, from which the deposit addresses are derived. */
  readonly xpub: string;
  readonly tokens: ReadonlyMap<string, EvmToken>;
  readonly confirmations: number | undefined;
  /** Finality that a block must have before the exchange reads it. */
  readonly finality: EvmFinality;
  readonly feeModel: EvmFeeModel;
  /** Least tip in wei per unit of gas; with the fee model `legacy`, the least gas price. 0 if omitted. */
  readonly leastTip?: bigint;
  readonly startBlock: number | undefined;
  /**
   * True if the node traces calls (`debug_traceBlockByHash`); then transfers of the chain's own coin that contracts
   * make are credited too.
   */
  readonly isTraced: boolean;
  /** Further addresses of the exchange, such as cold storage, whose balances back the liabilities to users. */
  readonly reserves: readonly string[];
  /** The hot wallet and its signer; undefined if the channel only receives payments. */
  readonly sending: (SignerPlace & { readonly wallet: string }) | undefined;
  /**
   * Address of the exchange's cold wallet; surplus of the hot wallet is moved to it, and its balance backs the
   * liabilities to users. Undefined if there is none.
   */
  readonly cold: string | undefined;
  /**
   * Lower bound, target and upper bound of the hot wallet's balance by coin, in units of the coin, with
   * decimals.
   */
  readonly bounds: ReadonlyMap<string, WalletBounds>;
  /**
   * Limits for sweeping deposit addresses into the hot wallet: the least ratio between the value of a sweep and its
   * cost, or the least value in USDT if the chain's coin is not listed, and the greatest fee of a sweep in wei per unit
   * of gas. Undefined if nothing is swept.
   */
  readonly sweeping:
    | { readonly factor: number; readonly least: Decimal | undefined; readonly maxFee: bigint }
    | undefined;
  /**
   * When a payment that is in no block is replaced automatically: the milliseconds after which it is replaced, and the
   * greatest fee of the replacement in wei per unit of gas.
   */
  readonly replacement: { readonly afterMs: number; readonly maxFee: bigint };
}

interface Parts extends ChannelParts {
  readonly settings: EvmSettings;
}

/**
 * Greatest number of payments whose fees in an unlisted coin one scan stores, for payments of the hot wallet and of
 * deposit addresses each.
 */
const SPENT_FEES_MOST = 50;
/**
 * Number of blocks, or of seconds converted to blocks, by which the last block read may be behind the node's newest
 * block; the greater of the two applies. If it is further behind, the channel reports itself down.
 */
const BEHIND = { blocks: 50, seconds: 150 };

const CONTRACT = /^0x[0-9a-f]{40}$/i;

/**
 * Greatest number of blocks, or of seconds converted to blocks, that one scan reads; the greater of the two applies.
 */
const ROUND = { blocks: 40, seconds: 30 };

/** Returns the usual number of a network's blocks within `seconds`, rounded up, but at least `blocks`. */
function blocksOf(
  network: string,
  { blocks, seconds }: { readonly blocks: number; readonly seconds: number },
): number {
  return Math.max(blocks, Math.ceil(seconds / (findNetwork(network)?.blockSeconds ?? 1)));
}

/**
 * Channel of an EVM chain: it derives deposit addresses from an extended public key, scans blocks for
 * payments to them and to the exchange's own wallets, and pays through the signer.
 */
export class EvmChannel extends SignedChannel<EvmSender> {
  readonly kind = 'evm';
  readonly wallets: EvmWallets;
  readonly contracts: ReadonlySet<string>;
  readonly hot: HotWallet | undefined;
  readonly sweeps: DepositSweeps | undefined;
  readonly tokens: ChannelTokens;
  private readonly parts: Parts;
  readonly fees: NetworkFees | undefined;
  override readonly spentFees: SpentFees | undefined = undefined;
  /** Number of the final block up to which the fees that were paid in an unlisted coin are stored. */
  private feesStoredAt = 0;
  private readonly terms: EvmTerms;
  private readonly node: EvmNode;
  /** The exchange's own addresses, such as its wallets, in lower case; deposit addresses are not included. */
  private readonly houses: ReadonlySet<string>;
  protected readonly scanner: EvmScanner;
  protected readonly sender: EvmSender | undefined;
  private deriveAddress: ((index: number) => string) | undefined;

  constructor(parts: Parts) {
    super(parts, {
      network: parts.settings.network,
      behindMost: blocksOf(parts.settings.network, BEHIND),
    });
    this.parts = parts;
    const { rpcUrl, chainId, network, tokens, startBlock, reserves, sending, cold, bounds } = parts.settings;
    this.contracts = new Set([...tokens.values()].map(({ contract }) => canonicalAddress('evm', contract)));
    this.terms = { network, coin: requireEvmNetwork(network).coin, tokens };
    const node = new EvmNode(rpcUrl, parts.settings);
    this.node = node;
    const { terms } = this;
    const houses = [sending?.wallet, cold, ...reserves].filter((address) => address !== undefined);
    this.houses = new Set(houses.map((address) => address.toLowerCase()));
    this.scanner = new EvmScanner({
      ...parts,
      terms,
      chainId,
      startBlock,
      roundBlocks: blocksOf(network, ROUND),
      node,
      isTraced: parts.settings.isTraced,
      houses: this.houses,
    });
    this.wallets = new EvmWallets({
      terms,
      node,
      clock: parts.clock,
      database: parts.database,
      height: () => this.height(),
      needed: () => this.needed(),
      houses,
    });
    this.tokens = {
      canonical: (contract) => (CONTRACT.test(contract) ? contract.toLowerCase() : undefined),
      listed: () => this.coinsByContract(),
      holdsUnread: true,
      facts: (contract) => node.tokenFacts(contract),
      ownerOf: (address) => ownerOfAddress(parts.database.store, address.toLowerCase()),
    };
    // Fees are paid in the chain's coin. The ledger can book them only if the exchange lists this coin.
    this.fees =
      sending === undefined || terms.coin === undefined
        ? undefined
        : {
            unbooked: (limit) => this.unbookedFees(limit),
            markBooked: (origin) => markFeeBooked(parts.database.store, origin),
          };
    if (sending === undefined) return;
    if (terms.coin === undefined)
      this.spentFees = {
        asset: feeCoinOf(network),
        since: (at) => spentFeesSince(parts.database.store, network, at),
      };
    this.hot = {
      network,
      address: canonicalAddress('evm', sending.wallet),
      cold: cold === undefined ? undefined : canonicalAddress('evm', cold),
      bounds,
      balances: async (at) => {
        const height = this.height();
        if (height === 0) return undefined;
        const block = at === 'newest' ? height : this.finalBlock();
        return this.wallets.balancesOf(sending.wallet, block);
      },
    };
    const { sweeping } = parts.settings;
    if (sweeping !== undefined)
      this.sweeps = new EvmSweeps({
        ...parts,
        terms,
        feeCoin: feeCoinOf(network),
        node,
        wallet: canonicalAddress('evm', sending.wallet),
        sweeping,
        height: () => this.height(),
        finalBlock: () => this.finalBlock(),
      });
    const isFinal = (block: number) => this.height() - block + 1 >= this.needed();
    this.sender = new EvmSender({
      ...parts,
      terms,
      chainId,
      feeCoin: feeCoinOf(network),
      wallet: sending.wallet,
      signer: this.openSigner(sending),
      node,
      depositAddress: async (index) => (await this.addresses())(index),
      isFinal,
      height: () => this.height(),
      finalBlock: () => this.finalBlock(),
      replacement: parts.settings.replacement,
    });
  }

  override async scan(): Promise<void> {
    await super.scan();
    if (this.spentFees !== undefined) await this.storeSpentFees();
  }

  /**
   * Stores the fees of payments that have become final since the last call, for a chain whose coin, in which
   * fees are paid, the exchange does not list.
   */
  private async storeSpentFees(): Promise<void> {
    const { clock, database } = this.parts;
    const final = this.finalBlock();
    if (final === this.feesStoredAt) return;
    const fees = await this.unbookedFees(SPENT_FEES_MOST);
    for (const fee of fees) await database.transaction((tx) => storeSpentFee(tx, fee, clock.now()));
    // If a fee was stored, there may be further ones, so the next scan stores those.
    if (fees.length === 0) this.feesStoredAt = final;
  }

  receives(asset: string, network: string): boolean {
    const { coin, tokens } = this.terms;
    return network === this.terms.network && (asset === coin || tokens.has(asset));
  }

  /**
   * True if the channel sends the coin. It also sends the chain's own coin as gas for sweeps; if the exchange does not
   * list this coin, no user can withdraw it.
   */
  override sends(asset: string, network: string): boolean {
    const isGas = network === this.terms.network && asset === feeCoinOf(network);
    return super.sends(asset, network) || (this.sender !== undefined && isGas);
  }

  isHouseAddress(network: string, address: string): boolean {
    return network === this.terms.network && this.houses.has(address.toLowerCase());
  }

  confirmationsNeeded({ confirmations }: Network): number {
    return this.parts.settings.confirmations ?? confirmations;
  }

  finalitySeconds(): number {
    return requireEvmNetwork(this.terms.network).finalitySeconds[this.parts.settings.finality];
  }

  async destination(_network: Network, owner: string): Promise<Destination> {
    const { database, clock } = this.parts;
    const derive = await this.addresses();
    const known = await addressOf(database.store, owner);
    const { address } =
      known ?? (await database.transaction((tx) => assignAddress(tx, owner, derive, clock.now())));
    return { address: checksummed(address), memo: undefined };
  }

  /**
   * True if the address is the deposit address of the owner. The address is derived again from the owner's index, so
   * that one that was manipulated in the database is never shown.
   */
  async isOwn(_network: Network, owner: string, { address }: Destination): Promise<boolean> {
    const known = await addressOf(this.parts.database.store, owner);
    if (known === undefined) return false;
    const derived = (await this.addresses())(known.index);
    return derived === known.address && derived === address.toLowerCase();
  }

  protected override async hasCode(address: string): Promise<boolean | undefined> {
    try {
      return await this.node.hasCode(address);
    } catch (cause) {
      if (cause instanceof ChannelUnavailable) return undefined;
      throw cause;
    }
  }

  protected override storedForm(address: string): string {
    return address.toLowerCase();
  }

  stagesOf(origins: readonly string[]): Promise<ReadonlyMap<string, SendingStage>> {
    return sendingStages(this.parts.database.store, origins);
  }

  async paymentsIn(txid: string): Promise<readonly ChainPayment[] | undefined> {
    if (!/^0x[0-9a-f]{64}$/i.test(txid)) return undefined;
    const [transaction, receipt] = [await this.node.transaction(txid), await this.node.receipt(txid)];
    if (transaction === undefined || receipt === undefined) return undefined;
    if (!receipt.isSuccess) return [];
    const { block, blockHash } = receipt;
    const isFinal =
      this.height() - block + 1 >= this.needed() && (await this.node.hashAt(block)) === blockHash;
    const mined = {
      number: block,
      hash: blockHash,
      parentHash: '',
      transactions: [{ hash: txid, ...transaction }],
    };
    const terms = withWatched(this.terms, await watchedTokens(this.parts.database.store, this.terms.network));
    return candidatesIn(mined, receipt.logs, terms).map((candidate) => ({
      asset: candidate.asset,
      address: checksummed(candidate.address),
      memo: undefined,
      amount: ledgerAmount(this.terms.network, candidate),
      block,
      isFinal,
    }));
  }

  async start(): Promise<void> {
    await this.addresses();
    const { database } = this.parts;
    await database.transaction((tx) => adoptHoldings(tx, this.terms.network, this.coinsByContract()));
    await this.load();
  }

  protected override displayed(address: string): string {
    return checksummed(address);
  }

  /** Returns the codes of the listed tokens by the addresses of their contracts. */
  private coinsByContract(): ReadonlyMap<string, string> {
    return new Map([...this.terms.tokens].map(([asset, { contract }]) => [contract, asset]));
  }

  private async unbookedFees(limit: number): Promise<readonly NetworkFee[]> {
    const { store } = this.parts.database;
    const { network } = this.terms;
    const fees: NetworkFee[] = [];
    for (const payment of await paymentsWithoutFee(store, network, { payer: 'hot', limit })) {
      const fee = await this.feeOf(payment);
      // The payments are in the order of their nonces. If one of them is not final yet, no later one can be, so the
      // remaining payments are not checked.
      if (fee === 'waits') break;
      if (fee !== 'none') fees.push(fee);
    }
    for (const payment of await paymentsWithoutFee(store, network, { payer: 'deposits', limit })) {
      const fee = await this.feeOf(payment);
      if (fee !== 'waits' && fee !== 'none') fees.push(fee);
    }
    return fees;
  }

  /**
   * Returns the fee of the mined transaction of a payment; `waits` while that transaction is not final;
   * `none` if there is no fee to book: the transaction cost nothing, the node does not report its cost, or a
   * transaction that was not signed for the payment used its nonce. If the result is `none`, the payment is
   * also marked as booked, so that it is not checked again and no later payment waits for it.
   */
  private async feeOf({
    origin,
    raw,
    nonce,
    txids,
  }: PaymentWithoutFee): Promise<NetworkFee | 'waits' | 'none'> {
    const { network } = this.terms;
    const mined = await this.minedOf(txids);
    if (mined === undefined) {
      const { Transaction } = await import('ethers');
      const { from } = Transaction.from(raw);
      if ((await this.node.nonceAt(from!, this.finalBlock())) <= nonce) return 'waits';
      if ((await this.minedOf(txids)) === undefined) await markFeeBooked(this.parts.database.store, origin);
      return 'none';
    }
    const { txid, receipt } = mined;
    if (receipt.block > this.finalBlock()) return 'waits';
    if (receipt.fee === undefined || receipt.fee === 0n) {
      if (receipt.fee === undefined) this.parts.log.error('chains.fee_unknown', { network, origin, txid });
      await markFeeBooked(this.parts.database.store, origin);
      return 'none';
    }
    return {
      origin,
      network,
      asset: feeCoinOf(network),
      txid,
      output: 0,
      amount: Decimal.ofScaled(receipt.fee, COIN_DIGITS),
    };
  }

  /**
   * Returns the transaction of a payment that is in a block, with its receipt; undefined if none of the
   * payment's transactions is in a block.
   */
  private async minedOf(
    txids: readonly string[],
  ): Promise<{ readonly txid: string; readonly receipt: EvmReceipt } | undefined> {
    for (const txid of txids) {
      const receipt = await this.node.receipt(txid);
      if (receipt !== undefined) return { txid, receipt };
    }
    return undefined;
  }

  /** Returns the number of the newest block that has the required confirmations; 0 if no block has them. */
  private finalBlock(): number {
    return Math.max(0, this.height() - this.needed() + 1);
  }

  private needed(): number {
    const [asset = ''] = [this.terms.coin ?? [...this.terms.tokens.keys()][0]];
    const network = findCoinNetwork(asset, this.terms.network)?.network;
    return network === undefined ? Number.MAX_SAFE_INTEGER : this.confirmationsNeeded(network);
  }

  /**
   * Returns a function that derives the deposit address of an index, in lower case, from the extended public key.
   * Throws if the setting contains a private key.
   */
  private async addresses(): Promise<(index: number) => string> {
    if (this.deriveAddress === undefined) {
      const { HDNodeWallet } = await import('ethers');
      const account = HDNodeWallet.fromExtendedKey(this.parts.settings.xpub);
      if (account instanceof HDNodeWallet)
        throw new Error('EVM_XPUB must be an extended public key: the server must not have a private key');
      const receiving = account.deriveChild(0);
      this.deriveAddress = (index) => receiving.deriveChild(index).address.toLowerCase();
    }
    return this.deriveAddress;
  }
}
