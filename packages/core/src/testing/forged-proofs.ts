import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { Decimal } from '../decimal.ts';
import {
  innerNode,
  leafNode,
  LEAVES_PER_USER,
  paddingNode,
  shares,
  userHash,
  type Digest,
  type UserLeaves,
  type PublishedTotals,
  type SumNode,
  type Sums,
} from '../proofs.ts';

export const DAY = '2026-11-24';
export const digest: Digest = (text) => createHash('sha256').update(text).digest('hex');
const amountRows = (sums: Sums) =>
  [...sums].map(([currency, amount]) => ({ currency, amount: String(amount) }));

const anAmount = fc.bigInt({ min: 1n, max: 10n ** 32n }).map((atoms) => Decimal.ofAtoms(atoms));
export const sums = fc
  .uniqueArray(fc.constantFrom('BTC', 'ETH', 'USDT', 'SHIB', 'A1'), { minLength: 1 })
  .chain((coins) => fc.tuple(...coins.map((coin) => anAmount.map((amount) => [coin, amount] as const))))
  .map((entries): Sums => new Map(entries));
/** Generates random users with their balances. */
export const people = fc
  .array(sums, { minLength: 1, maxLength: 9 })
  .map((all) => all.map((amounts, at) => ({ user: `user-${at}`, nonce: digest(`nonce ${at}`), amounts })));

type Person = Pick<UserLeaves, 'user' | 'nonce'> & { readonly amounts: Sums };

export function leavesOf({ user, nonce, amounts }: Person): SumNode[] {
  const hash = userHash(DAY, nonce, user, digest);
  return shares(amounts, nonce, digest).map((share, part) => leafNode(DAY, hash, part, share, digest));
}

/**
 * Reference implementation of the Merkle sum tree. Returns all levels from the leaves to the root. A level below the
 * root that has an odd number of nodes gets a padding node.
 */
export function naiveLevels(leaves: readonly SumNode[]): SumNode[][] {
  const levels = [leaves.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))];
  while (levels.at(-1)!.length > 1) {
    const level = levels.at(-1)!;
    if (level.length % 2 === 1) level.push(paddingNode(DAY, levels.length - 1, digest));
    levels.push(
      Array.from({ length: level.length / 2 }, (_, at) =>
        innerNode(level[2 * at]!, level[2 * at + 1]!, digest),
      ),
    );
  }
  return levels;
}

/** Returns the published summary of a tree over all users, and the private proof of one user. */
export function proofFor(
  all: readonly Person[],
  person: Person,
): { published: PublishedTotals; own: UserLeaves } {
  const levels = naiveLevels(all.flatMap(leavesOf));
  const root = levels.at(-1)![0]!;
  const totals = amountRows(root.sums).map(({ currency, amount }) => ({ currency, owed: amount }));
  const leaves = leavesOf(person).map((leaf, part) => {
    const place = levels[0]!.findIndex(({ hash }) => hash === leaf.hash);
    const path = levels.slice(0, -1).map((level, at) => {
      const { hash, sums: siblingSums } = level[Math.floor(place / 2 ** at) ^ 1]!;
      return { hash, amounts: amountRows(siblingSums) };
    });
    return { part, place, amounts: amountRows(leaf.sums), path };
  });
  const published = { day: DAY, root: root.hash, leaves: all.length * LEAVES_PER_USER, totals };
  return {
    published,
    own: { user: person.user, nonce: person.nonce, amounts: amountRows(person.amounts), leaves },
  };
}

const plus = (amount: string, atoms: bigint) => Decimal.parse(amount).plus(Decimal.ofAtoms(atoms)).toString();

interface AmountRow {
  currency: string;
  amount: string;
}
export interface Leaf {
  part: number;
  place: number;
  amounts: AmountRow[];
  path: { hash: string; amounts: AmountRow[] }[];
}
export interface ForgedProof {
  published: { day: string; root: string; leaves: number; totals: { currency: string; owed: string }[] };
  own: { user: string; nonce: string; amounts: AmountRow[]; leaves: Leaf[] };
}

const ZZZ = { currency: 'ZZZ', amount: '1' };

/** Changes that forge a proof of liabilities. The verification must reject every changed proof. */
export const CHANGES: Readonly<
  Record<string, (proof: ForgedProof, leaf: Leaf, step: Leaf['path'][number]) => void>
> = {
  'own amount': ({ own }) => (own.amounts[0]!.amount = plus(own.amounts[0]!.amount, -1n)),
  'owed twice': ({ own }) => own.amounts.push({ ...own.amounts[0]! }),
  'another user': ({ own }) => (own.user = 'somebody'),
  'another nonce': ({ own }) => (own.nonce = digest('other')),
  'leaf amount': (_, leaf) => leaf.amounts.push(ZZZ),
  'neighbour hash': (_, __, step) => (step.hash = digest('other')),
  'neighbour sums': (_, __, step) => step.amounts.push(ZZZ),
  'negative neighbour': (_, __, step) => step.amounts.push({ ...ZZZ, amount: '-1' }),
  'swapped child': (_, leaf) => (leaf.place += leaf.place % 2 === 0 ? 1 : -1),
  'missing leaf': ({ own }) => own.leaves.pop(),
  'same leaf twice': ({ own }) => (own.leaves[0] = structuredClone(own.leaves[1]!)),
  'shorter way': (_, leaf) => leaf.path.pop(),
  'longer way': (_, leaf, step) => leaf.path.push(structuredClone(step)),
  'lower total': ({ published: { totals } }) => (totals[0]!.owed = plus(totals[0]!.owed, -1n)),
  'hidden coin': ({ published }) => published.totals.pop(),
  'another root': ({ published }) => (published.root = digest('other')),
  'more leaves': ({ published }) => (published.leaves = 2 ** 20),
};
