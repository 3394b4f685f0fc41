import { Decimal } from './decimal.ts';
import { sha256 } from './digests.ts';

/**
 * Proof of liabilities: a Merkle sum tree over what every user is owed. Whoever knows a leaf and its way up can tell
 * that it was counted, for every node commits to the hashes and to the sums below it. A user has several leaves, among
 * which each coin is divided at random, so that a neighbour in the tree sees a part of what some stranger has and no more.
 */

/** Amounts by coin; a coin of which there is nothing is left out. */
export type Sums = ReadonlyMap<string, Decimal>;

/** SHA-256 of a text in UTF-8, in hex. */
export type Digest = (text: string) => string;

export interface SumNode {
  readonly hash: string;
  readonly sums: Sums;
}

/** So many leaves are what one user has. */
export const LEAVES_PER_USER = 4;

const NOTHING: Sums = new Map();
const COIN = /^[A-Z0-9]{1,20}$/;

/** For where no faster one is at hand. */
export const plainDigest: Digest = (text) =>
  Array.from(sha256(new TextEncoder().encode(text)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Amounts as they are hashed: `BTC:0.5,USDT:12`, coins in alphabetical order. Throws where one is negative. */
export function sumsText(sums: Sums): string {
  const held = [...sums].filter(([, amount]) => !amount.isZero());
  for (const [coin, amount] of held)
    if (!COIN.test(coin) || amount.isNegative()) throw new RangeError(`${amount} ${coin} is owed to nobody`);
  return held
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([coin, amount]) => `${coin}:${amount}`)
    .join();
}

/** The amounts of a text; undefined where `sumsText` would not have written it. */
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

/** What stands for a user in the leaves of one snapshot; who does not know the nonce cannot find out whose it is. */
export function userHash(day: string, nonce: string, user: string, digest: Digest): string {
  return digest(`user|${day}|${nonce}|${user}`);
}

/** One of a user's leaves, counted from 0. */
export function leafNode(day: string, user: string, part: number, sums: Sums, digest: Digest): SumNode {
  return { hash: digest(`leaf|${day}|${user}|${part}|${sumsText(sums)}`), sums };
}

export function innerNode(left: SumNode, right: SumNode, digest: Digest): SumNode {
  const texts = [left, right].map(({ hash, sums }) => `${hash}|${sumsText(sums)}`);
  return { hash: digest(`node|${texts.join('|')}`), sums: sumOf(left.sums, right.sums) };
}

/** Stands at the right of a level's last node where that has no neighbour; owes nothing. */
export function paddingNode(day: string, level: number, digest: Digest): SumNode {
  return { hash: digest(`padding|${day}|${level}`), sums: NOTHING };
}

/** Divides amounts among a user's leaves, by the nonce: repeatable, and to everybody else at random. */
export function shares(amounts: Sums, nonce: string, digest: Digest): readonly Sums[] {
  const parts = Array.from({ length: LEAVES_PER_USER }, () => new Map<string, Decimal>());
  const width = 64 / LEAVES_PER_USER;
  for (const [coin, amount] of amounts) {
    const drawn = digest(`shares|${nonce}|${coin}`);
    const weights = parts.map((_, at) => BigInt(`0x${drawn.slice(at * width, (at + 1) * width)}`) + 1n);
    const whole = weights.reduce((all, weight) => all + weight, 0n);
    let left = amount;
    for (const [at, part] of parts.entries()) {
      const isLast = at === parts.length - 1;
      const share = isLast ? left : Decimal.ofAtoms((amount.toScaled(18) * weights[at]!) / whole);
      left = left.minus(share);
      if (!share.isZero()) part.set(coin, share);
    }
  }
  return parts;
}

/** How many nodes each level has, from the leaves to the root. */
export function levelsOf(leaves: number): readonly number[] {
  const levels = [Math.max(leaves, 1)];
  for (let count = levels[0]!; count > 1; levels.push(count)) count = Math.ceil(count / 2);
  return levels;
}

/**
 * Makes a tree of leaves that come one after another in the order of their hashes; it keeps one node per level. `keep`
 * is told every inner node as soon as it is known.
 */
export class TreeBuilder {
  private readonly day: string;
  private readonly digest: Digest;
  private readonly keep: (level: number, place: number, node: SumNode) => void;
  /** By level, a left node that waits for its neighbour. */
  private readonly waiting: (SumNode | undefined)[] = [];
  private readonly counts: number[] = [];
  private last = '';

  constructor(
    day: string,
    digest: Digest,
    keep: (level: number, place: number, node: SumNode) => void = () => undefined,
  ) {
    this.day = day;
    this.digest = digest;
    this.keep = keep;
  }

  add(leaf: SumNode): void {
    if (leaf.hash <= this.last) throw new RangeError('leaves come in the order of their hashes, each once');
    this.last = leaf.hash;
    this.place(0, leaf);
  }

  get leaves(): number {
    return this.counts[0] ?? 0;
  }

  /** The root, after the last leaf. */
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
    if (level > 0) this.keep(level, at, node);
    const left = this.waiting[level];
    this.waiting[level] = left === undefined ? node : undefined;
    if (left !== undefined) this.place(level + 1, innerNode(left, node, this.digest));
  }
}

