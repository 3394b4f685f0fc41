import { Decimal } from './decimal.ts';
import { sha256Hex } from './digests.ts';

/**
 * Proof of liabilities: a Merkle sum tree over the balances of all users except the exchange's own users. Each node
 * contains a hash of, and the sums over, the nodes below it. With their own leaves and the paths to the root, users can
 * verify that their balances were counted. Each user has several leaves with random parts of each balance, so that the
 * owner of an adjacent leaf learns only a part of a balance.
 */

/** Amounts by coin. The amount of a coin that is missing is zero. */
export type Sums = ReadonlyMap<string, Decimal>;

/** A function that computes the SHA-256 of a text in UTF-8 and returns it in hex. */
export type Digest = (text: string) => string;

export interface SumNode {
  readonly hash: string;
  readonly sums: Sums;
}

/** Number of leaves of each user in the Merkle sum tree. */
export const LEAVES_PER_USER = 4;

const NOTHING: Sums = new Map();
const COIN = /^[A-Z0-9]{1,20}$/;

/** An implementation of SHA-256 that runs everywhere but is slow. */
export const portableDigest: Digest = sha256Hex;

/**
 * Returns amounts in the notation that is hashed: `BTC:0.5,USDT:12`, with coins in alphabetical order and without
 * amounts of zero. Throws a RangeError for a negative amount and for an invalid coin code.
 */
export function sumsText(sums: Sums): string {
  const nonZero = [...sums].filter(([, amount]) => !amount.isZero());
  for (const [coin, amount] of nonZero)
    if (!COIN.test(coin) || amount.isNegative()) throw new RangeError(`${amount} ${coin} is owed to nobody`);
  return nonZero
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([coin, amount]) => `${coin}:${amount}`)
    .join();
}

/**
 * Parses the amounts per coin from the text that `sumsText` writes, such as `BTC:1.5,USDT:20`. Returns
 * undefined for any other text, also if the coins are in another order.
 */
export function sumsOf(text: string): Sums | undefined {
  const sums = new Map<string, Decimal>();
  for (const part of text === '' ? [] : text.split(',')) {
    const [coin = '', written = ''] = part.split(':');
    const amount = Decimal.tryParse(written);
    if (amount === undefined || !amount.isPositive() || !COIN.test(coin)) return undefined;
    sums.set(coin, amount);
  }
  return sumsText(sums) === text ? sums : undefined;
}

export function sumOf(...all: readonly Sums[]): Sums {
  const total = new Map<string, Decimal>();
  for (const sums of all)
    for (const [coin, amount] of sums) total.set(coin, total.get(coin)?.plus(amount) ?? amount);
  return total;
}

/**
 * Computes the pseudonym of a user in the leaves of one snapshot. Without the nonce nobody can find out to whom it
 * belongs.
 */
export function userHash(day: string, nonce: string, user: string, digest: Digest): string {
  return digest(`user|${day}|${nonce}|${user}`);
}

/** Returns the node of a user's leaf. `part` is the leaf's number among the user's leaves, from 0. */
export function leafNode(day: string, user: string, part: number, sums: Sums, digest: Digest): SumNode {
  return { hash: digest(`leaf|${day}|${user}|${part}|${sumsText(sums)}`), sums };
}

export function innerNode(left: SumNode, right: SumNode, digest: Digest): SumNode {
  const texts = [left, right].map(({ hash, sums }) => `${hash}|${sumsText(sums)}`);
  return { hash: digest(`node|${texts.join('|')}`), sums: sumOf(left.sums, right.sums) };
}

/**
 * Returns the empty node of a level. It is the node with which the last node of a level is paired if the
 * level has an odd number of nodes. It is also the root of a tree without leaves. Its sums are empty.
 */
export function paddingNode(day: string, level: number, digest: Digest): SumNode {
  return { hash: digest(`padding|${day}|${level}`), sums: NOTHING };
}

/**
 * Splits a user's balances into the amounts of the user's leaves. The split looks random, but the nonce determines it,
 * so that only those who know the nonce can repeat it.
 */
