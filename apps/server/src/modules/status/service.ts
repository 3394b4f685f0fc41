import type { TextByLocale } from '@exchange/core/locale.ts';
import { Refused, refusal } from '@exchange/core/refusal.ts';
import { publicPause, type PublicPause } from '@exchange/core/trading-pause.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { PeriodicTask } from '../../platform/jobs/periodic-task.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import { newId, type Random } from '../../platform/secrets/random.ts';
import { SharedAnswer } from '../../platform/shared-answer.ts';
import type { Ledger } from '../ledger/index.ts';
import type { NetworkOverview, Networks } from '../networks/index.ts';
import type { Spot } from '../spot/index.ts';
import type { Withdrawals } from '../withdrawals/index.ts';
import type { TradingPauses } from '../trading-pauses/index.ts';
import type { NetworkPause, Treasury } from '../treasury/index.ts';
import {
  uptimeOf,
  type Component,
  type DirectionStatus,
  type Incident,
  type NetworkStatus,
  type Stage,
} from './domain.ts';
import { LatencyCounts } from './latency-counts.ts';
import {
  addLatencies,
  countMinute,
  daysSince,
  firstCountedDay,
  insertIncident,
  insertReport,
  latenciesSince,
  lockIncident,
  newestIncidents,
  removeOld,
} from './repository.ts';

export interface StatusParts {
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Log;
  readonly random: Random;
  readonly spot: Pick<Spot, 'listed' | 'onAcknowledged'>;
  readonly ledger: Pick<Ledger, 'halts'>;
  readonly withdrawals: Pick<Withdrawals, 'networkTimes'>;
  readonly networks: Pick<Networks, 'overview'>;
  readonly tradingPauses: Pick<TradingPauses, 'find' | 'onChange'>;
  readonly treasury: Pick<Treasury, 'pausedCoins'>;
}

/** A halted coin, with the public notice about its halt. */
interface HaltedCoin {
  readonly coin: string;
  readonly pause: PublicPause;
}

/** The contents of the public status page; they contain no data about single accounts. */
export interface ExchangeStatus {
  readonly at: Instant;
  /** Number of acknowledged orders of the current hour and the 23 hours before, by latency bucket. */
  readonly latencies: readonly number[];
  /**
   * The last 90 UTC days (in days since 1970), today included, each with the share of its minutes in which
   * the exchange worked, oldest first. `uptime` is between 0 and 1, and undefined for days before the first
   * counted day.
   */
  readonly days: readonly { readonly day: number; readonly uptime: number | undefined }[];
  readonly incidents: readonly Incident[];
  readonly haltedCoins: readonly HaltedCoin[];
  /** Coins that are not sent because less of them is held than users own, except halted ones. */
  readonly pausedCoins: readonly string[];
  /** Pairs whose trading is halted or restricted now, except pairs of which a coin is halted. */
  readonly pairs: readonly {
    readonly symbol: string;
    readonly status: string;
    readonly pause: PublicPause;
  }[];
  readonly withdrawals: Awaited<ReturnType<Withdrawals['networkTimes']>>;
  /** The networks on which the exchange offers deposits or withdrawals. */
  readonly networks: readonly NetworkStatus[];
}

/** Name of the operator who writes a report, and the operator’s reason. Both are stored and not published. */
interface Author {
  readonly by: string;
  readonly reason: string;
}

const SHARED_MS = 15_000;
/**
 * Interval in milliseconds at which the latency counts are stored and the current minute is counted as a minute of
 * service.
 */
const STORE_EVERY_MS = 10_000;
const DAYS_SHOWN = 90;
const INCIDENTS_SHOWN = 20;
const INCIDENTS_LISTED = 100;
const REPORTS_SHOWN = 20;
const LATENCY_HOURS = 24;
const LATENCY_HOURS_STORED = 30 * 24;

/**
 * Collects the contents of the public status page, and stores the incidents that operators report.
 */
export class Status {
  private readonly parts: StatusParts;
  private readonly shared: SharedAnswer<ExchangeStatus>;
  private readonly latencies = new LatencyCounts();
  private countedMinute = 0;
  private removedDay = 0;
  private readonly stores = new SerialRuns(() => this.storeCounts());
  private readonly periodicStores = new PeriodicTask(() => this.store(), { everyMs: STORE_EVERY_MS });

  constructor(parts: StatusParts) {
    this.parts = parts;
    this.shared = new SharedAnswer(() => this.read(), { clock: parts.clock, maxAgeMs: SHARED_MS });
    parts.tradingPauses.onChange(() => this.shared.invalidate());
    parts.spot.onAcknowledged = (ms) => {
      this.latencies.add(ms);
    };
  }

  async start(): Promise<void> {
    await this.store();
    this.periodicStores.start();
  }

  async stop(): Promise<void> {
    await this.periodicStores.stop();
    await this.store();
  }

  /** The exchange's status from a cache whose entry is at most `SHARED_MS` old. */
  status(): Promise<ExchangeStatus> {
    return this.shared.get();
  }

  /**
   * Returns the newest 100 incidents, newest first, each with its newest 20 reports, oldest of these first.
   */
  incidents(): Promise<Incident[]> {
    return newestIncidents(this.parts.database.reader, INCIDENTS_LISTED, REPORTS_SHOWN);
  }