/** What is published of a snapshot. */
export interface PublishedTotals {
  readonly day: string;
  readonly root: string;
  readonly leaves: number;
  readonly totals: readonly { readonly currency: string; readonly owed: string }[];
}

export interface WrittenAmount {
  readonly currency: string;
  readonly amount: string;
}

/** What its owner is given: their amounts, and each of their leaves with its way up. */
export interface OwnLeaves {
  readonly user: string;
  readonly nonce: string;
  readonly amounts: readonly WrittenAmount[];
  readonly leaves: readonly {
    readonly part: number;
    /** Counted from 0 at the left. */
    readonly place: number;
    readonly amounts: readonly WrittenAmount[];
    /** The neighbours, from the leaf upwards. */
    readonly path: readonly { readonly hash: string; readonly amounts: readonly WrittenAmount[] }[];
  }[];
}

/** `amounts`: the leaves are those of this user and add up; `path`: each leads to the root; `totals`: so do the sums. */
export const LEAF_CHECKS = ['amounts', 'path', 'totals'] as const;
export type LeafCheck = (typeof LEAF_CHECKS)[number];

/** Recomputes a user's leaves and walks up to the root that was published, and says of each check whether it holds. */
export function checkLeaves(
  published: PublishedTotals,
  own: OwnLeaves,
  digest: Digest = plainDigest,
): Readonly<Record<LeafCheck, boolean>> {
  try {
    const tops = own.leaves.map((leaf) => topOf(published, own, leaf, digest));
    const totals = read(published.totals.map(({ currency, owed }) => ({ currency, amount: owed })));
    return {
      amounts: haveAmounts(own),
      path: tops.length > 0 && tops.every((top) => top?.hash === published.root),
      totals: tops.length > 0 && tops.every((top) => top !== undefined && isSame(top.sums, totals)),
    };
  } catch {
    // Broken text and amounts below zero are among the faults that are looked for.
    return { amounts: false, path: false, totals: false };
  }
}

/** Each part once, at a place of its own, and together the amounts. */
function haveAmounts({ amounts, leaves }: OwnLeaves): boolean {
  const parts = new Set(leaves.map(({ part }) => part));
  const places = new Set(leaves.map(({ place }) => place));
  const isWhole =
    leaves.length === LEAVES_PER_USER &&
    places.size === leaves.length &&
    Array.from({ length: LEAVES_PER_USER }, (_, part) => parts.has(part)).every(Boolean);
  return isWhole && isSame(sumOf(...leaves.map((leaf) => read(leaf.amounts))), read(amounts));
}

function topOf(
  { day, leaves: count }: PublishedTotals,
  { user, nonce }: OwnLeaves,
  { part, place, amounts, path }: OwnLeaves['leaves'][number],
  digest: Digest,
): SumNode | undefined {
  const levels = levelsOf(count);
  if (!Number.isInteger(place) || place < 0 || place >= count || path.length !== levels.length - 1)
    return undefined;
  let node = leafNode(day, userHash(day, nonce, user, digest), part, read(amounts), digest);
  for (const [level, neighbour] of path.entries()) {
    const at = Math.floor(place / 2 ** level);
    const other = { hash: neighbour.hash, sums: read(neighbour.amounts) };
    const isRight = at % 2 === 1;
    const isAlone = !isRight && at + 1 === levels[level];
    const padding = paddingNode(day, level, digest);
    if (isAlone && (other.hash !== padding.hash || other.sums.size > 0)) return undefined;
    node = isRight ? innerNode(other, node, digest) : innerNode(node, other, digest);
  }
  return node;
}

/** Throws where a coin stands twice, or an amount is none. */
function read(amounts: readonly WrittenAmount[]): Sums {
  const sums = new Map(amounts.map(({ currency, amount }) => [currency, Decimal.parse(amount)]));
  if (sums.size !== amounts.length) throw new RangeError('a coin stands twice');
  sumsText(sums);
  return sums;
}

function isSame(one: Sums, other: Sums): boolean {
  return sumsText(one) === sumsText(other);
}
