import type { UserId } from '@exchange/core/ids.ts';
import { levelsOf, paddingNode, sumsOf, type Sums } from '@exchange/core/proofs.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { type AskedPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import { dayOf, dayOfText, dayText, type Snapshot } from './domain.ts';
import { storedSnapshot, lastDay, nodesAt, owedTo, placesOf, snapshots } from './repository.ts';
import { digest, leavesOf, nonceOf, takeSnapshot, type SnapshotParts } from './snapshot-taking.ts';

export interface LiabilitiesParts extends SnapshotParts {
  readonly clock: Clock;
  readonly log: Log;
}

/** One leaf of a user in the Merkle tree, with the sibling nodes up to the root. */
export interface OwnLeaf {
  readonly part: number;
  readonly place: number;
  readonly sums: Sums;
  readonly path: readonly { readonly hash: string; readonly sums: Sums }[];
}

export interface OwnProof {
  readonly snapshot: Snapshot;
  /** The user with the user's nonce, owed amounts and leaves; undefined if the user was owed nothing. */
  readonly leaf:
    | {
        readonly user: UserId;
        readonly nonce: string;
        readonly amounts: Sums;
        readonly leaves: readonly OwnLeaf[];
      }
    | undefined;
}

/**
 * Milliseconds after midnight UTC after which health reports that the day's liability snapshot is missing.
 */
const OVERDUE_MS = 2 * HOUR_MS;

/**
 * The daily proof of liabilities: publishes a signed snapshot of all user balances for each UTC day, and
 * returns the proof that a user's balances are part of it.
 */
export class Liabilities {
  private readonly parts: LiabilitiesParts;
  private readonly runs = new SerialRuns(() => this.takeSnapshotIfMissing());
  /**
   * Why the latest attempt at a snapshot was not published: a difference between its leaves and the ledger; undefined
   * if there was none.
   */
  private problem: string | undefined;

  constructor(parts: LiabilitiesParts) {
    this.parts = parts;
  }

  /**
   * Takes today's (UTC) liability snapshot if it does not exist, and resolves when it is published or the attempt has
   * ended.
   */
  takeDue(): Promise<void> {
    return this.runs.run();
  }

  async stop(): Promise<void> {
    await this.runs.whenIdle();
  }

  list(page: AskedPage) {
    return snapshots(this.parts.database.reader, rowsOfPage(page));
  }

  /** The newest published liability snapshot; undefined if none is published. */
  newest(): Promise<Snapshot | undefined> {
    return storedSnapshot(this.parts.database.reader);
  }

  /**
   * A user's leaves in the latest liability snapshot, or in that of a day, with their paths to the root; only
   * the snapshot if it owed the user nothing. Refuses with `l.not_found` if there is no such snapshot; throws
   * if the stored proof is damaged.
   */
  async proofOf(user: UserId, dayParameter?: string): Promise<OwnProof> {
    const { database, secret } = this.parts;
    const requestedDay = dayParameter === undefined ? undefined : dayOfText(dayParameter);
    const isNoDay = dayParameter !== undefined && requestedDay === undefined;
    const snapshot = isNoDay ? undefined : await storedSnapshot(database.reader, requestedDay);
    if (snapshot === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const day = dayOfText(snapshot.day)!;
    const text = await owedTo(database.reader, day, user);
    if (text === undefined) return { snapshot, leaf: undefined };
    const amounts = sumsOf(text);
    const hashed = leavesOf(secret, snapshot.day, user, amounts ?? new Map());
    const places = await placesOf(
      database.reader,
      day,
      hashed.map(({ hash }) => hash),
    );
    if (amounts === undefined || places.size < hashed.length) throw damaged(snapshot);
    const leaves = hashed.map(({ hash, sums }, part) => ({ part, place: places.get(hash)!, sums }));
    const paths = await this.paths(snapshot, day, leaves);
    return {
      snapshot,
      leaf: {
        user,
        nonce: nonceOf(secret, snapshot.day, user),
        amounts,
        leaves: leaves.map((leaf, index) => ({ ...leaf, path: paths[index]! })),
      },
    };
  }

  async health(): Promise<ComponentHealth> {
    const { clock, database } = this.parts;
    const now = clock.now();
    const lastSnapshotDay = await lastDay(database.reader);
    const facts = { last: lastSnapshotDay === undefined ? 'none' : dayText(lastSnapshotDay) };
    if (this.problem !== undefined) return { isUp: false, reason: this.problem, facts };
    const isLate = lastSnapshotDay !== undefined && now >= (lastSnapshotDay + 1) * DAY_MS + OVERDUE_MS;
    return isLate
      ? { isUp: false, reason: `no snapshot since ${dayText(lastSnapshotDay)}`, facts }
      : { isUp: true, facts };
  }

  private async takeSnapshotIfMissing(): Promise<void> {
    const { clock, log, database } = this.parts;
    const now = clock.now();
    const day = dayOf(now);
    const lastSnapshotDay = await lastDay(database.reader);
    if (lastSnapshotDay !== undefined && lastSnapshotDay >= day) return;
    const problems = await takeSnapshot(this.parts, day, now);
    for (const problem of problems) log.error('proofs.does_not_add_up', { day: dayText(day), problem });
    [this.problem] = problems;
  }

  /**
   * The sibling nodes along the path from each leaf to the root of the Merkle tree, from the leaf upwards. Throws if
   * a stored node is missing.
   */
  private async paths(
    snapshot: Snapshot,
    day: number,
    leaves: readonly { readonly place: number }[],
  ): Promise<OwnLeaf['path'][]> {
    const counts = levelsOf(snapshot.leaves).slice(0, -1);
    const steps = leaves.map(({ place }) =>
      counts.map((count, level) => ({ count, level, place: Math.floor(place / 2 ** level) ^ 1 })),
    );
    const stored = await nodesAt(this.parts.database.reader, day, steps.flat());
    const nodesByPlace = new Map(stored.map((node) => [`${node.level} ${node.place}`, node]));
    return steps.map((path) =>
      path.map(({ count, level, place }) => {
        if (place >= count) return paddingNode(snapshot.day, level, digest);
        const node = nodesByPlace.get(`${level} ${place}`);
        const sums = node && sumsOf(node.sums);
        if (node === undefined || sums === undefined) throw damaged(snapshot);
        return { hash: node.hash, sums };
      }),
    );
  }
}

function damaged({ day }: Snapshot): Error {
  return new Error(`the proof of liabilities of ${day} is damaged`);
}
