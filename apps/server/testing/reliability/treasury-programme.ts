import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork, WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { depositAddress } from '@exchange/wire/deposit.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { vi } from 'vitest';
import { replaySteps } from '../../src/commands/replay/replay-steps.ts';
import { stateHashes } from '../../src/commands/replay/state-hashes.ts';
import { createSaver } from '../../src/modules/finance/testing/products.ts';
import { worldAddress } from '../../src/modules/ledger/index.ts';
import { databaseOver } from '../../src/platform/database/database.ts';
import { inSnapshot } from '../../src/platform/database/snapshot.ts';
import { openServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { readSigned } from '../../src/platform/signer/journal.ts';
import { stepIdSecret } from '../../src/platform/sequencer/step-ids.ts';
import { account, Anvil, ANVIL_CHAIN, testXpub } from '../anvil.ts';
import { testDatabase, urlOf, withRuntimeRole } from '../database.ts';
import { eventually } from '../eventually.ts';
import { TestExchange, type TestTrader } from '../exchange.ts';
import { markAddressKnown } from '../mark-address-known.ts';
import { recordingLog } from '../recording-log.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';
import { aSignerProcess } from '../test-signer.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import { PatientConsole } from './patient-console.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const CONFIRMATIONS = 3;
const BLOCK_MS = 1_500;
const COLD = 20;
const ETHER = 10n ** 18n;
const MICRO = 10n ** 6n;
const COIN_DIGITS = 18;
/** Number of decimals to which the exchange truncates the amount of an incoming transfer in the ledger. */
const ARRIVAL_DIGITS = 8;
const WORKERS = 8;
/**
 * Minimum number of users who make the withdrawals. The programme creates more users if the number of a
 * user's withdrawals in 24 hours would exceed the server's limit.
 */
const LEAST_SAVERS = 4;
/**
 * Lower bound, target and upper bound of the hot wallet's balance in coins. The wallet starts above the upper bound, so
 * that the surplus is transferred.
 */
const BOUNDS = 'ETH=40/60/90';
const HOT_START = 120n * ETHER;
const COLD_START = 1_000n * ETHER;
/** A base fee in wei. It is higher than the maximum fee of the transactions that are signed before it applies. */
const HIGH_BASE_FEE = 30_000_000_000n;
const BLOCKS_BETWEEN_HIGH_FEES = 12;
/**
 * Maximum milliseconds after the last kill within which every task must end. The replacement of a transaction with too
 * low a fee takes up to two minutes.
 */
const SETTLE_MS = 420_000;
const POLL_MS = 200;
/**
 * Maximum milliseconds for which a kill waits until the server is up. On a busy machine the server may not be up by
 * then; it is then killed during its start.
 */
const START_MS = 45_000;
const QUERY_ATTEMPTS = 10;
const MINUTE_MS = 60_000;
/** Stored status numbers of withdrawals that have ended. */
const FINISHED = 1;
const REJECTED = 2;
const RETURNED = 6;
const ENDS = [FINISHED, REJECTED, RETURNED];
const ROTATE = fileURLToPath(new URL('../../dist/rotate-secret.js', import.meta.url));

const WITHDRAWAL_KINDS = ['sent', 'returned', 'paid by hand', 'replaced', 'rejected'] as const;
type WithdrawalKind = (typeof WITHDRAWAL_KINDS)[number];

interface PlannedWithdrawal {
  readonly id: string;
  readonly kind: WithdrawalKind;
  readonly owner: TestTrader;
  readonly asset: 'ETH' | 'USDT';
  readonly address: string;
  /** The amount that the receiver gets, after the fee, in the coin's smallest unit. */
  readonly arrives: bigint;
}

export interface TreasuryOptions {
  readonly kills: number;
  readonly seed: number;
  readonly withdrawals: number;
  readonly say: (line: string) => void;
}

/**
 * Operators and outside payers move money through a built server and its signer on a test chain. Meanwhile server and
 * signer are killed at random times, and the server's secret is rotated. Calls without an answer are repeated. Nothing
 * is repaired by hand. At the end the chain and the ledger must agree to the smallest unit.
 */
export class TreasuryProgramme {
  private readonly options: TreasuryOptions;
  private readonly anvil: Anvil;
  private readonly token: string;
  private readonly signer: Awaited<ReturnType<typeof aSignerProcess>>;
  private readonly exchange: TestExchange;
  private readonly guard = guardedFolder().guard;
  /** Source of the random choices in the tasks of users and operators. */
  private readonly random: SeededRandom;
  /**
   * Source of the random choices of the kills. It is separate from that of the tasks, so that the number of choices in
   * the tasks does not change the kills.
   */
  private readonly fate: SeededRandom;
  private readonly savers: TestTrader[] = [];
  private readonly depositAddresses: string[] = [];
  private readonly planned: PlannedWithdrawal[] = [];
  /** Errors of the tasks of users and operators that failed, by the task's name. */
  private readonly stuck = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private operators: PatientConsole | undefined;
  /** Addresses outside the exchange to which operators sent arrived transfers back. */
  private readonly sentBackTo: string[] = [];
  /** Number of tasks started so far that return an incoming transfer to its sender, completed or not. */
  private backs = 0;
  /**
   * Ids of transactions that a person sent from the cold wallet. The ledger contains their amounts, but not their gas.
   */
  private readonly gasByHand: string[] = [];
  private payments: Promise<unknown> = Promise.resolve();
  private isEnding = false;
  private before: { readonly eth: bigint; readonly usdt: bigint } | undefined;
  private worldBefore: { readonly eth: Decimal; readonly usdt: Decimal } | undefined;

  private constructor(
    options: TreasuryOptions,
    parts: { anvil: Anvil; token: string; signer: TreasuryProgramme['signer']; exchange: TestExchange },
  ) {
    this.options = options;
    this.fate = seededRandom(options.seed);
    this.random = seededRandom(options.seed + 1);
    this.anvil = parts.anvil;
    this.token = parts.token;
    this.signer = parts.signer;
    this.exchange = parts.exchange;
  }

  static async start(options: TreasuryOptions): Promise<TreasuryProgramme> {
    const anvil = await Anvil.start();
    const token = await anvil.deployToken(account(0));
    const signer = await aSignerProcess(token, 'ETH=10/1000, USDT=5000/200000', account(COLD).address);
    const settings = {
      EVM_RPC_URL: anvil.url,
      EVM_CHAIN_ID: String(ANVIL_CHAIN),
      EVM_XPUB: testXpub(),
      EVM_TOKENS: `USDT=${token}:6`,
      EVM_CONFIRMATIONS: String(CONFIRMATIONS),
      EVM_WALLET: account(0).address,
      EVM_COLD_WALLET: account(COLD).address,
      EVM_HOT_BOUNDS: BOUNDS,
      EVM_SIGNER: signer.place,
      EVM_SIGNER_SECRET_FILE: signer.secretFile,
      EVM_REPLACE_MINUTES: '1',
      EVM_REPLACE_GWEI: '400',
      // A deposit is swept if it is worth more than the gas times this factor. The factor 1 makes every deposit large
      // enough.
      EVM_SWEEP_FACTOR: '1',
      EVM_SWEEP_GWEI: '400',
      HOUSE_TRADING: 'off',
    };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    const exchange = new TestExchange(await testDatabase(), { settings });
    writeFileSync(join(exchange.dataDirectory, 'secret.key'), `${SIGNED_SERVER_SECRET}\n`, { mode: 0o600 });
    await exchange.start();
    return new TreasuryProgramme(options, { anvil, token, signer, exchange });
  }

  /** Funds the wallets and the users, who request all withdrawals. */
  async prepare(): Promise<void> {
    const { anvil, exchange, token } = this;
    await anvil.rpc('anvil_setBalance', account(0).address, hex(HOT_START));
    await anvil.rpc('anvil_setBalance', account(COLD).address, hex(COLD_START));
    await anvil.setTokenBalance(token, account(0).address, 1_000_000n * MICRO);
    await anvil.setTokenBalance(token, account(COLD).address, 1_000_000n * MICRO);
    await anvil.setTokenBalance(token, account(3).address, 1_000_000n * MICRO);
    await anvil.mine(1);
    const savers = Math.max(LEAST_SAVERS, Math.ceil(this.options.withdrawals / WITHDRAWALS_PER_DAY));
    for (let index = 0; index < savers; index += 1) {
      const saver = await createSaver(exchange, { ETH: '100', USDT: '50000' });
      this.savers.push(saver);
      const { address } = await saver.request(depositAddress, { currency: 'ETH', network: 'ERC20' });
      this.depositAddresses.push(address);
    }
    await exchange.doors.deposits.jobs.watch();
    // A user's withdrawals are blocked for a day after the trade password was set, so the test removes the block from
    // the database.
    await exchange.database.pool.query('update user_account set hold_until = 0');
    for (let index = 0; index < this.options.withdrawals; index += 1) await this.request(index);
    this.before = await this.onChain();
    this.worldBefore = this.outside();
  }

  /**
   * Runs the operators' and outside payers' tasks while server and signer are killed and the secret is
   * rotated. Returns for each kill, in order, what was killed (`server`, `signer` or `both`) and whether it
   * was suspended first.
   */
  async killAndRestart(): Promise<readonly string[]> {
    const { exchange, guard, options } = this;
    const killed: string[] = [];
    await exchange.restart(async () => {
      const { connection } = exchange.database;
      const server = await ServerProcess.prepare({
        databaseUrl: urlOf(withRuntimeRole(connection)),
        databaseOwnerUrl: urlOf(connection),
        within: { dataDirectory: exchange.dataDirectory, guard },
      });
      this.operators = new PatientConsole({
        url: server.consoleUrl,
        pool: exchange.database.pool,
        secret: () => this.secret(),
      });
      const world = this.mine();
      server.launch();
      const work = this.work();
      // `work` is awaited after the kills and throws its error then. This line prevents an unhandled rejection until
      // then.
      work.catch(() => undefined);
      try {
        for (let kill = 0; kill < options.kills; kill += 1) {
          if (kill === Math.floor(options.kills / 3)) await this.rotate(server);
          killed.push(await this.killOnce(server));
        }
        this.isEnding = true;
        while (!(await this.untilUp(server)));
        await Promise.race([
          work,
          sleep(SETTLE_MS, undefined, { ref: false }).then(() => this.operators!.close()),
        ]);
        await work;
      } finally {
        this.operators.close();
        await server.close();
        await world.end();
      }
    });
    return killed;
  }

  /**
   * Waits until all transfers and confirmations are complete. Throws if chain, ledger and journal disagree. Returns the
   * figures as text.
   */
  async finish(): Promise<string> {
    const { exchange, anvil } = this;
    assert.deepEqual([...this.stuck], []);
    const { doors } = exchange;
    await eventually(async () => {
      await anvil.mine(1);
      await doors.deposits.jobs.watch();
      await doors.withdrawals.jobs.advance();
      await doors.treasury.hot.check();
      await doors.treasury.sweeps.check();
      await doors.treasury.returns.check();
      await doors.treasury.treasury.bookFees();
      const { rows } = await exchange.database.pool.query<{ waiting: bigint }>(
        `select (select count(*) from chain_sending where txid is not null and not is_fee_booked)
              + (select count(*) from treasury_transfer where state in ('approved', 'cancelling'))
              + (select count(*) from treasury_sweep where closed_at is null)
              + (select count(*) from treasury_return where closed_at is null)
              + (select count(*) from deposit where status = 0) as waiting`,
      );
      assert.equal(Number(rows[0]!.waiting), 0);
    }, 200);
    const outcomes = [...(await this.requireWithdrawals()), ...(await this.moves())];
    await this.requireSweeps();
    await this.requireReturns();
    await this.requireBooks();
    await this.requireReplay();
    // `close` throws if the ledger or the holds are inconsistent.
    await exchange.close();
    return [...outcomes, ...[...this.counts].map(([name, count]) => `${count} ${name}`)].join(', ');
  }

  get repeatedCalls(): number {
    return this.operators?.repeated ?? 0;
  }

  async close(): Promise<void> {
    this.operators?.close();
    await this.signer.close();
    await this.anvil.stop();
    await this.guard.cleanUp();
  }

  private secret() {
    return openServerSecret({ dataDirectory: this.exchange.dataDirectory, mustExist: true });
  }

  private async request(index: number): Promise<void> {
    const { exchange } = this;
    const owner = this.savers[index % this.savers.length]!;
    const asset = index % 3 === 2 ? 'USDT' : 'ETH';
    const address = `0x${(0x7ea5_0000 + index).toString(16).padStart(40, '0')}`;
    const amount = Decimal.parse(asset === 'ETH' ? '1.001' : '201');
    await markAddressKnown(exchange, owner.id, asset, 'ERC20', address);
    const { id } = await exchange.doors.withdrawals.withdrawals.submit(owner.id, {
      asset,
      network: 'ERC20',
      amount,
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    const { rows } = await exchange.database.pool.query<{ arrives: string }>(
      'select (amount - fee)::text as arrives from withdrawal where id = $1',
      [id],
    );
    const digits = asset === 'ETH' ? COIN_DIGITS : 6;
    const arrives = Decimal.parse(rows[0]!.arrives).toScaled(digits);
    const kind = WITHDRAWAL_KINDS[index % WITHDRAWAL_KINDS.length]!;
    this.planned.push({ id, kind, owner, asset, address, arrives });
  }

  /**
   * After a random time kills server, signer or both, some of them after a suspension, and starts them again.
   * Returns a text such as `both suspended`.
   */
  private async killOnce(server: ServerProcess): Promise<string> {
    const { fate, signer } = this;
    const victim = fate.pick(['server', 'server', 'server', 'signer', 'both'] as const);
    const isSuspended = fate.chance(0.3);
    // With a probability of a quarter, the kill does not wait until the server is up.
    if (!fate.chance(0.25)) await this.untilUp(server);
    await sleep(fate.whole(0, 3_000));
    const toMinute = MINUTE_MS - (Date.now() % MINUTE_MS);
    // Some kills wait for the next full minute, when the jobs that run once a minute start.
    if (toMinute < 6_000 && fate.chance(0.6)) await sleep(toMinute + fate.whole(0, 1_500));
    if (isSuspended) {
      if (victim !== 'signer') server.signal('SIGSTOP');
      if (victim !== 'server') signer.suspend();
      await sleep(fate.whole(50, 800));
    }
    if (victim !== 'server') await signer.kill();
    if (victim !== 'signer') {
      await server.killServer();
      server.launch();
    }
    if (victim !== 'server') {
      await sleep(fate.whole(0, 1_500));
      await signer.start();
    }
    return `${victim}${isSuspended ? ' suspended' : ''}`;
  }

  /**
   * Waits until the server is up. A server that has ended is started again, as a supervisor would do, because on a busy
   * machine its database may start too late. Returns whether the server is up.
   */
  private async untilUp(server: ServerProcess): Promise<boolean> {
    if (server.hasEnded) server.launch();
    return server.waitUntilReady(START_MS).then(
      () => true,
      () => {
        this.count('slow starts');
        return false;
      },
    );
  }

  /**
   * Rotates the server's secret, for which an operator must run a command twice. Each of these two runs is first killed
   * several times at random times, and then repeated.
   */
  private async rotate(server: ServerProcess): Promise<void> {
    const { fate } = this;
    for (let kill = 0; kill < 3; kill += 1) await this.runRotation(fate.whole(50, 900));
    while ((await this.secret()).retiring === undefined) await this.runRotation();
    await server.killServer();
    server.launch();
    while (!(await this.untilUp(server)));
    for (let kill = 0; kill < 4; kill += 1)
      if ((await this.secret()).retiring !== undefined) await this.runRotation(fate.whole(200, 1_100));
    while ((await this.secret()).retiring !== undefined) await this.runRotation();
    await server.killServer();
    server.launch();
    this.count('secrets rotated');
  }

  /**
   * Runs the command that rotates the secret, and resolves when its process has ended, also if it failed.
   * With `killAfterMs` the process is killed after this time.
   */
  private runRotation(killAfterMs?: number): Promise<void> {
    const { connection } = this.exchange.database;
    const env = {
      ...process.env,
      DATA_DIR: this.exchange.dataDirectory,
      DATABASE_URL: urlOf(withRuntimeRole(connection)),
      DATABASE_OWNER_URL: urlOf(connection),
      TRUSTED_PROXY: 'x-real-ip',
      SERVER_SECRET: '',
      MODE: 'demo',
    };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [ROTATE], { env }, (failure, output, errors) => {
        if (failure !== null && failure.signal !== 'SIGKILL')
          this.options.say(`rotation: ${output}${errors}`);
        clearTimeout(timer);
        resolve();
      });
      const timer =
        killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
  }

  /**
   * Runs the tasks of users and operators until the kills are over and all planned withdrawals have ended.
   * The error of a task is recorded in `stuck`.
   */
  private async work(): Promise<void> {
    const queue = this.planned.map((withdrawal) => ({
      name: `${withdrawal.kind} ${withdrawal.id}`,
      run: () => this.withdrawal(withdrawal),
    }));
    // The task that brings capital for the fees is before the withdrawals in the queue. Tasks that pay fees or correct
    // balances wait for this capital, and they could otherwise occupy all workers.
    queue.unshift({ name: 'capital for the fees', run: () => this.capital('fees') });
    // A deposit and a transfer to be sent back are always among the tasks. The other tasks are chosen at random, so a
    // short run could lack them.
    queue.unshift({ name: 'a deposit to be swept', run: () => this.deposit() });
    queue.unshift({ name: 'an arrival to be sent back', run: () => this.sentBack() });
    let number = 0;
    const others = [
      () => this.capital(),
      () => this.arrivalOfUser(),
      () => this.returnedArrival(),
      () => this.sentBack(),
      () => this.correction(),
      () => this.feesOut(),
      () => this.deposit(),
    ];
    const worker = async () => {
      for (;;) {
        number += 1;
        const isOther = number % 3 === 0;
        const task =
          queue.length > 0 && !isOther
            ? queue.shift()!
            : this.isEnding
              ? queue.shift()
              : { name: `other ${number}`, run: this.random.pick(others) };
        if (task === undefined) return;
        await task.run().catch((cause: unknown) => this.stuck.set(task.name, String(cause)));
      }
    };
    const workers = Array.from({ length: WORKERS }, worker);
    const movers = this.moveBetweenWallets(Promise.all(workers));
    await Promise.all([...workers, movers]);
  }

  private async withdrawal(planned: PlannedWithdrawal): Promise<void> {
    const { id, kind } = planned;
    if (kind === 'rejected') {
      await this.until(
        `${id} rejected`,
        async () => ENDS.includes(await this.statusOf(id)),
        async () => {
          const fields = { because: 'limit' };
          await this.operators!.call(
            'owner',
            `/ops/withdrawals/${id}/reject`,
            fields,
            `reject ${randomUUID()}`,
          );
        },
      );
      return;
    }
    await this.until(
      `${id} approved`,
      async () => (await this.statusOf(id)) !== 0,
      () => this.twice(`/ops/withdrawals/${id}/approve-large`, {}),
    );
    if (kind === 'returned') await this.returnIt(planned);
    if (kind === 'paid by hand') await this.payByHand(planned);
    if (kind === 'replaced') await this.raiseFee(planned);
    await this.until(`${id} ended`, async () => ENDS.includes(await this.statusOf(id)));
  }

  private async returnIt({ id }: PlannedWithdrawal): Promise<void> {
    await sleep(this.random.whole(0, 6_000));
    await this.until(
      `${id} returning`,
      async () => (await this.exitOf(id)) !== undefined || ENDS.includes(await this.statusOf(id)),
      () => this.twice(`/ops/withdrawals/${id}/return`, { because: 'networkRefused' }),
    );
  }

  /**
   * Pays a withdrawal by hand from the cold wallet, after the exchange has reported that its own transaction for it can
   * no longer be mined.
   */
  private async payByHand({ id, asset, address, arrives }: PlannedWithdrawal): Promise<void> {
    const hasEnded = async () => ENDS.includes(await this.statusOf(id));
    await this.until(
      `${id} by hand`,
      async () => (await this.exitOf(id)) !== undefined || (await hasEnded()),
      () => this.twice(`/ops/withdrawals/${id}/pay-by-hand`, {}),
    );
    await this.until(
      `${id} ready`,
      async () => (await this.exitOf(id))?.isReady === true || (await hasEnded()),
    );
    if (await hasEnded()) return;
    const txid = await this.payFromCold(address, asset, arrives);
    await this.until(`${id} finished by hand`, hasEnded, () =>
      this.twice(`/ops/withdrawals/${id}/finish`, { txid }),
    );
  }

  private async raiseFee({ id }: PlannedWithdrawal): Promise<void> {
    for (const gwei of ['90', '150']) {
      await this.until(`${id} signed`, async () => (await this.signedCount(id)) > 0);
      await this.twice(`/ops/withdrawals/${id}/raise-fee`, { gwei });
      await sleep(this.random.whole(0, 2_000));
    }
  }

  /** Task: capital arrives in the hot wallet and operators assign it to a house account. */
  private async capital(
    houseAccount: 'fees' | 'interest' = this.random.chance(0.6) ? 'fees' : 'interest',
  ): Promise<void> {
    const amount = BigInt(this.random.whole(2, 9)) * ETHER;
    const id = await this.arrive(amount);
    await this.until(
      `arrival ${id} assigned`,
      () => this.isDecided(id),
      () => this.twice(`/ops/treasury/arrivals/${id}/assign`, { account: houseAccount }),
    );
    this.count('arrivals assigned');
  }

  /** Task: a user has paid to the hot wallet by mistake, and operators credit the transfer to the user. */
  private async arrivalOfUser(): Promise<void> {
    const id = await this.arrive(ETHER / 2n);
    const owner = this.random.pick(this.savers);
    await this.until(
      `arrival ${id} credited`,
      () => this.isDecided(id),
      () => this.twice(`/ops/treasury/arrivals/${id}/credit`, { owner: owner.id }),
    );
    this.count('arrivals credited');
  }

  /** Task: a transfer of an unknown sender is sent back from the cold wallet. */
  private async returnedArrival(): Promise<void> {
    const id = await this.arrive(ETHER / 4n);
    const returnTxid = await this.payFromCold(account(2).address, 'ETH', ETHER / 4n);
    await this.until(
      `arrival ${id} returned`,
      () => this.isDecided(id),
      () => this.twice(`/ops/treasury/arrivals/${id}/return`, { returnTxid }),
    );
    this.count('arrivals returned');
  }

  /**
   * Task: the signer sends the transfer of an unknown sender back. Each task uses a different address. Some returns are
   * cancelled, and the transfer is sent back again.
   */
  private async sentBack(): Promise<void> {
    const id = await this.arrive(ETHER / 5n);
    this.backs += 1;
    const address = `0x${(0x5eba_0000 + this.backs).toString(16).padStart(40, '0')}`;
    const path = `/ops/treasury/arrivals/${id}/send-back`;
    let cancels = this.random.chance(0.4) ? 1 : 0;
    const isReturned = async () =>
      (await this.number(`select count(*) from treasury_arrival where id = $1 and state = 'returned'`, [
        id,
      ])) === 1;
    await this.until(`arrival ${id} sent back`, isReturned, async () => {
      const [open] = await this.rows<{ id: string }>(
        'select id from treasury_return where arrival = $1 and closed_at is null',
        [id],
      );
      if (open === undefined) return this.twice(path, { address });
      if (cancels === 0) return undefined;
      cancels -= 1;
      await sleep(this.random.whole(0, 6_000));
      return this.twice(`/ops/treasury/returns/${open.id}/cancel`, {});
    });
    this.sentBackTo.push(address);
    this.count('arrivals sent back');
  }

  /** Throws unless each returned transfer was paid back exactly once, with the fee deducted. */
  private async requireReturns(): Promise<void> {
    assert.ok(this.sentBackTo.length > 0, 'no arrival was sent back');
    const kept = findCoinNetwork('ETH', 'ERC20')!.fee.toScaled(COIN_DIGITS);
    for (const address of this.sentBackTo)
      assert.equal(await this.anvil.balance(address), ETHER / 5n - kept, `what ${address} got back`);
    const open = await this.number('select count(*) from treasury_return where closed_at is null', []);
    assert.equal(open, 0);
  }

  private async correction(): Promise<void> {
    const owner = this.random.pick(this.savers);
    const caseRef = `case ${randomUUID()}`;
    const side = this.random.chance(0.5) ? 'credit' : 'debit';
    const fields = {
      side,
      asset: 'ETH',
      amount: '0.01',
      account: 'fees',
      caseRef,
    };
    const rows = () => this.number('select count(*) from treasury_correction where case_ref = $1', [caseRef]);
    // The operators repeat the correction, because the fees account may not have enough of the coin yet.
    await this.until(
      `correction ${caseRef}`,
      async () => (await rows()) > 0,
      () => this.twice(`/ops/users/${owner.id}/correct`, fields),
    );
    assert.equal(await rows(), 1);
    this.count('corrections');
  }

  /** Task: earned fees are paid out of the cold wallet, and operators book the transaction. */
  private async feesOut(): Promise<void> {
    const txid = await this.payFromCold(account(5).address, 'ETH', ETHER / 20n);
    const fields = {
      account: 'fees',
      network: 'ERC20',
      asset: 'ETH',
      amount: '0.05',
      txid,
    };
    const rows = () =>
      this.number(`select count(*) from treasury_payment where kind = 'paid' and txid = $1`, [txid]);
    await this.until(
      `fees out ${txid}`,
      async () => (await rows()) > 0,
      () => this.twice('/ops/treasury/pay', fields),
    );
    assert.equal(await rows(), 1);
    this.count('payments out');
  }

  /** Task: a user deposits ETH, or the token. The sweep of a token needs ETH for gas on the deposit address first. */
  private async deposit(): Promise<void> {
    const address = this.random.pick(this.depositAddresses);
    const isToken = this.random.chance(0.5);
    const txid = await this.inTurn(() =>
      isToken
        ? this.anvil.payToken(account(3), this.token, address, 50n * MICRO)
        : this.anvil.pay(account(3), address, ETHER / 10n),
    );
    await this.until(
      `deposit ${txid}`,
      async () =>
        (await this.number('select count(*) from deposit where txid = $1 and status = 1', [txid])) === 1,
    );
    this.count('deposits');
  }

  /**
   * Approves proposed transfers of surplus, cancels some approved ones, refills the hot wallet and lifts pauses of
   * coins. Ends when all tasks have ended and no transfer is approved or being cancelled.
   */
  private async moveBetweenWallets(tasks: Promise<unknown>): Promise<void> {
    let areTasksOver = false;
    void tasks.then(() => (areTasksOver = true));
    const refilled = new Set<string>();
    for (;;) {
      const rows = await this.rows<{ id: string; kind: string; state: string; amount: string }>(
        `select id, kind, state, amount::text from treasury_transfer
         where state in ('open', 'approved', 'cancelling')`,
      );
      if (areTasksOver && !rows.some(({ state }) => state !== 'open')) return;
      for (const { id, kind, state, amount } of rows) {
        const path = `/ops/treasury/transfers/${id}`;
        if (kind === 'refill' && !refilled.has(id)) {
          refilled.add(id);
          await this.payFromCold(account(0).address, 'ETH', Decimal.parse(amount).toScaled(COIN_DIGITS));
          this.count('refills');
        }
        if (kind === 'surplus' && state === 'open') await this.twice(`${path}/move`, {});
        if (kind === 'surplus' && state === 'approved' && this.random.chance(0.02))
          await this.twice(`${path}/cancel`, {});
      }
      for (const asset of await this.pausedCoins())
        await this.twice(`/ops/treasury/pauses/${asset}/lift`, {});
      await sleep(1_000);
    }
  }

  private async pausedCoins(): Promise<readonly string[]> {
    const rows = await this.rows<{ asset: string }>(
      'select asset from treasury_pause where lifted_at is null',
    );
    return rows.map(({ asset }) => asset.toLowerCase());
  }

  /**
   * Two operators execute an operation. With a probability of 0.3 they send it a second time with the same idempotency
   * key, which must have no further effect. Returns the refusal's key of the last attempt, or undefined if that was not
   * refused.
   */
  private async twice(path: string, fields: Readonly<Record<string, string>>): Promise<string | undefined> {
    const key = `${path} ${randomUUID().slice(0, 8)}`;
    const refusalKey = await this.operators!.decide(path, fields, key);
    return this.random.chance(0.3) ? this.operators!.decide(path, fields, key) : refusalKey;
  }

  /**
   * Pays `amount` wei from an outside address to the hot wallet. Returns the id under which operators see the
   * unknown transfer.
   */
  private async arrive(amount: bigint): Promise<string> {
    const txid = await this.inTurn(() => this.anvil.pay(account(2), account(0).address, amount));
    let id: string | undefined;
    await this.until(`arrival of ${txid}`, async () => {
      const rows = await this.rows<{ id: string }>('select id from treasury_arrival where txid = $1', [txid]);
      id = rows[0]?.id;
      return id !== undefined;
    });
    return id!;
  }

  /**
   * Pays `amount`, in the coin's smallest unit, from the cold wallet by hand, and records the transaction,
   * because the ledger does not contain its gas.
   */
  private async payFromCold(address: string, asset: 'ETH' | 'USDT', amount: bigint): Promise<string> {
    const txid = await this.inTurn(() =>
      asset === 'ETH'
        ? this.anvil.pay(account(COLD), address, amount)
        : this.anvil.payToken(account(COLD), this.token, address, amount),
    );
    this.gasByHand.push(txid);
    return txid;
  }

  /** Makes payments from outside one after another, because each needs the next nonce of its account. */
  private inTurn(pay: () => Promise<string>): Promise<string> {
    const paying = this.payments.then(pay);
    this.payments = paying.catch(() => undefined);
    return paying;
  }

  /**
   * Waits until `isReached` returns true, and calls `act` before each further check. Throws if it is still false
   * `SETTLE_MS` after the last kill.
   */
  private async until(
    name: string,
    isReached: () => Promise<boolean>,
    act: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<void> {
    let deadline = Number.POSITIVE_INFINITY;
    while (!(await isReached())) {
      if (this.isEnding && deadline === Number.POSITIVE_INFINITY) deadline = performance.now() + SETTLE_MS;
      if (performance.now() > deadline) throw new Error(`${name} is not reached`);
      const answer = await act();
      if (typeof answer === 'string')
        this.count(
          `answers ${answer} to ${name.split(' ')[0]!.length > 30 ? name.split(' ').at(-1)! : name.split(' ')[0]!}`,
        );
      await sleep(POLL_MS * this.random.whole(1, 5));
    }
  }

  private statusOf(id: string): Promise<number> {
    return this.number('select status from withdrawal where id = $1', [id]);
  }

  private async exitOf(id: string): Promise<{ readonly isReady: boolean } | undefined> {
    const { rows } = await this.exchange.database.pool.query<{ exit_kind: string | null; ready: boolean }>(
      'select exit_kind, exit_ready_at is not null as ready from withdrawal where id = $1',
      [id],
    );
    const [row] = rows;
    return row === undefined || row.exit_kind === null ? undefined : { isReady: row.ready };
  }

  private signedCount(id: string): Promise<number> {
    return this.number('select count(*) from chain_sending where origin = $1 and raw is not null', [
      `withdrawal ${id}`,
    ]);
  }

  private async isDecided(id: string): Promise<boolean> {
    return (
      (await this.number(`select count(*) from treasury_arrival where id = $1 and state <> 'open'`, [id])) ===
      1
    );
  }

  private async number(query: string, values: readonly unknown[]): Promise<number> {
    const rows = await this.rows<Record<string, unknown>>(query, [...values]);
    return Number(Object.values(rows[0] ?? {})[0] ?? -1);
  }

  /**
   * Reads rows from the database. Retries, because on a busy machine opening a connection may exceed the pool's
   * timeout.
   */
  private async rows<Row extends Record<string, unknown>>(
    query: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.exchange.database.pool.query<Row>(query, [...values])).rows;
      } catch (cause) {
        if (attempt === QUERY_ATTEMPTS) throw cause;
        await sleep(POLL_MS);
      }
    }
  }

  private count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /**
   * Mines blocks until the test stops it. Every twelfth block has a base fee above the maximum fee of all transactions
   * that are signed before this block.
   */
  private mine() {
    const stopped = new AbortController();
    const running = (async () => {
      for (let block = 1; !stopped.signal.aborted; block += 1) {
        if (block % BLOCKS_BETWEEN_HIGH_FEES === 0)
          await this.anvil.rpc('anvil_setNextBlockBaseFeePerGas', hex(HIGH_BASE_FEE));
        await this.anvil.mine(1);
        await sleep(BLOCK_MS);
      }
    })();
    return {
      end: async () => {
        stopped.abort();
        await running;
      },
    };
  }

  /**
   * Returns the sum of the balances of all addresses of the exchange on the chain, by coin, in the smallest
   * units.
   */
  private async onChain(): Promise<{ readonly eth: bigint; readonly usdt: bigint }> {
    const { anvil, token } = this;
    const addresses = [account(0).address, account(COLD).address, ...this.depositAddresses];
    let [eth, usdt] = [0n, 0n];
    for (const address of addresses) {
      eth += await anvil.balance(address);
      usdt += await anvil.tokenBalance(token, address);
    }
    return { eth, usdt };
  }

  /**
   * Returns the balances of the ledger's `world` accounts of ETH and USDT on Ethereum. These accounts stand
   * for the outside: a deposit lowers their balance, and a withdrawal raises it.
   */
  private outside() {
    const { ledger } = this.exchange.doors;
    return {
      eth: ledger.balance(worldAddress('ETH', 'ERC20'), 'ETH'),
      usdt: ledger.balance(worldAddress('USDT', 'ERC20'), 'USDT'),
    };
  }

  /** Returns counts of the stored records as text, such as the wallet transfers of each kind and state. */
  private async moves(): Promise<string[]> {
    const { rows } = await this.exchange.database.pool.query<{ name: string; count: bigint }>(
      `select kind || ' ' || state as name, count(*) as count from treasury_transfer group by 1
       union all select case when is_void then 'voids' else 'raised fees' end, count(*) from chain_variant group by 1
       union all select 'returns ' || state, count(*) from treasury_return group by 1
       union all select 'sweeps ' || state, count(*) from treasury_sweep group by 1
       union all select 'gas for sweeps', count(*) from treasury_sweep where gas_txid is not null
       union all select 'signed payments', count(*) from chain_sending where raw is not null
       union all select 'booked fees', count(*) from treasury_payment where kind = 'gas'`,
    );
    return rows.map(({ name, count }) => `${count} ${name}`);
  }

  /**
   * Throws unless each finished withdrawal was paid exactly once on the chain and each rejected or returned one never.
   * Returns the numbers of each outcome as text.
   */
  private async requireWithdrawals(): Promise<string[]> {
    const { anvil, token } = this;
    const outcomes = new Map<string, number>();
    for (const { id, kind, owner, asset, address, arrives } of this.planned) {
      const { status } = await owner.request(withdrawalDetail, { id });
      const balance =
        asset === 'ETH' ? await anvil.balance(address) : await anvil.tokenBalance(token, address);
      const label = `withdrawal ${id} (${kind}) ended as ${status}`;
      assert.ok(ENDS.includes(status), label);
      assert.equal(balance, status === FINISHED ? arrives : 0n, label);
      const name = `${kind} ${status === FINISHED ? 'paid' : status === RETURNED ? 'given back' : 'refused'}`;
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    }
    const firsts = new Map<string, number>();
    for await (const { origin, kind } of readSigned(join(this.signer.folder, 'memory')))
      if (kind === undefined || kind === 'cold') firsts.set(origin, (firsts.get(origin) ?? 0) + 1);
    assert.deepEqual(
      [...firsts].filter(([, count]) => count > 1),
      [],
    );
    return [...outcomes].map(([name, count]) => `${count} ${name}`);
  }

  /** Throws unless deposits were swept, and each confirmed sweep moved its amount into the hot wallet once. */
  private async requireSweeps(): Promise<void> {
    const rows = await this.rows<{ sweep: string; arrived: bigint; arrivals: string | null }>(
      `select row_to_json(s)::text as sweep,
         count(a.id) filter (where a.asset = s.asset and a.amount = trunc(s.amount, $1::integer) and a.state = 'internal') as arrived,
         json_agg(row_to_json(a)) filter (where a.id is not null)::text as arrivals
       from treasury_sweep s left join treasury_arrival a on a.txid = s.txid
       where s.state = 'confirmed' group by s.id`,
      // A sweep moves the whole balance of the deposit address. Only the amounts that the ledger credits are truncated.
      [ARRIVAL_DIGITS],
    );
    assert.ok(rows.length > 0, 'no deposit address was swept');
    assert.deepEqual(
      rows.filter(({ arrived }) => Number(arrived) !== 1),
      [],
    );
  }

  /**
   * Throws unless each balance on the chain changed by the amounts that arrived and left according to the ledger, minus
   * the gas of payments that a person made by hand.
   */
  private async requireBooks(): Promise<void> {
    const after = await this.onChain();
    const outside = this.outside();
    let gas = 0n;
    for (const txid of this.gasByHand) {
      const receipt = await this.anvil.rpc<{ gasUsed: string; effectiveGasPrice: string } | null>(
        'eth_getTransactionReceipt',
        txid,
      );
      assert.ok(receipt !== null, `${txid} was not mined`);
      gas += BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    }
    const scaled = (after: Decimal, before: Decimal, digits: number) => after.minus(before).toScaled(digits);
    assert.equal(
      after.usdt - this.before!.usdt + scaled(outside.usdt, this.worldBefore!.usdt, 6),
      0n,
      'USDT on the chain and in the ledger',
    );
    assert.equal(
      after.eth - this.before!.eth + gas + scaled(outside.eth, this.worldBefore!.eth, COIN_DIGITS),
      0n,
      'ETH on the chain and in the ledger',
    );
  }

  /** Throws unless a replay of the journal results in the same state. */
  private async requireReplay(): Promise<void> {
    const copy = await testDatabase();
    try {
      const secret = stepIdSecret(await this.secret());
      const target = { connection: copy.connection, database: databaseOver(copy.pool) };
      await inSnapshot(this.exchange.doors.database.reader, async (source) => {
        const { state } = await replaySteps({ source, target, secret, log: recordingLog() });
        const [left, right] = [
          await stateHashes(source, state),
          await stateHashes(target.database.reader, state),
        ];
        assert.deepEqual(right, left);
      });
    } finally {
      await copy.drop();
    }
  }
}

function hex(number: bigint): string {
  return `0x${number.toString(16)}`;
}
