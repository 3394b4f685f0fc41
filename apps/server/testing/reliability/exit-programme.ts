import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { vi } from 'vitest';
import { createSaver } from '../../src/modules/finance/testing/products.ts';
import type { ChosenExit } from '../../src/modules/withdrawals/exits.ts';
import { account, Anvil, ANVIL_CHAIN, testXpub } from '../anvil.ts';
import { withRuntimeRole, urlOf } from '../database.ts';
import { eventually } from '../eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { markAddressKnown } from '../mark-address-known.ts';
import { aSignerProcess } from '../test-signer.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const CONFIRMATIONS = 3;
const POLL_MS = 2;
const BLOCK_MS = 3_000;
const ARRIVES = 10n ** 16n;

/**
 * States of a withdrawal. Each has an SQL query whose result increases when a withdrawal of this programme reaches the
 * state.
 */
const EXIT_STATES: Readonly<Record<string, string>> = {
  'payment voided': 'select count(*) from chain_void',
  'sending asked for': 'select count(*) from chain_sending',
  'transaction stored': 'select count(*) from chain_sending where raw is not null',
  'void or replacement stored': 'select count(*) from chain_variant',
  'withdrawal in a block': 'select count(*) from withdrawal where block is not null',
  'withdrawal returned': 'select count(*) from withdrawal where status = 6',
  'withdrawal finished': 'select count(*) from withdrawal where status = 1',
};
const EXITS = 150;
/** Intended outcomes of the withdrawals. They are assigned to the withdrawals in this order, again and again. */
const KINDS = ['sent', 'returned after signing', 'returned', 'paid by hand', 'replaced'] as const;
/** A base fee in wei. It is higher than the maximum fee of the transactions that are signed before it applies. */
const HIGH_BASE_FEE = 30_000_000_000n;
/** Milliseconds without progress of any withdrawal after which the programme stops killing servers. */
const IDLE_MS = 60_000;

/**
 * Executes withdrawals of five kinds: sent, returned before they were signed, returned after they were signed, paid by
 * hand, and replaced because of too low a fee. The server is killed again and again, each time after a withdrawal has
 * reached a new state. With every third kill the signer is killed too.
 */
export class ExitProgramme {
  private readonly anvil: Anvil;
  private readonly signer: Awaited<ReturnType<typeof aSignerProcess>>;
  private readonly exchange: TestExchange;
  private readonly guard = guardedFolder().guard;
  private readonly ids: string[] = [];
  private saver: TestTrader | undefined;

  private constructor(
    anvil: Anvil,
    signer: Awaited<ReturnType<typeof aSignerProcess>>,
    exchange: TestExchange,
  ) {
    this.anvil = anvil;
    this.signer = signer;
    this.exchange = exchange;
  }

  static async start(): Promise<ExitProgramme> {
    const anvil = await Anvil.start();
    const token = await anvil.deployToken(account(0));
    const signer = await aSignerProcess(token, 'ETH=10/100');
    const settings = {
      EVM_RPC_URL: anvil.url,
      EVM_CHAIN_ID: String(ANVIL_CHAIN),
      EVM_XPUB: testXpub(),
      EVM_CONFIRMATIONS: String(CONFIRMATIONS),
      EVM_WALLET: account(0).address,
      EVM_SIGNER: signer.place,
      EVM_SIGNER_SECRET_FILE: signer.secretFile,
      EVM_REPLACE_MINUTES: '1',
      EVM_REPLACE_GWEI: '400',
      SERVER_SECRET: SIGNED_SERVER_SECRET,
    };
    for (const [name, value] of Object.entries({ ...settings, HOUSE_TRADING: 'off' }))
      vi.stubEnv(name, value);
    return new ExitProgramme(anvil, signer, await anExchange({ settings }));
  }

