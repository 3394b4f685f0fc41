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
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
import { coinTotals, houseAccounts, lastEntrySequence, owedToNext, type Owed } from '../ledger/index.ts';
import { coinTotalsOf, dayText, differences, type Books, type Said, type Snapshot } from './domain.ts';
import {
  clearDay,
  leavesBehind,
  placeLeaves,
  publish,
  saveLeaves,
  saveNodes,
  saveOwed,
  surplusDays,
  type PlacedNode,
} from './repository.ts';

/** Few enough that orders hardly wait for what is hashed between two reads. */
const OWNERS_AT_A_TIME = 50;
const LEAVES_AT_A_TIME = 200;
const ROWS_AT_A_TIME = 5_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export interface TakingParts {
  readonly database: Pick<Database, 'reader' | 'store'>;
  readonly secret: Pick<ServerSecret, 'seal'>;
  readonly signingKey: SigningKey;
  readonly systemUsers: () => Promise<readonly UserId[]>;
}

export const digest: Digest = (text) => createHash('sha256').update(text).digest('hex');

/** What hides whose leaves are whose; made anew whenever it is needed, and kept nowhere. */
export function nonceOf(secret: TakingParts['secret'], day: string, user: string): string {
  return secret.seal('proof of liabilities', day, user).toString('hex');
}

/** A user's leaves in a snapshot. */
export function leavesOf(
  secret: TakingParts['secret'],
  day: string,
  user: string,
  amounts: Sums,
): readonly SumNode[] {
  const nonce = nonceOf(secret, day, user);
  const hash = userHash(day, nonce, user, digest);
  return shares(amounts, nonce, digest).map((share, part) => leafNode(day, hash, part, share, digest));
}

/**
 * Takes the snapshot of a day and publishes it, or gives everything by which leaves and ledger differ. All of the
 * ledger is read as of one moment while orders go on; of users and leaves a few are in memory at a time. What an
 * interrupted attempt left is removed first: until it is published nothing of it counts.
 */
export async function takeSnapshot(
  parts: TakingParts,
  day: number,
  now: Instant,
): Promise<readonly string[]> {
  const { database, signingKey } = parts;
  await clearSurplus(database);
  const counting = new Counting(parts, day);
  const books = await readBooks(parts, now, counting);
  const { root, leaves } = await grow(database, day);
  const problems = [...counting.problems, ...differences(counting.total, root.sums, books)];
  if (problems.length > 0) {
    await clearDay(database.store, day, ROWS_AT_A_TIME);
    return problems;
  }
  const said: Said = {
    day: dayText(day),
    time: now,
    entry: books.entry,
    leaves,
    root: root.hash,
    totals: coinTotalsOf(root.sums, books),
  };
  const snapshot: Snapshot = { ...said, receipt: signingKey.sign(`liabilities|${canonicalText(said)}`) };
  await publish(database.store, day, snapshot);
  await clearSurplus(database);
  return [];
}

async function clearSurplus({ reader, store }: TakingParts['database']): Promise<void> {
  for (const day of await surplusDays(reader)) await clearDay(store, day, ROWS_AT_A_TIME);
}

/** Keeps what each user is owed with their leaves, and adds it up. */
class Counting {
  readonly problems: string[] = [];
  private readonly parts: TakingParts;
  private readonly day: number;
  private sums: Sums = new Map();

  constructor(parts: TakingParts, day: number) {
    this.parts = parts;
    this.day = day;
  }

  get total(): Sums {
    return this.sums;
  }

  async count(owed: readonly Owed[]): Promise<void> {
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

/** Reads the ledger as of one moment: all users page by page, and what it says apart from them. */
async function readBooks(
  { database, systemUsers }: TakingParts,
  time: Instant,
  counting: Counting,
): Promise<Books> {
  const house = await systemUsers();
  return database.reader
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const books = { time, ...(await ledgerTotals(tx, house)) };
      for (let behind = NOBODY; ;) {
        const page = await owedToNext(tx, house, behind, OWNERS_AT_A_TIME);
        if (page.length === 0) return books;
        await counting.count(page);
        behind = page.at(-1)!.owner;
      }
    });
}

/** What the ledger says per coin, apart from any leaf: of all owners, of the house's own users and accounts. */
export async function ledgerTotals(tx: Reader, house: readonly UserId[]): Promise<Omit<Books, 'time'>> {
  const entry = await lastEntrySequence(tx);
  const coins = await coinTotals(tx, house);
  const accounts = await houseAccounts(tx);
  const of = (field: 'users' | 'trading' | 'house' | 'sum') =>
    new Map(coins.map((coin) => [coin.asset, Decimal.parse(coin[field])]));
  const trading = new Map([...of('trading')].filter(([, amount]) => !amount.isZero()));
  return {
    entry,
    owned: sumOf(of('users'), trading),
    houseTotal: of('house'),
    rest: of('sum'),
    trading,
    houseAccounts: accounts.map(({ address, asset, balance }) => ({
      account: address.replace('house:', ''),
      asset,
      amount: Decimal.parse(balance),
    })),
  };
}

/** Makes the tree of the kept leaves and keeps its inner nodes. */
async function grow(
  { store }: TakingParts['database'],
  day: number,
): Promise<{ root: SumNode; leaves: number }> {
  let made: PlacedNode[] = [];
  const builder = new TreeBuilder(dayText(day), digest, (level, place, { hash, sums }) =>
    made.push({ level, place, hash, sums: sumsText(sums) }),
  );
  const keep = async () => {
    const nodes = made;
    made = [];
    if (nodes.length > 0) await saveNodes(store, day, nodes);
  };
  for (let behind = ''; ;) {
    const page = await leavesBehind(store, day, behind, LEAVES_AT_A_TIME);
    if (page.length === 0) break;
    const first = builder.leaves;
    for (const { hash, sums } of page) builder.add({ hash, sums: sumsOf(sums)! });
    behind = page.at(-1)!.hash;
    await placeLeaves(
      store,
      day,
      page.map(({ hash }) => hash),
      first,
    );
    await keep();
  }
  const root = builder.root();
  await keep();
  return { root, leaves: builder.leaves };
}
