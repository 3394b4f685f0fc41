import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { sumOf, type Sums } from '@exchange/core/proofs.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Log } from '../../platform/log.ts';
import type { Chains } from '../chains/index.ts';
import { outsideAccounts } from '../ledger/index.ts';
import { leavingNow } from '../withdrawals/index.ts';
import { coveragePercent, coversOf, isShort, type Standing, type Cover } from './coverage-domain.ts';
import { ledgerTotals } from './taking.ts';

export interface CoverageParts {
  readonly database: Pick<Database, 'reader'>;
  readonly chains: Pick<Chains, 'channels' | 'seenBy'>;
  readonly systemUsers: () => Promise<readonly UserId[]>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A chain's first block is there within seconds, or something is wrong with its node. */
const FIRST_BLOCK_MS = 5 * MINUTE_MS;
const SOON_MS = 3 * SECOND_MS;

/** Nothing is known of a chain before its first block was read. */
class NoBlockYet extends Error {}

/**
 * What the house holds beside what it owes. It is read every few minutes by a job and kept: whoever asks reads what was
 * found last, so that no request waits for a chain or adds up accounts.
 */
export class HouseCoverage {
  private readonly parts: CoverageParts;
  private running: Promise<void> | undefined;
  private last: Coverage | undefined;
  /** Why the last look failed. */
  private trouble: string | undefined;
  /** When a chain was first found without a block. */
  private blocklessSince: Instant | undefined;
  private again: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(parts: CoverageParts) {
    this.parts = parts;
  }

  /** Looks now; whoever asks meanwhile waits for the same. A chain that does not answer leaves what was found before. */
  look(): Promise<void> {
    this.running ??= this.lookNow()
      .then(() => {
        this.trouble = undefined;
      })
      .catch((cause: unknown) => {
        if (this.isTooEarly(cause)) return this.lookSoon();
        this.trouble = cause instanceof Error ? cause.message : String(cause);
        this.parts.log.warn('proofs.coverage_not_read', { cause });
      })
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.again);
    await this.running;
  }

  health(): ComponentHealth {
    return coverageHealth(this.last, { now: this.parts.clock.now(), trouble: this.trouble });
  }

  /** Percent that is there of what is owed, by coin, for the metrics; coins of which it is not known are left out. */
  percents(): Record<string, number> {
    const all = (this.last?.covers ?? []).map((cover) => [cover.asset, coveragePercent(cover)] as const);
    return Object.fromEntries(
      all.flatMap(([asset, percent]) => (percent === undefined ? [] : [[asset, Number(percent.toString())]])),
    );
  }

  /** Whether a chain was not read yet because the server has just started. */
  private isTooEarly(cause: unknown): boolean {
    if (!(cause instanceof NoBlockYet) || this.last !== undefined) return false;
    const now = this.parts.clock.now();
    this.blocklessSince ??= now;
    return now - this.blocklessSince < FIRST_BLOCK_MS;
  }

  private lookSoon(): void {
    clearTimeout(this.again);
    if (this.isStopped) return;
    this.again = setTimeout(() => void this.look(), SOON_MS);
    this.again.unref();
  }

  private async lookNow(): Promise<void> {
    const { clock, log } = this.parts;
    // The blocks are chosen first: whatever the ledger has counted by then stands in them.
    const chains = this.blocks();
    const at = clock.now();
    const { leaving, ...books } = await this.books();
    const wallets = [];
    for (const { networks, block, holdings } of chains) {
      const gone = leaving.filter((one) => networks.includes(one.network) && one.block <= block);
      // Users are owed it until it is confirmed, and the wallet has it no more.
      wallets.push(await holdings(), ...gone.map(({ asset, amount }) => new Map([[asset, amount]])));
    }
    const covers = coversOf({ ...books, wallets: sumOf(...wallets) });
    for (const { asset, owed, held } of covers.filter(isShort))
      log.error('proofs.not_covered', { asset, owed: owed.toString(), held: held!.toString() });
    this.last = { at, covers };
  }

