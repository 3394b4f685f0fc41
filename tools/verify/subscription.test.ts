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
import { commitSeed, byForm } from '../test-form.ts';
import { saleFault } from './subscription.mjs';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Creates a random token sale with its two public files, in the format of the exchange. */
function drawSale(random: SeededGenerator) {
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
  const allocations = isCancelled
    ? commitments.map(() => Decimal.zero)
    : allocate(
        commitments.map(({ amount }) => amount),
        project,
      );
  const commitmentFile = fileOf(commitmentFileHead(project), commitments, commitmentRow);
  const announced = { ...project, commitmentHash: sha256(commitmentFile) };
  const lines = commitments.map((commitment, at) => {
    const allocated = allocations[at]!;
    return { ...commitment, allocated, cost: costOf(allocated, project.ratio) };
  });
  return { commitmentFile, result: fileOf(resultFileHead(announced), lines, resultRow) };
}

function fileOf<Line extends { readonly line: string }>(
  head: string,
  lines: readonly Line[],
  rowOf: (line: Line) => string,
): string {
  const ordered = lines.toSorted((first, second) => (first.line < second.line ? -1 : 1));
  return head + ordered.map(rowOf).join(',') + FILE_END;
}

describe('the verifier of subscriptions', () => {
  it('SUB-014 allocates every random sale like the exchange and finds any changed byte in both files', () => {
    const random = new SeededGenerator(39_000 + commitSeed);
    const below = (bound: number) => Math.floor(random.next() * bound);
    const differing: string[] = [];
    for (let round = 0; round < byForm(300, 20_000); round += 1) {
      const { commitmentFile, result } = drawSale(random);
      const project = { commitmentHash: sha256(commitmentFile), resultHash: sha256(result) };
      const alone = saleFault(commitmentFile, result);
      const both = saleFault(commitmentFile, result, project);
      if (alone !== undefined || both !== undefined) differing.push(`${round}: ${alone} ${both} ${result}`);
      const flipped = (text: string) => {
        const bytes = Buffer.from(text);
        const at = below(bytes.length);
        bytes[at] = bytes[at]! ^ (1 << below(8));
        return bytes.toString('utf8');
      };
      if (isHolding(flipped(commitmentFile), result))
        differing.push(`${round}: other commitments verify too`);
      if (isHolding(commitmentFile, flipped(result), project))
        differing.push(`${round}: another result verifies too`);
      const amounts = /"allocated":"(\d)/;
      const more = result.replace(amounts, (_, digit: string) => `"allocated":"${(Number(digit) + 1) % 10}`);
      if (isHolding(commitmentFile, more)) differing.push(`${round}: another allocation verifies too`);
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