  /**
   * Requests all withdrawals, signs some of them, pays some by hand, and records the operators' decisions about them.
   */
  async prepare(): Promise<void> {
    const { anvil, exchange } = this;
    this.saver = await createSaver(exchange, { ETH: '10' });
    await exchange.doors.deposits.jobs.watch();
    await exchange.database.pool.query('update user_account set hold_until = 0 where id = $1', [
      this.saver.id,
    ]);
    for (let index = 0; index < EXITS; index += 1) await this.request(index);
    // The withdrawals to be returned after signing or to be replaced are approved and signed first. Then the base fee
    // rises, so their transactions stay in the node's memory pool with too low a fee.
    await this.approve('returned after signing', 'replaced');
    await exchange.doors.withdrawals.jobs.advance();
    assert.equal(await this.countOf('transaction stored'), (2 * EXITS) / KINDS.length);
    await exchange.database.pool.query('update chain_sending set signing_at = 1');
    await anvil.rpc('anvil_setNextBlockBaseFeePerGas', `0x${HIGH_BASE_FEE.toString(16)}`);
    await anvil.mine(1);
    await this.signer.kill();
    await this.approve('sent', 'returned', 'paid by hand');
    for (const index of this.indexesOf('paid by hand')) {
      const txid = await anvil.pay(account(1), receiver(index), ARRIVES);
      await anvil.mine(CONFIRMATIONS + 1);
      // The first call may join a run that read the chain before the payment. The second call starts a new run.
      await exchange.doors.deposits.jobs.watch();
      await exchange.doors.deposits.jobs.watch();
      await this.leave(index, { kind: 'paid', txid });
    }
    for (const kind of ['returned after signing', 'returned'] as const)
      for (const index of this.indexesOf(kind))
        await this.leave(index, { kind: 'return', reason: 'networkRefused' });
  }

  /**
   * Starts the built server again and again, and kills it each time when a withdrawal has reached a new state. Ends
   * after `kills` kills, or earlier if no withdrawal advances any more. Returns the states after which the server was
   * killed.
   */
  async killAndRestart(kills: number): Promise<readonly string[]> {
    const { exchange, signer, guard } = this;
    const killedAt: string[] = [];
    await exchange.restart(async () => {
      await signer.start();
      const { connection } = exchange.database;
      const server = await ServerProcess.prepare({
        databaseUrl: urlOf(withRuntimeRole(connection)),
        databaseOwnerUrl: urlOf(connection),
        within: { dataDirectory: exchange.dataDirectory, guard },
        settings: { SERVER_SECRET: SIGNED_SERVER_SECRET },
      });
      const world = mineSlowly(this.anvil);
      try {
        for (let kill = 0; kill < kills; kill += 1) {
          const before = await this.counts();
          server.launch();
          const state = await this.advanced(before, kill);
          await server.killServer();
          if (state === undefined) break;
          if (kill % 3 === 2) await signer.restart();
          killedAt.push(state);
        }
      } finally {
        await server.close();
        await world.end();
      }
    });
    return killedAt;
  }

  /**
   * Waits until all withdrawals have ended, checks them, and closes the exchange. Throws if a withdrawal was neither
   * paid exactly once nor returned exactly once. Returns the numbers of paid and of returned withdrawals as text.
   */
  async finish(): Promise<string> {
    const { anvil, exchange } = this;
    await eventually(async () => {
      await anvil.mine(1);
      await exchange.doors.deposits.jobs.watch();
      await exchange.doors.withdrawals.jobs.advance();
      const open = (await this.statuses()).filter((status) => status !== 1 && status !== 6);
      assert.deepEqual(open, []);
    }, 200);
    const statuses = await this.statuses();
    for (const [index, status] of statuses.entries()) {
      const kind = KINDS[index % KINDS.length]!;
      const arrived = await anvil.balance(receiver(index));
      assert.equal(arrived, status === 1 ? ARRIVES : 0n, `${index} ${kind}`);
      // If operators chose the return after signing, either outcome is permitted: a block may have contained the
      // payment already.
      if (kind !== 'returned after signing') assert.equal(status, kind === 'returned' ? 6 : 1);
    }
    const finished = statuses.filter((status) => status === 1).length;
    const { availableCurrency, frozenCurrency } = (await this.saver!.request(spotAssets, { currency: 'ETH' }))
      .list[0]!;
    const left = Decimal.parse('10').minus(
      Decimal.parse('0.011').times(Decimal.ofWhole(finished), 'down', 18),
    );
    assert.deepEqual([availableCurrency, frozenCurrency], [left.toString(), '0']);
    // `close` throws if the ledger or the holds are inconsistent.
    await exchange.close();
    return `${finished} finished, ${EXITS - finished} returned`;
  }

