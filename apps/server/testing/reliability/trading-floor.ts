import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelAllOrders } from '@exchange/wire/spot.ts';
import type { DatabaseConnection } from '../../src/platform/database/pool.ts';
import { openAccounts, type Account } from './account.ts';
import { checkStored, openCounts, type Checked } from './checks.ts';
import { heardSoFar } from './heard.ts';
import { MarketPrice } from './market-price.ts';
import { Trader } from './trader.ts';

export interface FloorOptions {
  readonly traders: number;
  readonly seed: number;
  /** The average pause of a trader between two requests. */
  readonly paceMs: number;
}

const LAST_ANSWERS_MS = 30_000;

/** Traders at work on servers that are being disturbed, and the comparison of what they heard with what is stored. */
export class TradingFloor {
  /** Every broken promise, of any check; empty when all were kept. */
  readonly problems: string[] = [];
  private readonly connection: () => DatabaseConnection;
  private readonly price: MarketPrice;
  private readonly traders: readonly Trader[];
  private readonly probe: Account;
  private readonly trading: readonly Promise<void>[];

  private constructor(
    connection: () => DatabaseConnection,
    price: MarketPrice,
    traders: readonly Trader[],
    probe: Account,
  ) {
    this.probe = probe;
    this.connection = connection;
    this.price = price;
    this.traders = traders;
    this.trading = traders.map((trader) =>
      trader.trade(() => price.value).catch((cause: unknown) => void this.problems.push(String(cause))),
    );
  }

  /** Registers the traders at the first of the addresses and lets them begin. */
  static async open(
    urls: readonly string[],
    connection: () => DatabaseConnection,
    { traders, seed, paceMs }: FloorOptions,
  ): Promise<TradingFloor> {
    const price = new MarketPrice(urls);
    await price.start();
    const [probe, ...accounts] = await openAccounts(urls, traders + 1, seed);
    const atWork = accounts.map((account) => new Trader(account, paceMs));
    return new TradingFloor(connection, price, atWork, probe!);
  }

  /** Compares all that was acknowledged until now with what is stored; the traders go on. */
  async check(when: string): Promise<Checked> {
    return this.compare(when, false);
  }

  /**
   * Resolves once a command that moves money is answered, which says more than that the server is up: it may
   * not know yet that the line to its database is dead.
   */
  async answersAgain(): Promise<void> {
    await this.probe.ask(cancelAllOrders, { clientId: randomUUID() });
  }

  get retries(): number {
    return this.traders.reduce((sum, { account }) => sum + account.retries, 0);
  }

  /** Lets everybody finish, and lets them cancel what they know to be open: memory must know the same orders. */
  async close(): Promise<Checked> {
    for (const trader of this.traders) trader.stop();
    const isAnswered = await Promise.race([
      Promise.all(this.trading).then(() => true),
      sleep(LAST_ANSWERS_MS, false, { ref: false }),
    ]);
    this.price.stop();
    if (!isAnswered) this.problems.push(`after ${LAST_ANSWERS_MS} ms somebody still waited for an answer`);
    for (const trader of this.traders) {
      const stored = (await openCounts(this.connection())).get(trader.account.id) ?? 0;
      const cancelled = await trader.leave();
      // The house may trade with an order between the two.
      if (cancelled > stored) this.problems.push(`${cancelled} orders cancelled, ${stored} were stored`);
    }
    const left = await openCounts(this.connection());
    for (const { account } of this.traders)
      if (left.has(account.id)) this.problems.push(`${left.get(account.id)} stored orders are in no book`);
    return this.compare('end', true);
  }

  /** Ends the trading at once, also when something has thrown. */
  abandon(): void {
    this.price.stop();
    for (const trader of this.traders) {
      trader.stop();
      trader.account.close();
    }
    this.probe.close();
  }

  private async compare(when: string, isFinal: boolean): Promise<Checked> {
    const checked = await checkStored(this.connection(), heardSoFar(this.traders), { isFinal });
    this.problems.push(...checked.problems.map((problem) => `${when}: ${problem}`));
    return checked;
  }
}
