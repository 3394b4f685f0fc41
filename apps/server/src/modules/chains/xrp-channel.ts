import { isChainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { Network } from '@exchange/core/network-table.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { HotWallet, NetworkFee, NetworkFees, Wallets } from './channel.ts';
import type { ChainPayment, Destination, SendingStage, WalletBounds } from './domain.ts';
import { markFeeBooked, paymentsWithoutFee, sendingStages } from './evm-repository.ts';
import { SignedChannel, type ChannelParts, type SignerPlace } from './signed-channel.ts';
import { SUCCESS, XRP, XRP_DIGITS } from './xrp-domain.ts';
import { XrpNode } from './xrp-node.ts';
import { recipientProblem } from './xrp-recipient.ts';
import { assignTag, findInternal, outcomeAt, tagOf } from './xrp-repository.ts';
import { XrpScanner } from './xrp-scanner.ts';
import { XrpSender } from './xrp-sender.ts';

/** Settings of the XRP Ledger channel. */
export interface XrpSettings {
  readonly rpcUrl: string;
  /** Id of the network; the public network has the id 0. */
  readonly networkId: number;
  /** Address of the exchange's account that receives deposits with destination tags and pays withdrawals. */
  readonly account: string;
  readonly startLedger: number | undefined;
  /**
   * Addresses of further accounts of the exchange, such as cold storage, whose coins back the liabilities to
   * users.
   */
  readonly reserves: readonly string[];
  /** Address and credentials of the signer; undefined if the channel only receives payments. */
  readonly sending: SignerPlace | undefined;
  /**
   * Address of the exchange's cold wallet; surplus of the account is moved to it, and its coins back the
   * liabilities to users. Undefined if there is none.
   */
  readonly cold: string | undefined;
  /**
   * Lower bound, target and upper bound of the account's balance, in XRP; undefined if the account is neither
   * refilled nor its surplus moved to the cold wallet.
   */
  readonly bounds: WalletBounds | undefined;
  /** Least and greatest fee of a transaction, in drops (10^-6 XRP). */
  readonly fees: { readonly least: bigint; readonly most: bigint };
}

interface Parts extends ChannelParts {
  readonly settings: XrpSettings;
}

/**
 * Number of ledgers by which the last ledger read may be behind the node's newest ledger; if it is further behind, the
 * channel reports itself down.
 */
const BEHIND = 50;
/** Milliseconds that a user's request waits at most for an answer of the node. */
const WAITED_MS = 3_000;
const NONE: ReadonlySet<string> = new Set();
const TXID = /^[0-9A-F]{64}$/;

/**
 * Channel of the XRP Ledger: all users share one account and each has a destination tag; payments are signed by the
 * signer. Validated ledgers are final, so a transfer needs only one confirmation.
 */
export class XrpChannel extends SignedChannel<XrpSender> {
  readonly kind = 'xrp';
  readonly wallets: Wallets;
  readonly hot: HotWallet | undefined;
  readonly sweeps = undefined;
  readonly tokens = undefined;
  readonly fees: NetworkFees | undefined;
  readonly contracts = NONE;
  protected readonly scanner: XrpScanner;
  protected readonly sender: XrpSender | undefined;
  private readonly parts: Parts;
  private readonly node: XrpNode;
  /** Client of the same node with a shorter time limit, for queries during which a user waits. */
  private readonly waitedNode: XrpNode;
  /**
   * Addresses of all accounts of the exchange: the one that receives and pays, the cold wallet, and further
   * ones such as cold storage (`reserves`).
   */
  private readonly accounts: ReadonlySet<string>;

  constructor(parts: Parts) {
    super(parts, { network: XRP, behindMost: BEHIND });
    this.parts = parts;
    const { database } = parts;
    const { rpcUrl, networkId, account, startLedger, reserves, sending, cold, bounds, fees } = parts.settings;
    const node = new XrpNode(rpcUrl);
    this.node = node;
    this.waitedNode = new XrpNode(rpcUrl, WAITED_MS);
    this.accounts = new Set([account, cold, ...reserves].filter((address) => address !== undefined));
    this.scanner = new XrpScanner({
      networkId,
      account,
      accounts: this.accounts,
      startLedger,
      node,
      database,
    });
    this.wallets = {
      block: () => (this.height() === 0 ? undefined : this.height()),
      holdings: async (block) => {
        let held = 0n;
        for (const each of this.accounts) held += (await node.account(each, block))?.balance ?? 0n;
        return new Map([[XRP, coins(held)]]);
      },
    };
    if (sending === undefined) return;
    this.sender = new XrpSender({
      ...parts,
      networkId,
      account,
      signer: this.openSigner(sending),
      node,
      fees,
      height: () => this.height(),
      head: () => Math.max(this.scanner.head, this.height()),
    });
    this.hot = {
      network: XRP,
      address: account,
      cold,
      bounds: bounds === undefined ? new Map() : new Map([[XRP, bounds]]),
      balances: async () =>
        this.height() === 0 ? undefined : new Map([[XRP, await this.spendable(this.height())]]),
    };
    this.fees = {
      unbooked: (limit) => this.unbookedFees(limit),
      markBooked: (origin) => markFeeBooked(database.store, origin),
    };
  }

  receives(asset: string, network: string): boolean {
    return network === XRP && asset === XRP;
  }

  isHouseAddress(network: string, address: string): boolean {
    return network === XRP && this.accounts.has(address);
  }

  confirmationsNeeded(): number {
    return 1;
  }

  async destination(_network: Network, owner: string): Promise<Destination> {
    const { database, clock, settings } = this.parts;
    const tag =
      (await tagOf(database.store, owner)) ??
      (await database.transaction((tx) => assignTag(tx, owner, clock.now())));
    return { address: settings.account, memo: String(tag) };
  }

  /** True if the tag is the one that was assigned to the owner and the address is the account in the settings. */
  async isOwn(_network: Network, owner: string, { address, memo }: Destination): Promise<boolean> {
    const tag = await tagOf(this.parts.database.store, owner);
    return tag !== undefined && address === this.parts.settings.account && memo === String(tag);
  }

  override async recipientProblem(destination: Destination, amount: Decimal): Promise<Refusal | undefined> {
    const { address } = destination;
    // For a text that is no account, and for the exchange's own accounts, the node is not queried and no problem is
    // reported.
    if (!isChainAddress('ripple', address) || this.isHouseAddress(XRP, address)) return undefined;
    try {
      return this.sender === undefined
        ? undefined
        : await recipientProblem(this.waitedNode, destination, amount);
    } catch {
      // If the query fails, no problem is reported; the recipient is checked again before the payment is signed.
      return undefined;
    }
  }

  stagesOf(origins: readonly string[]): Promise<ReadonlyMap<string, SendingStage>> {
    return sendingStages(this.parts.database.store, origins);
  }

  async paymentsIn(txid: string): Promise<readonly ChainPayment[] | undefined> {
    const id = txid.toUpperCase();
    if (!TXID.test(id)) return undefined;
    const { height } = this.scanner;
    const internal = await findInternal(this.parts.database.store, { txid: id });
    if (internal !== undefined) {
      const { address, memo, amount, block } = internal;
      return [{ asset: XRP, address, memo, amount, block, isFinal: true }];
    }
    const transaction = await this.node.transaction(id);
    if (transaction === undefined) return undefined;
    const { type, result, destination, tag, delivered, ledger } = transaction;
    if (type !== 'Payment' || result !== SUCCESS || destination === undefined || delivered === undefined)
      return [];
    return [
      {
        asset: XRP,
        address: destination,
        memo: tag === undefined ? undefined : String(tag),
        amount: coins(delivered),
        block: ledger,
        isFinal: ledger <= height,
      },
    ];
  }

  async start(): Promise<void> {
    await this.load();
  }

  /**
   * Returns the amount in XRP that the account can pay: its balance as of the validated ledger with the
   * number `ledger`, without the reserve that the XRP Ledger requires now; 0 if the account does not exist.
   */
  private async spendable(ledger: number): Promise<Decimal> {
    const { node, parts } = this;
    const [account, { reserve }] = [await node.account(parts.settings.account, ledger), await node.state()];
    if (account === undefined) return Decimal.zero;
    const spendable = account.balance - reserve.base - BigInt(account.owned) * reserve.each;
    return coins(spendable > 0n ? spendable : 0n);
  }

  /**
   * Lists the fees of at most `limit` payments that are not booked in the exchange's own ledger (not the XRP
   * Ledger) and whose sequence numbers were used. A payment whose sequence number another transaction used
   * has no fee and is marked as booked.
   */
  private async unbookedFees(limit: number): Promise<readonly NetworkFee[]> {
    const { store } = this.parts.database;
    const fees: NetworkFee[] = [];
    for (const { origin, nonce, txids } of await paymentsWithoutFee(store, XRP, { payer: 'hot', limit })) {
      const outcome = await outcomeAt(store, nonce);
      // The payments are in the order of their sequence numbers. If one number is unused, no higher one can be used, so
      // the remaining payments are not checked.
      if (outcome === undefined) break;
      if (txids.includes(outcome.txid))
        fees.push({
          origin,
          network: XRP,
          asset: XRP,
          txid: outcome.txid,
          output: 0,
          amount: coins(outcome.fee),
        });
      else await markFeeBooked(store, origin);
    }
    return fees;
  }
}

function coins(drops: bigint): Decimal {
  return Decimal.ofScaled(drops, XRP_DIGITS);
}
