import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelAllOrders } from '@exchange/wire/spot.ts';
import type { DatabaseConnection } from '../../src/platform/database/pool.ts';
import { openAccounts, type Account } from './account.ts';
import { checkStored, openCounts, type CheckReport } from './checks.ts';
import { copyFacts } from './acknowledged-facts.ts';
import { MarketPrice } from './market-price.ts';
import { Trader } from './trader.ts';

export interface FloorOptions {
  readonly traders: number;
  readonly seed: number;
  /** Mean pause in milliseconds of a trader between two requests. */
  readonly paceMs: number;
}

const LAST_ANSWERS_MS = 30_000;

/**
 * Traders who trade while their servers are disturbed, and checks that compare the acknowledged results with the stored
 * data.
 */
export class TradingFloor {
  /** Problems found by all checks. */
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

  /** Registers the traders at the first URL and starts trading. */
  static async open(
    urls: readonly string[],
    connection: () => DatabaseConnection,
    { traders, seed, paceMs }: FloorOptions,
  ): Promise<TradingFloor> {
    const price = new MarketPrice(urls);
    await price.start();
    const [probe, ...accounts] = await openAccounts(urls, traders + 1, seed);
    const traderClients = accounts.map((account) => new Trader(account, paceMs));
    return new TradingFloor(connection, price, traderClients, probe!);
  }

  /** Compares all results that the server has acknowledged so far with the stored data. Trading continues meanwhile. */
  async check(label: string): Promise<CheckReport> {
    return this.compare(label, false);
  }

  /**
   * Resolves when the server has executed a cancel-all command of an account without orders. The health check would not
   * be sufficient, because the server may not have detected a dead database connection yet.
   */
  async waitForAnswer(): Promise<void> {
    await this.probe.request(cancelAllOrders, { clientId: randomUUID() });
  }

  get retries(): number {
    return this.traders.reduce((sum, { account }) => sum + account.retries, 0);
  }

  /**
   * Stops trading, cancels all open orders, and compares all results with the stored data. Also reports a problem if
   * more orders of a trader are cancelled than the database listed as open, or if an order stays open in the database.
   */
  async close(): Promise<CheckReport> {
    for (const trader of this.traders) trader.stop();
    const isAnswered = await Promise.race([
      Promise.all(this.trading).then(() => true),
      sleep(LAST_ANSWERS_MS, false, { ref: false }),
    ]);
    this.price.stop();
    if (!isAnswered) this.problems.push(`after ${LAST_ANSWERS_MS} ms somebody still waited for an answer`);
    for (const trader of this.traders) {
      const stored = (await openCounts(this.connection())).get(trader.account.id) ?? 0;
      const cancelled = await trader.cancelAll();
      // The trader may cancel fewer orders than the database listed as open, because the demo's market maker
      // may fill an order before it is cancelled.
      if (cancelled > stored) this.problems.push(`${cancelled} orders cancelled, ${stored} were stored`);
    }
    const remaining = await openCounts(this.connection());
    for (const { account } of this.traders)
      if (remaining.has(account.id))
        this.problems.push(`${remaining.get(account.id)} stored orders are in no book`);
    return this.compare('end', true);
  }

  /**
   * Stops trading without comparing the results, and ends the retries of running requests, for example after an error.
   */
  abandon(): void {
    this.price.stop();
    for (const trader of this.traders) {
      trader.stop();
      trader.account.close();
    }
    this.probe.close();
  }

  private async compare(label: string, isFinal: boolean): Promise<CheckReport> {
    const checked = await checkStored(this.connection(), copyFacts(this.traders), { isFinal });
    this.problems.push(...checked.problems.map((problem) => `${label}: ${problem}`));
    return checked;
  }
}