export function shares(amounts: Sums, nonce: string, digest: Digest): readonly Sums[] {
  const parts = Array.from({ length: LEAVES_PER_USER }, () => new Map<string, Decimal>());
  const width = 64 / LEAVES_PER_USER;
  for (const [coin, amount] of amounts) {
    const randomHex = digest(`shares|${nonce}|${coin}`);
    const weights = parts.map((_, at) => BigInt(`0x${randomHex.slice(at * width, (at + 1) * width)}`) + 1n);
    const totalWeight = weights.reduce((all, weight) => all + weight, 0n);
    let remaining = amount;
    for (const [at, part] of parts.entries()) {
      const isLast = at === parts.length - 1;
      const share = isLast ? remaining : Decimal.ofAtoms((amount.toScaled(18) * weights[at]!) / totalWeight);
      remaining = remaining.minus(share);
      if (!share.isZero()) part.set(coin, share);
    }
  }
  return parts;
}

/**
 * Returns the number of nodes of each level of the tree, from the leaves to the root, without padding nodes.
 */
export function levelsOf(leaves: number): readonly number[] {
  const levels = [Math.max(leaves, 1)];
  for (let count = levels[0]!; count > 1; levels.push(count)) count = Math.ceil(count / 2);
  return levels;
}

/**
 * Builds a Merkle sum tree from leaves, which the caller adds in the order of their hashes. Only one pending node per
 * level is in memory. `onInnerNode` receives every inner node when it is complete.
 */
export class TreeBuilder {
  private readonly day: string;
  private readonly digest: Digest;
  private readonly onInnerNode: (level: number, place: number, node: SumNode) => void;
  /** For each tree level, the last node that has no right neighbor yet; undefined if there is none. */
  private readonly waiting: (SumNode | undefined)[] = [];
  private readonly counts: number[] = [];
  private last = '';

  constructor(
    day: string,
    digest: Digest,
    onInnerNode: (level: number, place: number, node: SumNode) => void = () => undefined,
  ) {
    this.day = day;
    this.digest = digest;
    this.onInnerNode = onInnerNode;
  }

  add(leaf: SumNode): void {
    if (leaf.hash <= this.last) throw new RangeError('leaves come in the order of their hashes, each once');
    this.last = leaf.hash;
    this.place(0, leaf);
  }

  get leaves(): number {
    return this.counts[0] ?? 0;
  }

  /**
   * Completes the tree and returns its root, which is a padding node if there are no leaves. The caller must not add
   * leaves afterwards.
   */
  root(): SumNode {
    if (this.leaves === 0) return paddingNode(this.day, 0, this.digest);
    for (let level = 0; level < levelsOf(this.leaves).length - 1; level += 1) {
      const left = this.waiting[level];
      if (left === undefined) continue;
      this.waiting[level] = undefined;
      this.place(level + 1, innerNode(left, paddingNode(this.day, level, this.digest), this.digest));
    }
    return this.waiting[levelsOf(this.leaves).length - 1]!;
  }

  private place(level: number, node: SumNode): void {
    const at = this.counts[level] ?? 0;
    this.counts[level] = at + 1;
    if (level > 0) this.onInnerNode(level, at, node);
    const left = this.waiting[level];
    this.waiting[level] = left === undefined ? node : undefined;
    if (left !== undefined) this.place(level + 1, innerNode(left, node, this.digest));
  }
}

/**
 * The published summary of a liability snapshot: the tree's root, its number of leaves, and the sums of all balances.
 */
export interface PublishedTotals {
  readonly day: string;
  readonly root: string;
  readonly leaves: number;
  readonly totals: readonly { readonly currency: string; readonly owed: string }[];
}

export interface AmountText {
  readonly currency: string;
  readonly amount: string;
}

/**
 * The part of a liability snapshot that only the user sees: the user's balances, and each of the user's leaves with its
 * path to the root.
 */