  private blocks() {
    return this.parts.chains.channels.flatMap(({ wallets, networks }) => {
      if (wallets === undefined) return [];
      const block = wallets.block();
      if (block === undefined) throw new NoBlockYet(`no block of ${networks.join(', ')} was read yet`);
      return [{ networks, block, holdings: () => wallets.holdings(block) }];
    });
  }

  /** What the ledger says, as of one moment. */
  private async books(): Promise<
    Omit<Standing, 'wallets'> & { readonly leaving: Awaited<ReturnType<typeof leavingNow>> }
  > {
    const { database, systemUsers, chains } = this.parts;
    const house = await systemUsers();
    return database.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx: Reader) => {
        const { owned, trading, houseTotal } = await ledgerTotals(tx, house);
        const outside = (await outsideAccounts(tx)).map(({ asset, network, balance }) => ({
          asset,
          network,
          amount: Decimal.parse(balance).negated(),
          seenBy: chains.seenBy(asset, network),
        }));
        const own = sumOf(houseTotal, trading);
        return { owed: withoutHouse(owned, trading), own, outside, leaving: await leavingNow(tx) };
      });
  }
}

/** What has an owner, without what the house trades with. */
function withoutHouse(owned: Sums, trading: Sums): Sums {
  const users = [...owned].map(
    ([asset, amount]) => [asset, amount.minus(trading.get(asset) ?? Decimal.zero)] as const,
  );
  return new Map(users.filter(([, amount]) => !amount.isZero()));
}

/** What was found at a moment. */
export interface Coverage {
  readonly at: Instant;
  readonly covers: readonly Cover[];
}

/** It is looked every few minutes: several looks in a row may fail. */
const OVERDUE_MS = 30 * MINUTE_MS;
const NOT_YET = 'not yet';

/** Not up while less than users are owed is there, or nobody has been able to look. `trouble` is why the last look failed. */
export function coverageHealth(
  last: Coverage | undefined,
  { now, trouble }: { readonly now: Instant; readonly trouble: string | undefined },
): ComponentHealth {
  const why = trouble === undefined ? '' : `: ${trouble}`;
  if (last === undefined)
    return trouble === undefined
      ? { isUp: true, isUnmeasured: true, facts: { looked: NOT_YET } }
      : { isUp: false, reason: `what is held cannot be read${why}`, facts: { looked: NOT_YET } };
  const { covers, at } = last;
  const known = covers.filter(({ held }) => held !== undefined);
  const short = covers.filter(isShort);
  const least = known
    .flatMap((cover) => {
      const percent = coveragePercent(cover);
      return percent === undefined ? [] : [{ asset: cover.asset, percent }];
    })
    .toSorted((one, other) => one.percent.compare(other.percent))[0];
  const facts = {
    looked: new Date(at).toISOString(),
    covered: `${known.length - short.length} of ${covers.length} coins`,
    ...(least === undefined ? {} : { least: `${least.asset} ${least.percent} %` }),
    ...(known.length === covers.length ? {} : { unknown: covers.length - known.length }),
  };
  const rows = covers.toSorted((one, other) => rankOf(one) - rankOf(other)).map(rowOf);
  const reasons = [
    ...short.map(
      ({ asset, owed, held }) => `${asset}: ${held} held for ${owed} owed, ${owed.minus(held!)} missing`,
    ),
    ...(now - at > OVERDUE_MS
      ? [`what is held has not been read since ${new Date(at).toISOString()}${why}`]
      : []),
  ];
  return reasons.length === 0
    ? { isUp: true, facts, rows }
    : { isUp: false, reason: reasons.join('; '), facts, rows };
}

/** What is missing first, then what nobody knows. */
function rankOf(cover: Cover): number {
  if (isShort(cover)) return 0;
  return cover.held === undefined ? 1 : 2;
}

function rowOf(cover: Cover): Record<string, string> {
  const { asset, owed, own, held, unknown } = cover;
  return {
    asset,
    state: ['short', 'not known', 'covered'][rankOf(cover)]!,
    coveragePercent: coveragePercent(cover)?.toString() ?? '',
    owedToUsers: owed.toString(),
    held: held?.toString() ?? '',
    difference: held?.minus(owed).toString() ?? '',
    ownedByHouse: own.toString(),
    ...(unknown === '' ? {} : { note: unknown }),
  };
}
