import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as spot from '@exchange/wire/spot.ts';
import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../../src/platform/database/pool.ts';
import { openAccounts } from './account.ts';
import { BankClient } from './bank-client.ts';
import { checkStored } from './checks.ts';
import { seconds } from './figures.ts';
import { MarketPrice } from './market-price.ts';
import { randomCommand } from './random-command.ts';
import { ServerProcess } from './server-process.ts';

export interface BankOptions {
  readonly clients: number;
  readonly forMs: number;
  /** Mean pause in milliseconds of a client between two commands. */
  readonly paceMs: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface BankReport {
  /** Number of commands by the server's response: `ok` for an accepted one, otherwise the key of the refusal. */
  readonly answers: ReadonlyMap<string, number>;
  readonly fills: number;
  /** Number of stop orders that were triggered. */
  readonly triggered: number;
  /** Number of times that the programme summed all ledger accounts. */
  readonly sums: number;
  readonly problems: readonly string[];
}

const SUM_EVERY_MS = 1_000;
const COMPARE_CONCURRENCY = 5;

/**
 * Runs many users who send random commands and compute their balances from the feed. Every second the programme sums
 * all ledger accounts. At the end every list of the server must agree with the users' computed balances, and the audit
 * must pass.
 */
export async function runBank(options: BankOptions): Promise<BankReport> {
  const server = await ServerProcess.prepare();
  try {
    options.say(`first start ${seconds(await server.start())}`);
    return await new BankRun(server, options).report();
  } finally {
    await server.close();
  }
}

class BankRun {
  private readonly server: ServerProcess;
  private readonly options: BankOptions;
  private readonly price: MarketPrice;
  private readonly problems: string[] = [];
  private clients: readonly BankClient[] = [];
  private readonly answers = new Map<string, number>();
  private sums = 0;

  constructor(server: ServerProcess, options: BankOptions) {
    this.server = server;
    this.options = options;
    this.price = new MarketPrice([server.url]);
  }

  async report(): Promise<BankReport> {
    const { clients, seed, forMs, say } = this.options;
    const { url, connection } = this.server;
    await this.price.start();
    try {
      const accounts = await openAccounts([url], clients, seed);
      this.clients = await Promise.all(accounts.map((account) => BankClient.open(url, account)));
      const untilMs = performance.now() + forMs;
      await Promise.all([
        this.sumUntil(untilMs, connection),
        ...this.clients.map((client) => this.commandUntil(untilMs, client)),
      ]);
      say('comparing');
      await this.compare();
      for (const { account } of this.clients)
        await account.request(spot.cancelAllOrders, { clientId: randomUUID() });
      await this.compare();
      for (const client of this.clients)
        if (client.open.length > 0)
          this.problems.push(`${client.open.length} orders are open after all was cancelled`);
      const checked = await checkStored(connection, [], { isFinal: true });
      const fills = this.clients.reduce((sum, { feed }) => sum + feed.fills.size, 0);
      const problems = [...this.problems, ...checked.problems];
      return { answers: this.answers, fills, triggered: checked.triggered, sums: this.sums, problems };
    } finally {
      this.price.stop();
      for (const { feed } of this.clients) feed.close();
    }
  }

  private async commandUntil(untilMs: number, client: BankClient): Promise<void> {
    const { random } = client.account;
    const { paceMs } = this.options;
    while (performance.now() < untilMs) {
      await sleep(random.whole(paceMs / 2, paceMs * 1.5));
      try {
        this.count(await randomCommand(client, this.price.value));
      } catch (cause) {
        // The client's error is added to the problems that the programme returns. The other clients continue.
        this.problems.push(`${client.account.email}: ${String(cause)}`);
      }
    }
  }

  private count(answer: string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }

  private async sumUntil(untilMs: number, connection: DatabaseConnection): Promise<void> {
    const client = new pg.Client(clientOptions(connection, 'reliability checks'));
    await client.connect();
    try {
      while (performance.now() < untilMs) {
        const { rows } = await client.query<{ asset: string; total: string; least: string }>(
          `select asset, sum(balance)::text as total,
             min(balance) filter (where address not like 'world:%')::text as least
           from ledger_account group by asset having sum(balance) <> 0
             or min(balance) filter (where address not like 'world:%') < 0`,
        );
        for (const { asset, total, least } of rows)
          this.problems.push(`all ${asset} sum to ${total}, the least account has ${least}`);
        this.sums += 1;
        await sleep(SUM_EVERY_MS);
      }
    } finally {
      await client.end();
    }
  }

  private async compare(): Promise<void> {
    for (let first = 0; first < this.clients.length; first += COMPARE_CONCURRENCY) {
      const group = this.clients.slice(first, first + COMPARE_CONCURRENCY);
      for (const differences of await Promise.all(group.map((client) => client.differences())))
        this.problems.push(...differences);
    }
  }
}
