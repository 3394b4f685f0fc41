import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { DAY_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { UTXO_NETWORKS, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import { depositAddress } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import type { Pool } from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commitSeed, isLongForm } from '../../../../tools/test-form.ts';
import { createSaver } from '../../src/modules/finance/testing/products.ts';
import { addressCodec } from '../../src/platform/utxo/scripts.ts';
import { urlOf, withRuntimeRole } from '../database.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { Litecoind, malleated, testAccountXpub, withoutLitecoind } from '../litecoind.ts';
import { markAddressKnown } from '../mark-address-known.ts';
import { anOldNodeProxy } from '../old-node-proxy.ts';
import { seededRandom } from '../seeded-random.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import { aUtxoSignerProcess } from '../test-utxo-signer.ts';
import { requireBuiltServer } from './built-server.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';
import {
  childAccounts,
  childProgress,
  mineOutside,
  mineParents,
  mineReplacements,
  newestStep,
  type ChildStep,
} from './stuck-batches.ts';

const skipped = withoutLitecoind();
/**
 * Number of kills of the server. Every third one also kills the signer. `UTXO_KILLS=10 UTXO_DEPOSITS=100
 * UTXO_WITHDRAWALS=30` is a short run. `UTXO_SEED=7` repeats the run whose random numbers came from seed 7.
 */
const KILLS = Number(process.env['UTXO_KILLS'] ?? 100);
const DEPOSITS = Number(process.env['UTXO_DEPOSITS'] ?? 1_000);
const WITHDRAWALS = Number(process.env['UTXO_WITHDRAWALS'] ?? 300);
/**
 * Numbers of kills, deposits and withdrawals in the run on the network without segregated witness (Dogecoin); by
 * default fewer than in the other run.
 */
const LEGACY_KILLS = Number(process.env['LEGACY_KILLS'] ?? 40);
const LEGACY_DEPOSITS = Number(process.env['LEGACY_DEPOSITS'] ?? 200);
const LEGACY_WITHDRAWALS = Number(process.env['LEGACY_WITHDRAWALS'] ?? 100);
const SEED = Number(process.env['UTXO_SEED'] ?? commitSeed);
/** Number of users with a deposit address. Each deposit transaction pays each of them once. */
const USERS = 5;
const CONFIRMATIONS = 3;
const BLOCK_MS = 2_500;
const BLOCKS_BETWEEN_REORGS = 7;
/**
 * Number of blocks in a cycle. The first `FREE_BLOCKS` blocks contain the exchange's transactions, the other blocks
 * leave them out. The latter take longer than two minutes. After that time the exchange makes a further child
 * transaction (child pays for parent) for a child transaction that is in no block.
 */
const CYCLE_BLOCKS = 72;
const FREE_BLOCKS = 16;
/**
 * Number of blocks at the start of a cycle, if the previous cycle's kind is `parents`, that contain stuck
 * transactions of the exchange without the child transactions that spend their change.
 */
const PARENT_BLOCKS = 4;
/**
 * How the stuck transactions of a cycle get into blocks, in turn. `dropped`: one block contains the stuck parent
 * transactions and the child transactions that raise their fees, and a reorganization replaces the block. `parents`:
 * blocks contain the parents some blocks before their children. `replacements`: a block contains replacements of the
 * parents that the node itself had refused. `raised`: the node accepts replacements in this cycle, so the exchange
 * makes no child transactions.
 */
const CYCLES = ['dropped', 'parents', 'replacements', 'raised'] as const;
/**
 * Number of calls that book network fees at the end. It suffices for all fees, although each call books at most one
 * page.
 */
const FEE_PAGES = 10;
/**
 * Milliseconds between two checks whether a child transaction of a stuck batch has reached a new step, after which the
 * server is killed.
 */
const LOOK_MS = 5;

/** A run of the programme: its network, its extent, and amounts in coins. */
interface Run {
  readonly code: UtxoNetwork['code'];
  readonly kills: number;
  readonly deposits: number;
  readonly withdrawals: number;
  readonly deposited: string;
  readonly withdrawn: string;
  /** Amount in coins that the receiver of a withdrawal gets, after the fee. */
  readonly arrives: string;
  /** Balance of each user at the start, in coins, without deposits. */
  readonly startedWith: number;
  /** Limits of the signer in coins per payment and within 24 hours, in the form `ONCE/DAY`. */
  readonly limit: string;
  /** Number of block rewards of 50 coins from which the node pays. */
  readonly rewards: number;
  /** Value of the server setting for fee rates, such as `LTC_FEE_RATE`; `1/2/200` if undefined. */
  readonly rates: string | undefined;
}

const LITECOIN: Run = {
  code: 'LTC',
  kills: KILLS,
  deposits: DEPOSITS,
  withdrawals: WITHDRAWALS,
  deposited: '0.02',
  withdrawn: '0.051',
  arrives: '0.05',
  startedWith: 100,
  limit: '1/1000',
  rewards: 20,
  rates: undefined,
};
const DOGECOIN: Run = {
  code: 'DOGE',
  kills: LEGACY_KILLS,
  deposits: LEGACY_DEPOSITS,
  withdrawals: LEGACY_WITHDRAWALS,
  deposited: '15',
  withdrawn: '24',
  arrives: '20',
  startedWith: 3_000,
  limit: '100/100000',
  rewards: 100,
  // The run uses a node of Litecoin, which refuses fees above 10,000 units per byte, so the fee rates are limited.
  rates: '1000/2000/8000',
};
/**
 * Maximum lifetime in milliseconds of the server before it is killed. It is counted from the server's readiness, or
 * from `START_MS` after its launch if it is not ready by then.
 */
const LIFE_MS = 9_000;
const START_MS = 45_000;

describe.skipIf(skipped !== undefined)('coins of the Bitcoin family while everything is killed', () => {
  beforeAll(requireBuiltServer);
  afterEach(() => vi.unstubAllEnvs());

  it.skipIf(!isLongForm).each([LITECOIN, DOGECOIN])(
    'UTXO-027 UTXO-005 UTXO-046 UTXO-050 UTXO-053 UTXO-054 $code: when server and signer are killed at random instants and around children, and blocks are dropped, or ids are changed, each deposit is credited once, each withdrawal paid once, and each child accounted for once',
    { timeout: 4 * PROGRAMME_TIMEOUT_MS },
    async (run) => {
      const { code } = run;
      console.log(`UTXO_SEED=${SEED}`);
      const random = seededRandom(SEED);
      const node = await Litecoind.start(run.rewards);
      const signer = await aUtxoSignerProcess(run.limit, code);
      const isLegacy = UTXO_NETWORKS.get(code)!.script === 'pkh';
      // Behind this proxy the node of Litecoin passes for one of Dogecoin.
      const proxy = isLegacy
        ? await anOldNodeProxy(node.url, { genesis: UTXO_NETWORKS.get(code)!.genesis.regtest })
        : undefined;
      const settings = {
        [`${code}_RPC_URL`]: proxy?.url ?? node.url,
        [`${code}_RPC_AUTH_FILE`]: node.authFile,
        [`${code}_XPUB`]: testAccountXpub(code),
        [`${code}_CHAIN`]: 'regtest',
        [`${code}_CONFIRMATIONS`]: String(CONFIRMATIONS),
        [`${code}_SIGNER`]: signer.place,
        [`${code}_SIGNER_SECRET_FILE`]: signer.secretFile,
        [`${code}_REPLACE_MINUTES`]: '1',
        [`${code}_FEE_RATE`]: run.rates ?? '1/2/200',
        SERVER_SECRET: SIGNED_SERVER_SECRET,
        HOUSE_TRADING: 'off',
      };
      for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
      const exchange = await anExchange({ settings });
      const { guard } = guardedFolder();
      try {
        const receivers = await receiversOf(run);
        const { savers, addresses } = await prepare(exchange, receivers, run);
        let starts = 0;
        const world: World = { reorgs: 0, cycles: [] };
        const killsAt = new Map<ChildStep, number>();
        const { pool } = exchange.database;
        await exchange.restart(async () => {
          const { connection } = exchange.database;
          const server = await ServerProcess.prepare({
            databaseUrl: urlOf(withRuntimeRole(connection)),
            databaseOwnerUrl: urlOf(connection),
            within: { dataDirectory: exchange.dataDirectory, guard },
            settings: { SERVER_SECRET: SIGNED_SERVER_SECRET },
          });
          const mining = mineAndPay({ node, addresses, run, pool, world });
          try {
            for (let kill = 0; kill < run.kills; kill += 1) {
              // In three of four rounds the server is killed as soon as a child transaction, which raises the fee of a
              // stuck batch, has reached a new step, such as the storage of its signature. If no step is reached before
              // the random time of the kill, and in every fourth round, the server is killed at that time.
              const isAimed = kill % 4 < 3;
              const before = await childProgress(pool);
              server.launch();
              starts += await server.waitForHealth(START_MS);
              const end = performance.now() + random.whole(0, LIFE_MS);
              let step: ChildStep | undefined;
              while (step === undefined && performance.now() < end) {
                await sleep(LOOK_MS);
                if (isAimed) step = newestStep(before, await childProgress(pool));
              }
              if (step !== undefined) killsAt.set(step, (killsAt.get(step) ?? 0) + 1);
              const isSignerToo = kill % 3 === 0;
              if (isSignerToo) await signer.kill();
              await server.killServer();
              if (isSignerToo) await signer.start();
            }
          } finally {
            await server.close();
            await mining.end();
          }
        });
        const count = async (query: string) =>
          Number((await pool.query<{ count: string }>(query)).rows[0]!.count);
        const isDone = async () =>
          (await count('select count(*) from deposit where status = 1')) === run.deposits &&
          (await count('select count(*) from withdrawal where status = 1')) === run.withdrawals &&
          (await count('select count(*) from utxo_batch where mined_txid is null')) === 0;
        const until = Date.now() + PROGRAMME_TIMEOUT_MS;
        while (!(await isDone())) {
          const facts = `${exchange.doors.chains.health().reason}; ${await count('select count(*) from deposit where status = 1')} credited, ${await count('select count(*) from withdrawal where status = 1')} paid, ${await count('select count(*) from utxo_batch where mined_txid is null')} batches open`;
          if (Date.now() > until) throw new Error(facts);
          await node.mine();
          await exchange.advanceTime(MINUTE_MS);
          await exchange.doors.deposits.jobs.watch();
          await exchange.doors.withdrawals.jobs.advance();
        }
        expect(await count('select count(*) from deposit')).toBe(run.deposits);
        for (const address of receivers)
          expect((await node.received(address)).toString(), address).toBe(run.arrives);
        // The sum of the exchange's coins in the database must equal the sum that the node reports for the exchange's
        // addresses.
        const { wallets } = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'utxo')!;
        const { rows } = await pool.query<{ address: string }>(
          'select address from utxo_address union select address from utxo_output',
        );
        const held = (await wallets!.holdings(await node.height())).get(code)!;
        expect(held.toString()).toBe((await node.received(...rows.map(({ address }) => address))).toString());
        const { treasury } = exchange.doors.treasury;
        for (let page = 0; page < FEE_PAGES; page += 1) await treasury.bookFees();
        const { children, closed, booked, wrong } = await childAccounts(pool, code);
        expect(wrong).toEqual([]);
        // The deposited coins that were neither paid out nor are still held are the network fees. The sum of the booked
        // fees must equal them.
        expect(booked.toString()).toBe(
          Decimal.parse(run.deposited)
            .timesExact(Decimal.ofWhole(run.deposits))
            .minus(Decimal.parse(run.arrives).timesExact(Decimal.ofWhole(run.withdrawals)))
            .minus(held)
            .toString(),
        );
        const total = await sumOfBalances(savers, code);
        const [deposited, withdrawn] = [Decimal.parse(run.deposited), Decimal.parse(run.withdrawn)];
        expect(total.toString()).toBe(
          Decimal.ofWhole(USERS * run.startedWith)
            .plus(deposited.timesExact(Decimal.ofWhole(run.deposits)))
            .minus(withdrawn.timesExact(Decimal.ofWhole(run.withdrawals)))
            .toString(),
        );
        const batches = await count('select count(*) from utxo_batch');
        const variants = await count('select count(*) from utxo_variant');
        const renamed = await count('select count(*) from utxo_variant where mined_as is not null');
        const gone = await count('select count(*) from chain_sighting where is_gone');
        console.log(
          `${run.kills} kills, ${starts} after a complete start; ${batches} batches with ${variants} transactions, ${renamed} mined under another id; ${gone} payments were in dropped blocks; ${children} children, of which ${closed} were closed because another transaction of their parent was mined; fees of ${booked.toString()} ${code}; kills at steps of children: ${[...killsAt].map(([step, times]) => `${step} ${times}`).join(', ')}; ${world.reorgs} re-orgs, cycles ${world.cycles.join(', ')}`,
        );
        // `close` throws if the ledger, the holds or the order books are inconsistent.
        await exchange.close();
      } finally {
        await signer.close();
        await proxy?.stop();
        await node.stop();
        await guard.cleanUp();
      }
    },
  );
});

