import { randomUUID } from 'node:crypto';
import * as spot from '@exchange/wire/spot.ts';
import { openAccounts } from './account.ts';
import { BankClient } from './bank-client.ts';
import { checkStored } from './checks.ts';
import { seconds } from './figures.ts';
import { MarketPrice } from './market-price.ts';
import { randomCommand } from './random-command.ts';
import { ServerProcess } from './server-process.ts';

export interface RacesOptions {
  readonly rounds: number;
  /**
   * Number of users; all take part in every round. The commands of each user compete for the same orders, and with the
   * trades of other users.
   */
  readonly clients: number;
  /** Number of commands that each user sends concurrently in each round. */
  readonly parallel: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface RacesReport {
  readonly commands: number;
  /** Number of orders whose cancellation was acknowledged. */
  readonly cancelled: number;
  /** Number of cancellations that the server refused because the order had ended already. */
  readonly late: number;
  readonly problems: readonly string[];
}

const RESTING = 6;

/**
 * Lets users place, cancel and amend orders and OCOs. In each round all users, and the `parallel` commands of each
 * user, run concurrently. After each round the holds, balances and lists must agree, and no order may have been
 * cancelled twice.
 */
export async function runRaces(options: RacesOptions): Promise<RacesReport> {
  const { rounds, clients: count, seed, say } = options;
  const server = await ServerProcess.prepare();
  const price = new MarketPrice([server.url]);
  const opened: BankClient[] = [];
  const totals = { commands: 0, cancelled: 0, late: 0, problems: [] as string[] };
  try {
    say(`first start ${seconds(await server.start())}`);
    await price.start();
    for (const account of await openAccounts([server.url], count, seed))
      opened.push(await BankClient.open(server.url, account));
    for (let round = 1; round <= rounds; round += 1) {
      const races = opened.map((client) => race(client, price.value, options.parallel));
      for (const { commands, cancelled, late, problems } of await Promise.all(races)) {
        totals.commands += commands;
        totals.cancelled += cancelled;
        totals.late += late;
        totals.problems.push(...problems.map((problem) => `round ${round}: ${problem}`));
      }
      const checked = await checkStored(server.connection, [], { isFinal: true });
      totals.problems.push(...checked.problems.map((problem) => `round ${round}: ${problem}`));
      say(`${round}: ${totals.commands} commands, ${totals.cancelled} cancelled, ${totals.late} too late`);
    }
    return totals;
  } finally {
    price.stop();
    for (const { feed } of opened) feed.close();
    await server.close();
  }
}

/**
 * Executes one round for one user: sends some random commands one after another and the others concurrently. Then
 * compares the balances computed from the feed with the server's, and reports orders that were cancelled twice.
 */
async function race(client: BankClient, price: number, parallel: number): Promise<RacesReport> {
  const { account } = client;
  const { random } = account;
  for (let index = 0; index < RESTING; index += 1) await randomCommand(client, price);
  const targets = client.open.map(({ id }) => id);
  const acknowledged = new Map<string, number>();
  let late = 0;
  const cancel = async (id: string): Promise<void> => {
    const { code } = await account.requestWithRetries(spot.cancelOrder, { id });
    if (code === 1) acknowledged.set(id, (acknowledged.get(id) ?? 0) + 1);
    else late += 1;
  };
  const commands = Array.from({ length: parallel }, (_, index): Promise<unknown> => {
    if (index % 8 === 7) return account.requestWithRetries(spot.cancelAllOrders, { clientId: randomUUID() });
    return index % 2 === 0 && targets.length > 0
      ? cancel(random.pick(targets))
      : randomCommand(client, price);
  });
  await Promise.all(commands);
  const problems = await client.differences();
  for (const [id, times] of acknowledged)
    if (times > 1) problems.push(`order ${id} was cancelled ${times} times`);
  return { commands: RESTING + parallel, cancelled: acknowledged.size, late, problems };
}
