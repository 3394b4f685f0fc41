import { EVERY_COIN_NETWORK } from '@exchange/core/network.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { Assets } from '../assets/index.ts';
import { withdrawalChanged } from './feed.ts';
import {
  deletePause,
  dequeueResumed,
  endPause,
  insertPause,
  readPaused,
  storedPauses,
  storePauseOwners,
  type PausedWithdrawal,
  type Route,
  type StoredPause,
} from './pause-repository.ts';
import { enqueueNotice } from './repository.ts';
import type { SendingStops } from './sending-stops.ts';

/** A pause that is shorter than this many milliseconds is not announced to users. */
const ANNOUNCED_AFTER_MS = MINUTE_MS;
/** Maximum number of withdrawals or owners that one transaction processes. */
const PAGE = 200;

interface Parts {
  readonly assets: Pick<Assets, 'coins'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly events: Events;
  readonly stops: Pick<SendingStops, 'isPaused'>;
}

/**
 * Notifies users that their withdrawals wait because a coin or its network is paused, and when they are processed
 * again: each user once per pause, coin and network. A pause of a coin on a network is the time in which no withdrawals
 * of the coin are sent there, for whatever reasons; two overlapping reasons are a single pause. Pauses that end within
 * a minute are not announced.
 */
export class PauseNotices {
  private readonly parts: Parts;
  private readonly runs = new SerialRuns(() => this.checkAll());

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /**
   * Compares the current pauses of sending withdrawals with the stored ones, and enqueues inbox messages to
   * owners of waiting withdrawals who were not notified yet. Each transaction processes a part of the owners
   * and stores the progress, so that a crash neither loses nor repeats a message.
   */
  check(): Promise<void> {
    return this.runs.run();
  }

  private async checkAll(): Promise<void> {
    const { clock, database } = this.parts;
    const now = clock.now();
    const stored = await storedPauses(database.store);
    const open = new Map(
      stored.filter(({ endedAt }) => endedAt === undefined).map((pause) => [keyOf(pause), pause]),
    );
    const paused = this.pausedRoutes();
    for (const route of paused.values())
      if (!open.has(keyOf(route))) await insertPause(database.store, newId(systemRandom, now), route, now);
    for (const pause of stored) {
      if (pause.endedAt === undefined && paused.has(keyOf(pause))) {
        if (later(pause.startedAt, ANNOUNCED_AFTER_MS) <= now) await this.announce(pause);
        continue;
      }
      if (pause.endedAt === undefined) await endPause(database.store, pause.id, now);
      await this.announceEnd(pause);
    }
  }

  /**
   * Returns each listed coin on each of its networks, by `keyOf`, whose withdrawals are not sent at the
   * moment.
   */
  private pausedRoutes(): ReadonlyMap<string, Route> {
    const { assets, stops } = this.parts;
    const listed = new Set(assets.coins.map(({ code }) => code));
    // Withdrawals may also wait on a network that is no longer offered, so the list contains all networks.
    return new Map(
      EVERY_COIN_NETWORK.filter(({ asset }) => listed.has(asset))
        .map(({ asset, network }) => ({ asset, network: network.code }))
        .filter((route) => stops.isPaused(route))
        .map((route) => [keyOf(route), route]),
    );
  }

  private async announce(pause: StoredPause): Promise<void> {
    const { database, events } = this.parts;
    for (;;) {
      const page = await database.transaction(async (tx) => {
        const withdrawals = await readPaused(tx, pause, PAGE);
        const owners = await storePauseOwners(
          tx,
          pause.id,
          withdrawals.map(({ owner }) => owner),
        );
        for (const { id } of firstOfEach(withdrawals, owners))
          await enqueueNotice(tx, newId(systemRandom, this.parts.clock.now()), id, 'paused');
        return withdrawals;
      });
      // Open pages of the owners receive the event and show the pause without a reload.
      events.publish(
        page.map(({ id, owner, status }) => ({
          name: withdrawalChanged.name,
          fact: { owner, id, status, confirm: 0 },
        })),
      );
      if (page.length < PAGE) return;
    }
  }

  private async announceEnd(pause: StoredPause): Promise<void> {
    const { clock, database } = this.parts;
    for (;;) {
      const notified = await database.transaction(async (tx) => {
        const { owners, withdrawals } = await dequeueResumed(tx, pause, PAGE);
        for (const id of withdrawals)
          await enqueueNotice(tx, newId(systemRandom, clock.now()), id, 'resumed');
        if (owners < PAGE) await deletePause(tx, pause.id);
        return owners;
      });
      if (notified < PAGE) return;
    }
  }
}

/**
 * Returns the oldest withdrawal of each of these owners; `withdrawals` are ordered from the oldest to the
 * newest.
 */
function firstOfEach(
  withdrawals: readonly PausedWithdrawal[],
  owners: ReadonlySet<string>,
): readonly PausedWithdrawal[] {
  const newestFirst = withdrawals.filter(({ owner }) => owners.has(owner)).toReversed();
  return [...new Map(newestFirst.map((withdrawal) => [withdrawal.owner, withdrawal])).values()];
}

function keyOf({ asset, network }: Route): string {
  return `${asset} ${network}`;
}