/** Returns an address for each withdrawal of the run; none belongs to the exchange. */
async function receiversOf({ code, withdrawals }: Run): Promise<string[]> {
  const network = UTXO_NETWORKS.get(code)!;
  const codec = await addressCodec(network);
  return Array.from({ length: withdrawals }, (_, at) => {
    const hash = (0x5eed_0000 + at).toString(16).padStart(40, '0');
    return codec.addressOf(network.script === 'wpkh' ? `0014${hash}` : `76a914${hash}88ac`)!;
  });
}

/** Creates users with coins and deposit addresses, and one approved withdrawal for each receiving address. */
async function prepare(
  exchange: TestExchange,
  receivers: readonly string[],
  { code, startedWith, withdrawn }: Run,
) {
  const savers: TestTrader[] = [];
  const addresses: string[] = [];
  for (let made = 0; made < USERS; made += 1) {
    const saver = await createSaver(exchange, { [code]: String(startedWith) });
    savers.push(saver);
    addresses.push((await saver.request(depositAddress, { currency: code, network: code })).address);
  }
  await exchange.doors.deposits.jobs.watch();
  const { pool } = exchange.database;
  // A user's withdrawals are blocked for a day after the trade password was set. The killed server uses the system
  // clock, so the test removes the block from the database.
  await pool.query('update user_account set hold_until = 0');
  const { withdrawals } = exchange.doors.withdrawals;
  for (const [at, address] of receivers.entries()) {
    const saver = savers[at % USERS]!;
    // The server limits the number of a user's withdrawals in 24 hours, so this statement moves the earlier
    // ones back by a day.
    if (at > 0 && at % WITHDRAWALS_PER_DAY === 0)
      await pool.query('update withdrawal set created_at = created_at - $1', [DAY_MS]);
    await markAddressKnown(exchange, saver.id, code, code, address);
    const { id } = await withdrawals.submit(saver.id, {
      asset: code,
      network: code,
      amount: Decimal.parse(withdrawn),
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    await exchange.doors.withdrawals.review.decide(id, 'approve', { by: 'an operator', persons: 1 });
  }
  return { savers, addresses };
}

/** The reorganizations that `mineAndPay` has caused so far, and the cycles that it has completed. */
interface World {
  reorgs: number;
  /** For each cycle that is over, in order, how its stuck transactions got into blocks. */
  readonly cycles: (typeof CYCLES)[number][];
}

/**
 * Pays deposits, mines blocks and replaces some blocks while the test kills the server again and again. Ends when the
 * test has called `end` and all deposits are paid. Without segregated witness, an additional block in two of three
 * rounds contains the exchange's transactions under other ids. With segregated witness, batches are stuck in the last
 * blocks of each cycle (see `CYCLES`), and deposits are paid half as often, so that there are batches in all cycles.
 * The deposits provide the coins from which withdrawals are paid.
 */
function mineAndPay({
  node,
  addresses,
  run: { code, deposits, deposited },
  pool,
  world,
}: {
  readonly node: Litecoind;
  readonly addresses: readonly string[];
  readonly run: Run;
  readonly pool: Pool;
  readonly world: World;
}) {
  const stopped = new AbortController();
  const transactions = deposits / USERS;
  const isLegacy = UTXO_NETWORKS.get(code)!.script === 'pkh';
  const reorg = async () => {
    await node.reorg(1);
    world.reorgs += 1;
  };
  /**
   * Mines one block in the run with segregated witness. The position of the round in its cycle decides which
   * transactions the block contains (see `CYCLES`).
   */
  const mineInCycle = async (round: number) => {
    const [cycle, at] = [Math.floor(round / CYCLE_BLOCKS), round % CYCLE_BLOCKS];
    const ending = CYCLES[(cycle + CYCLES.length - 1) % CYCLES.length]!;
    if (stopped.signal.aborted) await node.mine();
    else if (at >= FREE_BLOCKS) {
      if (at === FREE_BLOCKS) await node.restart(CYCLES[cycle % CYCLES.length] === 'raised');
      await mineOutside(node);
    } else if (cycle > 0 && at < PARENT_BLOCKS && ending === 'parents') await mineParents(node);
    else if (cycle > 0 && at === 0 && ending === 'replacements') await mineReplacements(node, pool);
    else await node.mine();
    if (cycle === 0 || at > 0 || stopped.signal.aborted) return;
    world.cycles.push(ending);
    if (ending !== 'dropped') return;
    await sleep(BLOCK_MS);
    await reorg();
  };
  const running = (async () => {
    let paid = 0;
    for (let round = 0; paid < transactions || !stopped.signal.aborted; round += 1) {
      if (paid < transactions && (isLegacy || stopped.signal.aborted || round % 2 === 0)) {
        await node.pay(Object.fromEntries(addresses.map((address) => [address, deposited])));
        paid += 1;
      }
      if (isLegacy && round % 3 > 0) await mineRenamed(node);
      if (isLegacy) await node.mine();
      else await mineInCycle(round);
      if (!stopped.signal.aborted) await sleep(BLOCK_MS);
      // After the pause a running server has usually processed the newest block, which this reorganization replaces.
      if (round % BLOCKS_BETWEEN_REORGS === BLOCKS_BETWEEN_REORGS - 1) await reorg();
    }
  })();
  // `end` awaits `running` and throws its error. This line prevents an unhandled rejection until then.
  running.catch(() => undefined);
  return {
    end: async () => {
      stopped.abort();
      await running;
    },
  };
}

/**
 * Mines a block with changed copies of the exchange's transactions in the node's memory pool. A copy has
 * another transaction id. The exchange's transactions are recognised by their lack of a witness.
 */
async function mineRenamed(node: Litecoind): Promise<void> {
  const renamed: string[] = [];
  for (const txid of await node.rpc<string[]>('getrawmempool')) {
    // A replaced transaction may have left the pool since it was listed.
    const raw = await node.rpc('getrawtransaction', txid).catch(() => '');
    if (/^01000000(?!00)/.test(raw)) renamed.push(malleated(raw));
  }
  if (renamed.length > 0)
    await node.rpc('generateblock', await node.rpc('getnewaddress', '', 'bech32'), renamed);
}

async function sumOfBalances(savers: readonly TestTrader[], code: string): Promise<Decimal> {
  let total = Decimal.zero;
  for (const saver of savers) {
    const { availableCurrency, frozenCurrency } = (await saver.request(spotAssets, { currency: code }))
      .list[0]!;
    total = total.plus(Decimal.parse(availableCurrency)).plus(Decimal.parse(frozenCurrency));
  }
  return total;
}
