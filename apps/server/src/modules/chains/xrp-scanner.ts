import type { Database } from '../../platform/database/database.ts';
import { seenBlocks, type SeenBlock } from './block-repository.ts';
import { arrivalsIn, hasLedgers, outcomesOf, XRP, type XrpTransaction } from './xrp-domain.ts';
import type { XrpNode, XrpState } from './xrp-node.ts';
import { storeLedgers } from './xrp-repository.ts';

/**
 * Number of newest ledgers whose hashes stay stored. A scan that has further ledgers to read compares the
 * newest stored hash with the node's, and fails if they differ.
 */
const LEDGERS_STORED = 256;
/**
 * `ROUND_LEDGERS`: greatest number of ledgers that one scan reads. `ROUND_PAGES`: number of transaction pages
 * of one account after which the scan ends with an earlier ledger, unless all of them belong to its first
 * ledger.
 */
const ROUND_LEDGERS = 5_000;
const ROUND_PAGES = 10;
/**
 * Greatest number of transaction pages of one account that are read of a single ledger; it is higher than the
 * number that a ledger can fill.
 */
const LEDGER_PAGES = 200;

interface Parts {
  readonly networkId: number;
  /** Address of the exchange's account that receives deposits and pays withdrawals. */
  readonly account: string;
  /** Addresses of all accounts of the exchange, including the one that receives deposits and pays. */
  readonly accounts: ReadonlySet<string>;
  /**
   * Number of the first ledger that is read with an empty database; if undefined, reading starts with the ledger after
   * the node's newest.
   */
  readonly startLedger: number | undefined;
  readonly node: XrpNode;
  readonly database: Pick<Database, 'store' | 'transaction'>;
}

/**
 * Reads the transactions of the exchange's accounts in validated ledgers without gaps: it continues only if the node
 * has all ledgers since the last one read, and if that ledger still has the same hash. The contents of validated
 * ledgers are final.
 */
export class XrpScanner {
  /** Number of the newest ledger that was read; 0 before `load` and the first scan. */
  height = 0;
  /** Number of the node's newest validated ledger at the last scan; 0 before the first scan. */
  head = 0;
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async round(): Promise<void> {
    const { node } = this.parts;
    const state = await this.state();
    this.head = state.ledger;
    const last = await this.cursor(state);
    this.height = last.number;
    // All ledgers of the node are read already. If another node had newer ledgers before, this node lags behind.
    if (state.ledger <= last.number) return;
    const range = { from: last.number + 1, to: Math.min(state.ledger, last.number + ROUND_LEDGERS) };
    this.requireLedgers(state, last.number, range.to);
    const hash = await node.hashAt(last.number);
    if (hash !== last.hash)
      throw new Error(
        `the ledger ${last.number} of the node is ${hash ?? 'unknown'}, not ${last.hash}: it is on another network, or it lies`,
      );
    const { transactions, to } = await this.read(range);
    // The node's ledgers are checked again after reading, because the node may have deleted old ledgers meanwhile.
    this.requireLedgers(await this.state(), last.number, to);
    const newHash = await node.hashAt(to);
    if (newHash === undefined) throw new Error(`the node has no ledger ${to}`);
    await this.store({ number: to, hash: newHash }, transactions);
  }

  async load(): Promise<void> {
    this.height = (await this.lastRead())?.number ?? 0;
  }

  private async lastRead(): Promise<SeenBlock | undefined> {
    return (await seenBlocks(this.parts.database.store, XRP, 1))[0];
  }

  private async state(): Promise<XrpState> {
    const { node, networkId } = this.parts;
    const state = await node.state();
    if (state.networkId !== networkId)
      throw new Error(`the node is on the network ${state.networkId}, not ${networkId}`);
    return state;
  }

  private requireLedgers({ complete }: XrpState, from: number, to: number): void {
    if (!hasLedgers(complete, from, to))
      throw new Error(
        `the node has the ledgers ${complete || 'none'}, and ${from} to ${to} are needed without a gap`,
      );
  }

  private async cursor({ ledger }: XrpState): Promise<SeenBlock> {
    const { node, startLedger } = this.parts;
    const last = await this.lastRead();
    if (last !== undefined) return last;
    const number = Math.max(1, (startLedger ?? ledger + 1) - 1);
    const hash = await node.hashAt(number);
    if (hash === undefined) throw new Error(`the node has no ledger ${number}`);
    return this.store({ number, hash }, []);
  }

  /**
   * The transactions of all accounts in a range of ledgers, oldest ledger first, each once, and `to`, the
   * last ledger that was read completely. If there are too many, the range ends earlier, with a ledger of
   * which all transactions were read. Throws if one ledger has more than `LEDGER_PAGES` pages.
   */
  private async read(range: { readonly from: number; readonly to: number }) {
    const found = new Map<string, XrpTransaction>();
    let { to } = range;
    for (const account of this.parts.accounts) {
      let marker: unknown;
      for (let pages = 1; ; pages += 1) {
        const page = await this.parts.node.transactions(account, { from: range.from, to, marker });
        for (const transaction of page.transactions) found.set(transaction.txid, transaction);
        ({ marker } = page);
        if (marker === undefined) break;
        if (pages === LEDGER_PAGES) throw new Error(`the node has no end of transactions of ${account}`);
        const lastLedger = page.transactions.at(-1)?.ledger ?? range.from;
        if (pages < ROUND_PAGES || lastLedger === range.from) continue;
        to = lastLedger - 1;
        break;
      }
    }
    const transactions = [...found.values()]
      .filter(({ ledger }) => ledger <= to)
      .toSorted((left, right) => left.ledger - right.ledger);
    return { transactions, to };
  }

  private async store(last: SeenBlock, transactions: readonly XrpTransaction[]): Promise<SeenBlock> {
    const { database, accounts, account } = this.parts;
    const arrivals = transactions.flatMap((transaction) =>
      arrivalsIn(transaction, accounts).map((arrival) => ({ ...arrival, block: transaction.ledger })),
    );
    const outcomes = outcomesOf(transactions, account);
    await database.transaction((tx) => storeLedgers(tx, last, { arrivals, outcomes }, LEDGERS_STORED));
    this.height = last.number;
    return last;
  }
}
