import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientOptions } from '../../src/platform/database/pool.ts';
import { BATCH_COMMIT, type Fault, type Target } from '../faults/faults.ts';
import { Account } from './account.ts';
import { checkStored } from './checks.ts';
import { seconds } from './figures.ts';
import { MarketPrice } from './market-price.ts';
import { ProxiedServers } from './proxied-servers.ts';
import { repeatableCalls, type RepeatableCall } from './repeatable-calls.ts';

export interface DuplicatesOptions {
  /** How often each call is tried in each way. */
  readonly rounds: number;
  /** How often each is sent at the same time. */
  readonly copies: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface DuplicatesReport {
  /** Calls by distinct key, and all that were sent for them. */
  readonly keys: number;
  readonly sent: number;
  readonly problems: readonly string[];
}

const RATE_PAUSE_MS = 300;

/** What happens between the first time a call is sent and the next. */
type Between = Fault | 'nothing' | 'restart';

const BETWEEN: Readonly<Record<string, Between>> = {
  nothing: 'nothing',
  'an orderly restart': 'restart',
  'a kill between commit and answer': { kind: 'silenceAfter' },
  'a kill before the commit': { kind: 'silenceBefore' },
};

/**
 * Sends calls with the same request id many times: at once, after a restart, after the server was killed
 * between the commit and the answer, and with another input. Each has one effect and one answer.
 */
export async function runDuplicates(options: DuplicatesOptions): Promise<DuplicatesReport> {
  const proxied = await ProxiedServers.prepare(1);
  try {
    return await new DuplicatesRun(proxied, options).report();
  } finally {
    await proxied.close();
  }
}

class DuplicatesRun {
  private readonly proxied: ProxiedServers;
  private readonly options: DuplicatesOptions;
  private readonly problems: string[] = [];
  private readonly price: MarketPrice;
  private keys = 0;
  private sent = 0;

  constructor(proxied: ProxiedServers, options: DuplicatesOptions) {
    this.proxied = proxied;
    this.options = options;
    this.price = new MarketPrice([proxied.servers[0]!.url]);
  }

  async report(): Promise<DuplicatesReport> {
    const server = this.proxied.servers[0]!;
    const { rounds, seed, say } = this.options;
    say(`first start ${seconds(await server.start())}`);
    await this.price.start();
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const account = await Account.open([server.url], seed * 100 + round);
        for (const [name, between] of Object.entries(BETWEEN)) {
          for (const call of await repeatableCalls(account, this.price.value)) {
            await this.tryCall(call, between).catch((cause: unknown) => {
              this.problems.push(`${call.name}, ${name}: ${String(cause)}`);
            });
          }
          say(`${round} ${name}: ${this.keys} keys, sent ${this.sent} times`);
        }
      }
    } finally {
      this.price.stop();
    }
    const checked = await checkStored(this.proxied.database.connection, [], { isFinal: true });
    return { keys: this.keys, sent: this.sent, problems: [...this.problems, ...checked.problems] };
  }

  /** Sends a call, lets something happen, sends it again many times at once, and once more with another input. */
  private async tryCall(call: RepeatableCall, between: Between): Promise<void> {
    const clientId = randomUUID();
    this.keys += 1;
    const first = await this.sendFirst(call, clientId, between);
    const copies = Array.from({ length: this.options.copies }, () => this.send(call, clientId));
    const answers = [...(first === undefined ? [] : [first]), ...(await Promise.all(copies))];
    const different = new Set(answers);
    if (different.size !== 1) throw new Error(`${different.size} answers: ${[...different].join(' | ')}`);
    const effects = await this.effects(call, clientId);
    if (effects !== call.effects) throw new Error(`${effects} effects instead of ${call.effects}`);
    const other = await call.sendOther(clientId);
    if (other.errKey !== 'l.duplicate_key') throw new Error(`another input was answered with ${other.text}`);
  }

  /** Gives the first answer, if there is one before what happens. */
  private async sendFirst(
    call: RepeatableCall,
    clientId: string,
    between: Between,
  ): Promise<string | undefined> {
    const server = this.proxied.servers[0]!;
    if (between === 'nothing') return undefined;
    if (between === 'restart') {
      const answer = await this.send(call, clientId);
      await server.stop();
      await server.start();
      return answer;
    }
    const struck = this.proxied.proxies[0]!.strike(between, batchWith(clientId)).then(
      () => 'struck' as const,
    );
    let lost = call.sendOnce(clientId);
    // Whoever sends so much is told to wait a little, before anything is done.
    while ((await Promise.race([struck, lost])) !== 'struck') {
      await sleep(RATE_PAUSE_MS);
      lost = call.sendOnce(clientId);
    }
    await server.killServer();
    // With the process its end of the line is gone, of which the database hears.
    this.proxied.proxies[0]!.cutAll();
    if ((await lost) !== undefined) throw new Error('the first request was answered');
    await server.start();
    return undefined;
  }

  private async send(call: RepeatableCall, clientId: string): Promise<string> {
    this.sent += 1;
    const { code, data, text } = await call.send(clientId);
    return code === 1 ? JSON.stringify(data) : text;
  }

  private async effects({ counted }: RepeatableCall, clientId: string): Promise<number> {
    const client = new pg.Client(clientOptions(this.proxied.database.connection, 'reliability checks'));
    await client.connect();
    try {
      const { rows } = await client.query<{ count: bigint }>(counted.sql, [counted.of ?? clientId]);
      return Number(rows[0]!.count);
    } finally {
      await client.end();
    }
  }
}

/** The commit of the batch that has this request in it. */
function batchWith(clientId: string): Target {
  return {
    application: BATCH_COMMIT.application,
    isMeant: (request, inTransaction) =>
      BATCH_COMMIT.isMeant(request, inTransaction) && request.bytes.includes(clientId),
  };
}
