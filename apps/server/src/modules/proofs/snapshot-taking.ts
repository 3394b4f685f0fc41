import { createHash } from 'node:crypto';
import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import {
  leafNode,
  shares,
  sumOf,
  sumsOf,
  sumsText,
  TreeBuilder,
  userHash,
  type Digest,
  type SumNode,
  type Sums,
} from '@exchange/core/proofs.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import { inSnapshot } from '../../platform/database/snapshot.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
import {
  coinTotals,
  houseAccounts,
  lastEntrySequence,
  nextOwedBalances,
  type OwedBalance,
} from '../ledger/index.ts';
import {
  coinTotalsOf,
  dayText,
  differences,
  type Books,
  type SignedContent,
  type Snapshot,
} from './domain.ts';
import {
  clearDay,
  leavesAfter,
  placeLeaves,
  publish,
  saveLeaves,
  saveNodes,
  saveOwed,
  surplusDays,
  type PlacedNode,
} from './repository.ts';

/**
 * Numbers of users, of leaves and of deleted rows per page. Pages of users and leaves are small, because
 * hashing a page blocks all orders.
 */
const OWNERS_AT_A_TIME = 50;
const LEAVES_AT_A_TIME = 200;
const ROWS_AT_A_TIME = 5_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export interface SnapshotParts {
  readonly database: Pick<Database, 'reader' | 'store'>;
  readonly secret: Pick<ServerSecret, 'seal'>;
  readonly signingKey: SigningKey;
  readonly systemUsers: () => Promise<readonly UserId[]>;
}

export const digest: Digest = (text) => createHash('sha256').update(text).digest('hex');

/** A secret nonce that hides which user a leaf belongs to. It is derived when needed and never stored. */
export function nonceOf(secret: SnapshotParts['secret'], day: string, user: string): string {
  return secret.seal('proof of liabilities', day, user).toString('hex');
}

/** A user's leaves in the liability snapshot of `day`, computed from the amounts owed to the user by coin. */
export function leavesOf(
  secret: SnapshotParts['secret'],
  day: string,
  user: string,
  amounts: Sums,
): readonly SumNode[] {
  const nonce = nonceOf(secret, day, user);
  const hash = userHash(day, nonce, user, digest);
  return shares(amounts, nonce, digest).map((share, part) => leafNode(day, hash, part, share, digest));
}

/**
 * Takes and publishes the liability snapshot of a day. If its leaves differ from the ledger, returns the differences
 * and publishes nothing. Reads the ledger at one instant while trading continues, in pages of users and leaves. Before
 * and after, removes rows that no proof needs: those of interrupted snapshots and of days that are no longer kept.
 */
export async function takeSnapshot(
  parts: SnapshotParts,
  day: number,
  now: Instant,
): Promise<readonly string[]> {
  const { database, signingKey } = parts;
  await clearSurplus(database);
  const counting = new Counting(parts, day);
  const books = await readBooks(parts, now, counting);
  const { root, leaves } = await buildTree(database, day);
  const problems = [...counting.problems, ...differences(counting.total, root.sums, books)];
  if (problems.length > 0) {
    await clearDay(database.store, day, ROWS_AT_A_TIME);
    return problems;
  }
  const content: SignedContent = {
    day: dayText(day),
    time: now,
    entry: books.entry,
    leaves,
    root: root.hash,
    totals: coinTotalsOf(root.sums, books),
  };
  const snapshot: Snapshot = {
    ...content,
    receipt: signingKey.sign(`liabilities|${canonicalText(content)}`),
  };
  await publish(database.store, day, snapshot);
  await clearSurplus(database);
  return [];
}

async function clearSurplus({ reader, store }: SnapshotParts['database']): Promise<void> {
  for (const day of await surplusDays(reader)) await clearDay(store, day, ROWS_AT_A_TIME);
}

/**
 * Stores the balances and Merkle leaves of pages of users, and adds the balances up for the comparison with the ledger.
 */
class Counting {
  readonly problems: string[] = [];
  private readonly parts: SnapshotParts;
  private readonly day: number;
  private sums: Sums = new Map();

