import { Decimal } from './decimal.ts';
import { sha256Hex } from './digests.ts';

/**
 * Proof of liabilities: a Merkle sum tree over the balances of all users but the exchange's own. Each node
 * commits to the hashes and sums below it, so that users can verify with their leaves and the paths to the
 * root that their balances were counted. Each user has several leaves with random parts of each balance, so
 * that a neighbour in the tree learns only a part of a stranger's balance.
 */

/** Amounts by coin; coins with an amount of zero are left out. */
export type Sums = ReadonlyMap<string, Decimal>;

/** Computes SHA-256 of a text in UTF-8; returns hex. */
export type Digest = (text: string) => string;

export interface SumNode {
  readonly hash: string;
  readonly sums: Sums;
}

/** Number of leaves of each user in the Merkle sum tree. */
export const LEAVES_PER_USER = 4;

const NOTHING: Sums = new Map();
const COIN = /^[A-Z0-9]{1,20}$/;

/** Portable but slow implementation of SHA-256. */
export const portableDigest: Digest = sha256Hex;

/**
 * Amounts in the hashed notation: `BTC:0.5,USDT:12`, coins in alphabetical order. Throws a RangeError on a
 * negative amount and on an invalid coin code.
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

/** Parses the notation of `sumsText`. Returns undefined for any other text. */
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

/** Pseudonym of a user in the leaves of one snapshot; without the nonce it cannot be linked to the user. */
export function userHash(day: string, nonce: string, user: string, digest: Digest): string {
  return digest(`user|${day}|${nonce}|${user}`);
}

/** A leaf of a user; `part` counts from 0. */
export function leafNode(day: string, user: string, part: number, sums: Sums, digest: Digest): SumNode {
  return { hash: digest(`leaf|${day}|${user}|${part}|${sumsText(sums)}`), sums };
}

export function innerNode(left: SumNode, right: SumNode, digest: Digest): SumNode {
  const texts = [left, right].map(({ hash, sums }) => `${hash}|${sumsText(sums)}`);
  return { hash: digest(`node|${texts.join('|')}`), sums: sumOf(left.sums, right.sums) };
}

/**
 * The node that is paired with the last node of a level with an odd number of nodes, and the root of a tree
 * without leaves; its sums are empty.
 */
export function paddingNode(day: string, level: number, digest: Digest): SumNode {
  return { hash: digest(`padding|${day}|${level}`), sums: NOTHING };
}

/**
 * Splits a user's balances into the amounts of the user's leaves. The split looks random and is determined by
 * the nonce, so only those who know the nonce can repeat it.
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

/** Number of nodes of each level, from the leaves to the root. */
export function levelsOf(leaves: number): readonly number[] {
  const levels = [Math.max(leaves, 1)];
  for (let count = levels[0]!; count > 1; levels.push(count)) count = Math.ceil(count / 2);
  return levels;
}

/**
 * Builds a tree from leaves that are added in the order of their hashes, with one pending node per level in
 * memory. `onInnerNode` receives every inner node once it is complete.
 */
export class TreeBuilder {
  private readonly day: string;
  private readonly digest: Digest;
  private readonly onInnerNode: (level: number, place: number, node: SumNode) => void;
  /** The last node of each tree level, while it has no right neighbour yet. */
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

  /** Completes the tree and returns its root; no leaf may be added afterwards. */
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

/** Published summary of a snapshot of all balances. */
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

/** A user's private part of a snapshot: balances, and each leaf with its path to the root. */
export interface UserLeaves {
  readonly user: string;
  readonly nonce: string;
  readonly amounts: readonly AmountText[];
  readonly leaves: readonly {
    readonly part: number;
    /** Index of the leaf among all leaves of the tree, counted from 0. */
    readonly place: number;
    readonly amounts: readonly AmountText[];
    /** Sibling nodes from the leaf to the root. */
    readonly path: readonly { readonly hash: string; readonly amounts: readonly AmountText[] }[];
  }[];
}

/**
 * `amounts`: each part has one leaf, and the leaves add up to the user's amounts; `path`: each leaf, with the
 * user's pseudonym in it, leads to the root; `totals`: the sums of each path equal the published totals.
 */
export const LEAF_CHECKS = ['amounts', 'path', 'totals'] as const;
export type LeafCheck = (typeof LEAF_CHECKS)[number];

/** Recomputes a user's leaves and paths up to the published root and returns the result of each check. */
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
    // Invalid texts and negative amounts fail the check instead of throwing.
    return { amounts: false, path: false, totals: false };
  }
}

/**
 * Whether each of the user's leaves occurs once, at a distinct index, and their amounts add up to the user's
 * balances.
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