export interface UserLeaves {
  readonly user: string;
  readonly nonce: string;
  readonly amounts: readonly AmountText[];
  readonly leaves: readonly {
    readonly part: number;
    /** Index of the leaf among all leaves of the tree, counted from 0. */
    readonly place: number;
    readonly amounts: readonly AmountText[];
    /** The siblings of the nodes on the way from the leaf to the root, beginning with that of the leaf. */
    readonly path: readonly { readonly hash: string; readonly amounts: readonly AmountText[] }[];
  }[];
}

/**
 * Names of the checks of a user's leaves. `amounts`: the user has one leaf for each part, and the amounts of
 * the leaves add up to the user's balances. `path`: each leaf, with the user's pseudonym in it, leads to the
 * published root. `totals`: the sums that each path results in equal the published totals.
 */
export const LEAF_CHECKS = ['amounts', 'path', 'totals'] as const;
export type LeafCheck = (typeof LEAF_CHECKS)[number];

/**
 * Recomputes the nodes from a user's leaves up to the root and compares them with the published root. Returns the
 * result of each check.
 */
export function checkLeaves(
  published: PublishedTotals,
  own: UserLeaves,
  digest: Digest = portableDigest,
): Readonly<Record<LeafCheck, boolean>> {
  try {
    const roots = own.leaves.map((leaf) => rootOf(published, own, leaf, digest));
    const totals = parseAmounts(published.totals.map(({ currency, owed }) => ({ currency, amount: owed })));
    return {
      amounts: addUpToAmounts(own),
      path: roots.length > 0 && roots.every((top) => top?.hash === published.root),
      totals: roots.length > 0 && roots.every((top) => top !== undefined && isSame(top.sums, totals)),
    };
  } catch {
    // Leaves with invalid texts or negative amounts fail all checks. No error is thrown.
    return { amounts: false, path: false, totals: false };
  }
}

/**
 * Returns whether each part has exactly one leaf, the leaves have different indexes in the tree, and their amounts add
 * up to the user's balances.
 */
function addUpToAmounts({ amounts, leaves }: UserLeaves): boolean {
  const parts = new Set(leaves.map(({ part }) => part));
  const places = new Set(leaves.map(({ place }) => place));
  const isWhole =
    leaves.length === LEAVES_PER_USER &&
    places.size === leaves.length &&
    Array.from({ length: LEAVES_PER_USER }, (_, part) => parts.has(part)).every(Boolean);
  return isWhole && isSame(sumOf(...leaves.map((leaf) => parseAmounts(leaf.amounts))), parseAmounts(amounts));
}

function rootOf(
  { day, leaves: count }: PublishedTotals,
  { user, nonce }: UserLeaves,
  { part, place, amounts, path }: UserLeaves['leaves'][number],
  digest: Digest,
): SumNode | undefined {
  const levels = levelsOf(count);
  if (!Number.isInteger(place) || place < 0 || place >= count || path.length !== levels.length - 1)
    return undefined;
  let node = leafNode(day, userHash(day, nonce, user, digest), part, parseAmounts(amounts), digest);
  for (const [level, neighbour] of path.entries()) {
    const at = Math.floor(place / 2 ** level);
    const sibling = { hash: neighbour.hash, sums: parseAmounts(neighbour.amounts) };
    const isRight = at % 2 === 1;
    const isAlone = !isRight && at + 1 === levels[level];
    const padding = paddingNode(day, level, digest);
    if (isAlone && (sibling.hash !== padding.hash || sibling.sums.size > 0)) return undefined;
    node = isRight ? innerNode(sibling, node, digest) : innerNode(node, sibling, digest);
  }
  return node;
}

/** Parses the amounts of a proof. Throws if a coin occurs twice or an amount is invalid. */
function parseAmounts(amounts: readonly AmountText[]): Sums {
  const sums = new Map(amounts.map(({ currency, amount }) => [currency, Decimal.parse(amount)]));
  if (sums.size !== amounts.length) throw new RangeError('a coin stands twice');
  sumsText(sums);
  return sums;
}

function isSame(a: Sums, b: Sums): boolean {
  return sumsText(a) === sumsText(b);
}