  constructor(parts: SnapshotParts, day: number) {
    this.parts = parts;
    this.day = day;
  }

  get total(): Sums {
    return this.sums;
  }

  async count(owed: readonly OwedBalance[]): Promise<void> {
    const { database, secret } = this.parts;
    const users = new Map<UserId, Map<string, Decimal>>();
    for (const { owner, asset, amount, isBelowZero } of owed) {
      if (isBelowZero || !amount.isPositive())
        this.problems.push(`an account of ${owner}: below zero ${asset}`);
      const amounts = users.get(owner) ?? new Map<string, Decimal>();
      users.set(owner, amounts.set(asset, amount));
    }
    if (this.problems.length > 0) return;
    const leaves = [...users].flatMap(([owner, amounts]) =>
      leavesOf(secret, dayText(this.day), owner, amounts).map(({ hash, sums }) => ({
        hash,
        sums: sumsText(sums),
      })),
    );
    this.sums = sumOf(this.sums, ...users.values());
    await saveOwed(
      database.store,
      this.day,
      [...users].map(([owner, amounts]) => ({ owner, amounts: sumsText(amounts) })),
    );
    await saveLeaves(database.store, this.day, leaves);
  }
}

/**
 * Reads the ledger at one instant: passes the balances of all users except system users to `counting`, in pages, and
 * returns the independent totals.
 */
async function readBooks(
  { database, systemUsers }: SnapshotParts,
  time: Instant,
  counting: Counting,
): Promise<Books> {
  const house = await systemUsers();
  return inSnapshot(database.reader, async (tx) => {
    const books = { time, ...(await ledgerTotals(tx, house)) };
    for (let behind = NOBODY; ;) {
      const page = await nextOwedBalances(tx, house, behind, OWNERS_AT_A_TIME);
      if (page.length === 0) return books;
      await counting.count(page);
      behind = page.at(-1)!.owner;
    }
  });
}

/** Ledger totals per coin, independent of the leaves: of all owners, of system users and of the exchange's accounts. */
async function ledgerTotals(tx: Reader, house: readonly UserId[]): Promise<Omit<Books, 'time'>> {
  const entry = await lastEntrySequence(tx);
  const coins = await coinTotals(tx, house);
  const accounts = await houseAccounts(tx);
  const sumsBy = (field: 'users' | 'trading' | 'house' | 'sum') =>
    new Map(coins.map((coin) => [coin.asset, Decimal.parse(coin[field])]));
  const trading = new Map([...sumsBy('trading')].filter(([, amount]) => !amount.isZero()));
  return {
    entry,
    owned: sumOf(sumsBy('users'), trading),
    houseTotal: sumsBy('house'),
    rest: sumsBy('sum'),
    trading,
    houseAccounts: accounts.map(({ address, asset, balance }) => ({
      account: address.replace('house:', ''),
      asset,
      amount: Decimal.parse(balance),
    })),
  };
}

/**
 * Builds the Merkle tree of a day's stored leaves and stores its inner nodes. Returns the root and the number
 * of leaves.
 */
async function buildTree(
  { store }: SnapshotParts['database'],
  day: number,
): Promise<{ root: SumNode; leaves: number }> {
  let pendingNodes: PlacedNode[] = [];
  const builder = new TreeBuilder(dayText(day), digest, (level, place, { hash, sums }) =>
    pendingNodes.push({ level, place, hash, sums: sumsText(sums) }),
  );
  const flush = async () => {
    const nodes = pendingNodes;
    pendingNodes = [];
    if (nodes.length > 0) await saveNodes(store, day, nodes);
  };
  for (let behind = ''; ;) {
    const page = await leavesAfter(store, day, behind, LEAVES_AT_A_TIME);
    if (page.length === 0) break;
    const firstPlace = builder.leaves;
    for (const { hash, sums } of page) builder.add({ hash, sums: sumsOf(sums)! });
    behind = page.at(-1)!.hash;
    await placeLeaves(
      store,
      day,
      page.map(({ hash }) => hash),
      firstPlace,
    );
    await flush();
  }
  const root = builder.root();
  await flush();
  return { root, leaves: builder.leaves };
}