  async close(): Promise<void> {
    await this.signer.close();
    await this.anvil.stop();
    await this.guard.cleanUp();
  }

  private async request(index: number): Promise<void> {
    const { exchange } = this;
    // The server limits the number of a user's withdrawals in 24 hours, so this statement moves the earlier
    // ones back by a day.
    if (index > 0 && index % WITHDRAWALS_PER_DAY === 0)
      await exchange.database.pool.query('update withdrawal set created_at = created_at - $1', [DAY_MS]);
    const owner = this.saver!.id;
    const address = receiver(index);
    await markAddressKnown(exchange, owner, 'ETH', 'ERC20', address);
    const { id } = await exchange.doors.withdrawals.withdrawals.submit(owner, {
      asset: 'ETH',
      network: 'ERC20',
      amount: Decimal.parse('0.011'),
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    this.ids.push(id);
  }

  private indexesOf(kind: (typeof KINDS)[number]): number[] {
    return this.ids.flatMap((_, index) => (KINDS[index % KINDS.length] === kind ? [index] : []));
  }

  private async approve(...kinds: readonly (typeof KINDS)[number][]): Promise<void> {
    for (const index of kinds.flatMap((kind) => this.indexesOf(kind)))
      await this.exchange.doors.withdrawals.review.decide(this.ids[index]!, 'approve', {
        by: 'an operator',
        persons: 2,
      });
  }

  private async leave(index: number, exit: ChosenExit): Promise<void> {
    await this.exchange.doors.withdrawals.exits.choose(this.ids[index]!, exit, 'two operators');
  }

  private async statuses(): Promise<number[]> {
    return Promise.all(
      this.ids.map(async (id) => (await this.saver!.request(withdrawalDetail, { id })).status),
    );
  }

  private async counts(): Promise<ReadonlyMap<string, number>> {
    const names = Object.keys(EXIT_STATES);
    return new Map(await Promise.all(names.map(async (name) => [name, await this.countOf(name)] as const)));
  }

  /**
   * Waits until a withdrawal has newly reached the state that is planned for this kill. If only others are reached,
   * returns the first of them after `PATIENCE_MS`. The result is the state with the number of withdrawals that have
   * reached it; undefined if none advances for `IDLE_MS`.
   */
  private async advanced(before: ReadonlyMap<string, number>, kill: number): Promise<string | undefined> {
    const names = Object.keys(EXIT_STATES);
    const waitsFor = names[kill % names.length]!;
    const startedAt = Date.now();
    for (;;) {
      const counts = await this.counts();
      const states = names.filter((name) => counts.get(name)! > before.get(name)!);
      // If a withdrawal has reached another state, the wait for the planned one ends `PATIENCE_MS` after it began.
      const patienceMs = states.length > 0 ? PATIENCE_MS : IDLE_MS;
      if (states.includes(waitsFor)) return `${waitsFor} ${counts.get(waitsFor)}`;
      if (Date.now() - startedAt > patienceMs) return states[0] && `${states[0]} ${counts.get(states[0])}`;
      await sleep(POLL_MS);
    }
  }

  private async countOf(state: string): Promise<number> {
    const { rows } = await this.exchange.database.pool.query<{ count: string }>(EXIT_STATES[state]!);
    return Number(rows[0]!.count);
  }
}

/** Milliseconds for which a kill waits for the planned state if a withdrawal has reached another state meanwhile. */
const PATIENCE_MS = 3_000;

/**
 * Starts to mine a block every `BLOCK_MS`, until `end` of the returned object is called. The base fee falls
 * with these blocks.
 */
function mineSlowly(anvil: Anvil) {
  const stopped = new AbortController();
  const running = (async () => {
    while (!stopped.signal.aborted) {
      await anvil.mine(1);
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

/** Returns the receiving address of the withdrawal with this index. Each withdrawal has its own address. */
function receiver(index: number): string {
  return `0x${(0xe817_0000 + index).toString(16).padStart(40, '0')}`;
}