  /** Opens an incident with its first report; returns its id. */
  async open(
    incident: { readonly component: Component; readonly title: TextByLocale; readonly content: TextByLocale },
    author: Author,
  ): Promise<string> {
    const { clock, database, random } = this.parts;
    const at = clock.now();
    const id = newId(random, at);
    const { component, title, content } = incident;
    await database.transaction(async (tx) => {
      await insertIncident(tx, { id, component, title, startedAt: at });
      await insertReport(tx, id, { at, stage: 'investigating', content, ...author });
    });
    this.shared.invalidate();
    return id;
  }

  /** Adds a report to an incident. An unknown incident is refused with `l.not_found`. */
  async report(
    id: string,
    report: { readonly stage: Stage; readonly content: TextByLocale },
    author: Author,
  ): Promise<void> {
    const { clock, database } = this.parts;
    const at = clock.now();
    await database.transaction(async (tx) => {
      if ((await lockIncident(tx, id)) === undefined) throw new Refused(refusal('generic', 'l.not_found'));
      await insertReport(tx, id, { at, ...report, ...author });
    });
    this.shared.invalidate();
  }

  /** Stores the latency counts and counts the current minute as a minute in which the exchange works. */
  store(): Promise<void> {
    return this.stores.run();
  }

  private async storeCounts(): Promise<void> {
    const { clock, database, log } = this.parts;
    const now = clock.now();
    const minute = Math.floor(now / MINUTE_MS);
    const day = Math.floor(now / DAY_MS);
    const hour = Math.floor(now / HOUR_MS);
    try {
      await this.latencies.storeBy((counts) => addLatencies(database.store, hour, counts));
      if (minute !== this.countedMinute) await countMinute(database.store, day, minute);
      this.countedMinute = minute;
      if (day === this.removedDay) return;
      await removeOld(database.store, hour - LATENCY_HOURS_STORED, day - DAYS_SHOWN);
      this.removedDay = day;
    } catch (cause) {
      // The next run stores the counts that this failed run could not store. The current minute counts as an outage
      // unless a later run within the minute succeeds.
      log.warn('status.not_stored', { cause });
    }
  }

  private async read(): Promise<ExchangeStatus> {
    const { clock, database, spot, ledger, networks, tradingPauses, treasury, withdrawals } = this.parts;
    const at = clock.now();
    const today = Math.floor(at / DAY_MS);
    const firstShown = today - DAYS_SHOWN + 1;
    const [latencies, days, firstDay, incidents, durations, overview] = await Promise.all([
      latenciesSince(database.reader, Math.floor(at / HOUR_MS) - LATENCY_HOURS + 1),
      daysSince(database.reader, firstShown),
      firstCountedDay(database.reader),
      newestIncidents(database.reader, INCIDENTS_SHOWN, REPORTS_SHOWN),
      withdrawals.networkTimes(),
      networks.overview(),
    ]);
    const halted = new Set(ledger.halts.all.map(({ asset }) => asset));
    const byDay = new Map(days.map((seen) => [seen.day, seen]));
    const bounds = { firstDay: firstDay ?? today, nowMinute: Math.floor(at / MINUTE_MS) };
    return {
      at,
      latencies,
      days: Array.from({ length: DAYS_SHOWN }, (_, place) => ({
        day: firstShown + place,
        uptime: uptimeOf(firstShown + place, byDay.get(firstShown + place), bounds),
      })),
      incidents,
      haltedCoins: ledger.halts.all
        .map(({ asset }) => asset)
        .toSorted()
        .map((coin) => ({ coin, pause: publicPause(tradingPauses.find('coin', coin), coin) })),
      pausedCoins: [...treasury.pausedCoins.keys()].filter((coin) => !halted.has(coin)).toSorted(),
      pairs: spot.listed({}).flatMap(({ pair, status, pause }) =>
        // Pairs that are paused because one of their coins is halted are left out, because the coin itself is listed.
        pause === undefined || pause.coin !== undefined
          ? []
          : [{ symbol: `${pair.base}/${pair.quote}`, status, pause }],
      ),
      withdrawals: durations,
      networks: overview.flatMap(networkStatus),
    };
  }
}

/**
 * The status of a network for the public status page, in an array; an empty array for a network that offers neither
 * deposits nor withdrawals.
 */
function networkStatus(overview: NetworkOverview): NetworkStatus[] {
  const { network, isDelayed, canDeposit, canWithdraw, depositPause, withdrawalPause } = overview;
  if (!canDeposit && !canWithdraw) return [];
  return [
    {
      code: network.code,
      name: network.name,
      isDelayed,
      deposits: directionStatus(canDeposit, depositPause),
      withdrawals: directionStatus(canWithdraw, withdrawalPause),
    },
  ];
}

function directionStatus(isServed: boolean, pause: NetworkPause | undefined): DirectionStatus {
  if (pause === undefined) return { state: isServed ? 'open' : 'none', pause: undefined };
  const { note, since, expectedAt } = pause;
  return { state: 'paused', pause: { note, since, expectedAt } };
}
