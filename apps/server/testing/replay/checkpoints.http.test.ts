import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { DAY_MS } from '@exchange/core/time.ts';
import * as wire from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  replayFromCheckpoint,
  type ReplayedFromCheckpoint,
} from '../../src/commands/replay/from-checkpoint.ts';
import { limit, place } from '../../src/modules/spot/testing/orders.ts';
import { CHECKPOINT_PARTS, MONEY_MODULES } from '../../src/money.ts';
import { Checkpoints, checkpointsIn, partFile } from '../../src/platform/checkpoint/checkpoints.ts';
import { databaseOver } from '../../src/platform/database/database.ts';
import { inSnapshot } from '../../src/platform/database/snapshot.ts';
import { openServerSecret, type ServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { signingKeyOf } from '../../src/platform/secrets/signing-key.ts';
import { stepIdSecret } from '../../src/platform/sequencer/step-ids.ts';
import { commitSeed, isSelectedByCommit } from '../../../../tools/test-form.ts';
import { rootDirectory } from '../../src/platform/root-directory.ts';
import { withRuntimeRole, testDatabase, urlOf } from '../database.ts';
import { anExchange, type TestExchange } from '../exchange.ts';
import { requireBuiltServer } from '../reliability/built-server.ts';
import { seededRandom } from '../seeded-random.ts';
import { recordingLog } from '../recording-log.ts';
import { tradeEverything } from './everything.ts';

describe('a replay from a checkpoint', () => {
  let exchange: TestExchange;
  let secret: ServerSecret;
  let folder: string;
  const steps: number[] = [];

  beforeAll(async () => {
    exchange = await anExchange();
    secret = await openServerSecret({ dataDirectory: exchange.dataDirectory });
    folder = checkpointsIn(exchange.dataDirectory);
    await tradeEverything(exchange, async () => {
      await tradeAtRandom(exchange);
      steps.push((await exchange.doors.checkpoints.make())!);
    });
    await tradeAtRandom(exchange);
  });

  afterAll(() => exchange.close());

  /** Replays the journal from a checkpoint, by default the newest, into a new database. */
  async function replay(step?: number): Promise<ReplayedFromCheckpoint> {
    const target = await testDatabase();
    try {
      return await inSnapshot(exchange.doors.database.reader, (source) =>
        replayFromCheckpoint({
          source,
          target: { connection: target.connection, database: databaseOver(target.pool) },
          secret: stepIdSecret(secret),
          signingKey: signingKeyOf(secret),
          checkpoints: folder,
          step: step,
          log: recordingLog(),
        }),
      );
    } finally {
      await target.drop();
    }
  }

  /** Changes a database row, calls `use`, and reverts the change. Only the owner of the tables can change such rows. */
  async function withTampering(
    { table, change, back }: { table: string; change: string; back: string },
    use: () => Promise<void>,
  ): Promise<void> {
    const { pool } = exchange.database;
    await pool.query(`alter table ${table} disable trigger user`);
    await pool.query(change);
    try {
      await use();
    } finally {
      await pool.query(back);
      await pool.query(`alter table ${table} enable trigger user`);
    }
  }

  it('REPLAY-970 from each checkpoint reaches the signed content of the later checkpoints and the same final state', async () => {
    expect(steps).toHaveLength(3);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    // In the short form of the tests the current Git commit selects one of the three checkpoints for the replay. In the
    // long form all three are used. In both forms a replay without a named checkpoint must start from the newest one.
    for (const [index, step] of steps.entries()) {
      if (!isSelectedByCommit(index, 3)) continue;
      const replayed = await replay(step);
      expect(replayed.problems).toEqual([]);
      expect(replayed).toMatchObject({ from: step, compared: steps.slice(index + 1) });
      expect(replayed.steps).toBeGreaterThan(0);
    }
    expect((await replay()).from).toBe(steps.at(-1));
  });

  it('REPLAY-971 names a checkpoint whose manifest, signature or rows were changed, and loads none of its data', async () => {
    const [first] = steps;
    const manifest = (replacement: string) =>
      `update replay_checkpoint set manifest = replace(manifest, ${replacement}) where step = ${first}`;
    await withTampering(
      {
        table: 'replay_checkpoint',
        change: manifest(`'"format":1', '"format": 1'`),
        back: manifest(`'"format": 1', '"format":1'`),
      },
      async () => {
        await expect(replay(first)).rejects.toThrow(`checkpoint ${first}: the signature does not belong`);
      },
    );
    const accounts = CHECKPOINT_PARTS.findIndex(({ table }) => table === 'ledger_account');
    const file = partFile(join(folder, String(first)), accounts);
    const rows = await readFile(file);
    // The test changes the uncompressed text of the checkpoint's file, because a changed bit of the compressed file may
    // have no effect on the text.
    const text = gunzipSync(rows).toString();
    await writeFile(file, gzipSync(text.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10))));
    await expect(replay(first)).rejects.toThrow(`checkpoint ${first}: the rows of "ledger_account"`);
    await writeFile(file, rows);
    expect((await replay(first)).problems).toEqual([]);
  });

  it('REPLAY-972 names the steps whose journal differs from the signed one', async () => {
    const [first, second] = steps as [number, number, number];
    const journal = (from: string, to: string) =>
      `update step_journal set steps = regexp_replace(steps, '^${from}', '${to}')
       where sequence = (select min(sequence) from step_journal where sequence > ${first})`;
    await withTampering(
      {
        table: 'step_journal',
        change: journal(String.raw`\[`, '[ '),
        back: journal(String.raw`\[ `, '['),
      },
      async () => {
        const { problems } = await replay(first);
        expect(problems).toContain(
          `checkpoint ${second}: the journal of the steps ${first + 1} to ${second} is not what was signed`,
        );
      },
    );
  });

  it('REPLAY-973 names a balance, an order and a trade that were changed without a step', async () => {
    const account = `ledger_account set balance = balance`;
    await withTampering(
      {
        table: 'ledger_account',
        change: `update ${account} + 1 where id = 1`,
        back: `update ${account} - 1 where id = 1`,
      },
      async () => expect((await replay()).problems).toEqual([expect.stringContaining('"ledger_account"')]),
    );
    const order = `(select id from spot_order where status <> 'open' and rank > ${steps.at(-1)} order by id limit 1)`;
    await withTampering(
      {
        table: 'spot_order',
        change: `update spot_order set fee = fee + 1 where id = ${order}`,
        back: `update spot_order set fee = fee - 1 where id = ${order}`,
      },
      async () =>
        expect((await replay()).problems).toEqual([
          expect.stringMatching(/^spot_order [0-9a-f-]{36} is not/),
        ]),
    );
  });

  /**
   * Runs a built command on the exchange's data folder and database. Resolves to its exit code and output. A command
   * takes about a second to start, so in the short form of the tests only one third of the commands run, selected by
   * the current Git commit.
   */
  async function command(
    script: 'replay' | 'drill',
    options: readonly string[],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly code: number; readonly out: string; readonly errors: string }> {
    const { connection } = exchange.database;
    const env = {
      ...process.env,
      DATABASE_URL: urlOf(withRuntimeRole(connection)),
      DATABASE_OWNER_URL: urlOf(connection),
      DATA_DIR: exchange.dataDirectory,
      MODE: 'demo',
      ...settings,
    };
    requireBuiltServer();
    const program = join(rootDirectory, `apps/server/dist/${script}.js`);
    const child = spawn(process.execPath, [program, ...options], { cwd: rootDirectory, env });
    const [out, errors] = [child.stdout, child.stderr].map((stream) => streamText(stream));
    const [code] = (await once(child, 'close')) as [number];
    return { code, out: await out!, errors: await errors! };
  }

  const [TESTS_DEFAULT, TESTS_NAMED, TESTS_DRILL] = [0, 1, 2].map((index) =>
    isSelectedByCommit(index, 3),
  ) as [boolean, boolean, boolean];

  it('REPLAY-1062 npm starts the sources of the same commands', async () => {
    const { scripts } = JSON.parse(await readFile(join(rootDirectory, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    for (const script of ['replay', 'drill'])
      expect(scripts[script]).toBe(`tsx apps/server/src/commands/${script}.ts`);
  });

  it.runIf(TESTS_DEFAULT)(
    'REPLAY-1062 the replay command starts from the newest checkpoint by default',
    async () => {
      const replayed = await command('replay', ['--from-checkpoint']);
      expect(replayed).toMatchObject({ code: 0, errors: '' });
      expect(replayed.out).toMatch(
        new RegExp(String.raw`^\d+ steps replayed, from checkpoint ${steps.at(-1)!} to step \d+$`, 'm'),
      );
      expect(replayed.out).toContain('The replay gives the same state.');
    },
  );

  it.runIf(TESTS_NAMED)('REPLAY-1062 the replay command starts from a named checkpoint', async () => {
    const named = await command('replay', [`--from-checkpoint=${steps[1]}`]);
    expect(named).toMatchObject({ code: 0, errors: '' });
    expect(named.out).toContain(`from checkpoint ${steps[1]} to step`);
    expect(named.out).toContain(`compared with checkpoint ${steps.at(-1)!}\n`);
  });

  it.runIf(TESTS_DRILL)(
    'REPLAY-1062 the drill command replays from a checkpoint and reports its results',
    async () => {
      const drillFolder = mkdtempSync(join(tmpdir(), 'amethyst-drill-'));
      try {
        const drilled = await command('drill', [drillFolder, '--from-checkpoint']);
        expect(drilled).toMatchObject({ code: 0, errors: '' });
        expect(drilled.out).toMatch(/^\d+ rows restored, \d+ entries audited, \d+ steps replayed\.$/m);
        expect(drilled.out).toContain('The backup holds the exchange as it was.');
      } finally {
        rmSync(drillFolder, { recursive: true });
      }
    },
  );

  it.runIf(TESTS_NAMED)(
    'REPLAY-1063 the replay command refuses a damaged checkpoint with one sentence',
    async () => {
      const newest = steps.at(-1)!;
      const file = partFile(
        join(folder, String(newest)),
        CHECKPOINT_PARTS.findIndex(({ table }) => table === 'ledger_account'),
      );
      const rows = await readFile(file);
      const changed = Buffer.from(rows);
      changed[Math.floor(changed.length / 2)]! ^= 1;
      await writeFile(file, changed);
      try {
        const damaged = await command('replay', ['--from-checkpoint']);
        expect(damaged).toMatchObject({ code: 1, out: '' });
        expect(damaged.errors).toMatch(
          new RegExp(`^checkpoint ${newest}: the rows of "ledger_account"[^\n]*\n$`),
        );
      } finally {
        await writeFile(file, rows);
      }
    },
  );

  it.runIf(TESTS_DEFAULT)(
    'REPLAY-1063 the replay command refuses a checkpoint signed with another key',
    async () => {
      const otherKey = {
        SERVER_SECRET: '5'.repeat(64),
        DATA_DIR: mkdtempSync(join(tmpdir(), 'amethyst-key-')),
      };
      try {
        await cp(folder, checkpointsIn(otherKey.DATA_DIR), { recursive: true });
        const refused = await command('replay', ['--from-checkpoint'], otherKey);
        expect(refused).toMatchObject({ code: 1, out: '' });
        expect(refused.errors).toMatch(
          new RegExp(`^checkpoint ${steps.at(-1)!}: the signature does not belong[^\n]*\n$`),
        );
      } finally {
        rmSync(otherKey.DATA_DIR, { recursive: true });
      }
    },
  );

  it.runIf(TESTS_DRILL)('REPLAY-1063 the replay command refuses an invalid option', async () => {
    const unknown = await command('replay', ['--from-checkpoint=last']);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.errors).toBe('--from-checkpoint takes the step of a checkpoint, not "last"\n');
  });

  it('REPLAY-974 an incomplete checkpoint is made again, and a missing checkpoint is reported', async () => {
    const { pool } = exchange.database;
    const { rows } = await pool.query<{ sequence: string }>('select sequence::text from writer');
    const next = rows[0]!.sequence;
    // Simulates what killed processes leave behind: a folder with some rows of a checkpoint, and a complete folder of a
    // checkpoint that the database does not list.
    await mkdir(join(folder, `${next}.unfinished`));
    await writeFile(partFile(join(folder, `${next}.unfinished`), 0), 'half of');
    await mkdir(join(folder, next));
    await writeFile(partFile(join(folder, next), 0), 'nobody knows of it');
    expect(await exchange.doors.checkpoints.make()).toBe(Number(next));
    expect(readdirSync(folder).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
    const folders = readdirSync(folder);
    expect(await exchange.doors.checkpoints.make()).toBeUndefined();
    // No step was executed since the last checkpoint, so no checkpoint is made, and the oldest one is not deleted.
    expect(readdirSync(folder)).toEqual(folders);
    expect((await replay(Number(next))).problems).toEqual([]);
    await expect(replay(1)).rejects.toThrow('there is no checkpoint 1');
    // Only the three newest checkpoints have row files.
    expect(existsSync(join(folder, String(steps[0])))).toBe(false);
    await expect(replay(steps[0])).rejects.toThrow('are missing');
  });

  it('REPLAY-975 is due after a number of steps, or after a day with at least one step', async () => {
    const make = async (stepsMax: number, now: number) => {
      const { pool } = exchange.database;
      const count = async () =>
        (await pool.query<{ count: bigint }>('select count(*) from replay_checkpoint')).rows[0]!.count;
      const countBefore = await count();
      const checkpoints = new Checkpoints({
        reader: pool,
        pool,
        folder,
        parts: CHECKPOINT_PARTS,
        signingKey: signingKeyOf(secret),
        clock: { now: () => now as never, monotonicMs: () => 0 },
        log: recordingLog(),
        stepsMax,
      });
      await checkpoints.makeDue();
      return (await count()) > countBefore;
    };
    const now = exchange.clock.now();
    expect(await make(1, now)).toBe(false);
    await tradeAtRandom(exchange);
    expect(await make(1_000, now)).toBe(false);
    expect(await make(1, now)).toBe(true);
    await tradeAtRandom(exchange);
    expect(await make(1_000, now + DAY_MS)).toBe(true);
    expect(await make(1_000, now + 2 * DAY_MS)).toBe(false);
  });

  it('REPLAY-976 contains every table that a replay rebuilds', () => {
    const tables = new Set(CHECKPOINT_PARTS.map(({ table }) => table));
    const parts = { ledger: exchange.doors.ledger, database: exchange.doors.database, pairs: [], coins: [] };
    const replayedTables = MONEY_MODULES.flatMap(({ replay: replayOf }) =>
      Object.values(replayOf(parts as never).state),
    ).map((query) => / from (\w+)/.exec(query)![1]!);
    // Steps write the table of amendments but never read it, so a checkpoint need not contain it.
    expect(replayedTables.filter((table) => !tables.has(table) && table !== 'spot_amendment')).toEqual([]);
  });
});

/** Two traders place orders around one price, cancel some of them, and trade with each other. */
async function tradeAtRandom(exchange: TestExchange): Promise<void> {
  const random = seededRandom(commitSeed);
  const traders = [
    await exchange.aUser({ USDT: '100000', ETH: '60' }),
    await exchange.aUser({ USDT: '100000', ETH: '60' }),
  ];
  for (let index = 0; index < 20; index += 1) {
    const trader = traders[random.whole(0, 1)]!;
    const side = random.whole(0, 1) === 0 ? 'buy' : 'sell';
    const price = String(2_490 + random.whole(0, 20));
    const { id } = await place(trader, limit(side, price, `0.${random.whole(1, 9)}`, { baseCoin: 'ETH' }));
    if (random.whole(0, 3) === 0) await trader.call(wire.cancelOrder, { id });
  }
}
