import { createHash } from 'node:crypto';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { allocate, costOf } from '@exchange/core/subscription.ts';
import { describe, expect, it } from 'vitest';
import {
  commitmentFileHead,
  commitmentRow,
  FILE_END,
  resultFileHead,
  resultRow,
  type Project,
} from '../../apps/server/src/modules/subscription/domain.ts';
import { commitSeed, inForm } from '../test-form.ts';
import { saleFault } from './subscription.mjs';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The two public files of a random sale, written as the exchange writes them. */
function drawnSale(random: SeededGenerator) {
  const below = (bound: number) => Math.floor(random.next() * bound);
  const commitments = Array.from({ length: 1 + below(20) }, (_, at) => ({
    line: sha256(`${random.next()} ${at}`),
    amount: Decimal.ofScaled(BigInt(1 + below(10 ** (1 + below(9)))), below(3)),
  }));
  const isCancelled = below(10) === 0;
  const terms = {
    code: 'sale',
    quote: 'USDT',
    symbol: 'NEW',
    tokenDigits: below(9),
    isCancelled,
    softCap: undefined,
    issueAmount: Decimal.ofWhole(1 + below(10 ** (1 + below(9)))),
    ratio: Decimal.ofScaled(BigInt(1 + below(5_000)), 2),
    hardCapUser: Decimal.ofWhole(1 + below(10 ** (1 + below(8)))),
    committed: sum(commitments.map(({ amount }) => amount)),
  };
  const project = terms as unknown as Project;
  const given = isCancelled
    ? commitments.map(() => Decimal.zero)
    : allocate(
        commitments.map(({ amount }) => amount),
        project,
      );
  const made = fileOf(commitmentFileHead(project), commitments, commitmentRow);
  const announced = { ...project, commitmentHash: sha256(made) };
  const lines = commitments.map((one, at) => {
    const allocated = given[at]!;
    return { ...one, allocated, cost: costOf(allocated, project.ratio) };
  });
  return { made, result: fileOf(resultFileHead(announced), lines, resultRow) };
}

function fileOf<Line extends { readonly line: string }>(
  head: string,
  lines: readonly Line[],
  rowOf: (line: Line) => string,
): string {
  const ordered = lines.toSorted((one, other) => (one.line < other.line ? -1 : 1));
  return head + ordered.map(rowOf).join(',') + FILE_END;
}

describe('the verifier of subscriptions', () => {
  it('SUB-014 divides every random sale as the exchange did, and finds a byte changed anywhere in both files', () => {
    const random = new SeededGenerator(39_000 + commitSeed);
    const below = (bound: number) => Math.floor(random.next() * bound);
    const differing: string[] = [];
    for (let turn = 0; turn < inForm(300, 20_000); turn += 1) {
      const { made, result } = drawnSale(random);
      const project = { commitmentHash: sha256(made), resultHash: sha256(result) };
      const alone = saleFault(made, result);
      const both = saleFault(made, result, project);
      if (alone !== undefined || both !== undefined) differing.push(`${turn}: ${alone} ${both} ${result}`);
      const flipped = (text: string) => {
        const bytes = Buffer.from(text);
        const at = below(bytes.length);
        bytes[at] = bytes[at]! ^ (1 << below(8));
        return bytes.toString('utf8');
      };
      if (isHolding(flipped(made), result)) differing.push(`${turn}: other commitments hold too`);
      if (isHolding(made, flipped(result), project)) differing.push(`${turn}: another result holds too`);
      const amounts = /"allocated":"(\d)/;
      const more = result.replace(amounts, (_, digit: string) => `"allocated":"${(Number(digit) + 1) % 10}`);
      if (isHolding(made, more)) differing.push(`${turn}: another allocation holds too`);
    }
    expect(differing).toEqual([]);
  });
});

function isHolding(...files: Parameters<typeof saleFault>): boolean {
  try {
    return saleFault(...files) === undefined;
  } catch {
    return false;
  }
}
