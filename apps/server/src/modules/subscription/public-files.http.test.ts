import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { ALLOCATION_VERSION, allocate, costOf } from '@exchange/core/subscription.ts';
import { subscriptionFile } from '@exchange/wire/subscription.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byForm } from '../../../../../tools/test-form.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { runVerifier } from '../../../testing/verifier.ts';
import type { Project } from './domain.ts';
import { lineOf } from './jobs.ts';
import { writePublicFile } from './public-files.ts';
import { allocatedLines, filePartsOf, findProject } from './repository.ts';
import { presentFile } from './routes.ts';
import { createProject } from './testing/projects.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Returns the expected text of the two public files of a token sale. Files that older versions of the program
 * wrote are stored as such single texts.
 */
function wholeFiles(project: Project, all: readonly Parameters<typeof lineOf>[0][], amounts: Decimal[]) {
  const { code, quote, symbol, issueAmount, ratio, hardCapUser, tokenDigits } = project;
  const allocated = allocate(amounts, project);
  const lines = all
    .map((commitment, at) => ({ line: lineOf(commitment), amount: amounts[at]!, allocated: allocated[at]! }))
    .sort((left, right) => (left.line < right.line ? -1 : 1));
  const commitments = JSON.stringify({
    project: code,
    quote,
    commitments: lines.map(({ line, amount }) => ({ line, amount: amount.toString() })),
  });
  const result = JSON.stringify({
    project: code,
    quote,
    symbol,
    algorithm: ALLOCATION_VERSION,
    isRefunded: false,
    commitmentHash: sha256(commitments),
    terms: {
      issueAmount: issueAmount.toString(),
      ratio: ratio.toString(),
      hardCapUser: hardCapUser.toString(),
      tokenDigits,
    },
    results: lines.map((entry) => {
      const cost = costOf(entry.allocated, ratio);
      return {
        line: entry.line,
        amount: entry.amount.toString(),
        allocated: entry.allocated.toString(),
        cost: cost.toString(),
        refund: entry.amount.minus(cost).toString(),
      };
    }),
  });
  return { commitments, result };
}

describe('public files of a sale', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(async () => {
    // The test has stored commitments without ledger entries, which the audit at the end would report, so it deletes
    // them.
    await exchange.database.pool.query('delete from subscription_commitment');
    await exchange.database.pool.query('update subscription_project set committed = 0');
    await exchange.close();
  });

  const pool = () => exchange.doors.database.store;

  /** Creates a token sale with `count` commitments of irregular amounts, without ledger entries. */
  async function aLargeSale(code: string, count: number) {
    const id = await createProject(exchange, code);
    await exchange.database.pool.query(
      `insert into subscription_commitment (id, project, owner, salt, amount)
      select gen_random_uuid(), $1, gen_random_uuid(), md5(n::text), 10 + (n * 7919 % 99000) / 100.0
      from generate_series(1, $2::int) as n`,
      [id, count],
    );
    await exchange.database.pool.query(
      `update subscription_project set committed = (select sum(amount) from subscription_commitment where project = $1)
      where id = $1`,
      [id],
    );
    const { rows } = await exchange.database.pool.query<Parameters<typeof lineOf>[0] & { amount: string }>(
      'select salt, owner, amount::text from subscription_commitment where project = $1 order by id',
      [id],
    );
    const project = (await findProject(pool(), { code }))!;
    const amounts = rows.map(({ amount }) => Decimal.parse(amount));
    return { id, project, whole: wholeFiles(project, rows, amounts) };
  }

  async function partsOf(id: string, kind: 'commitments' | 'result'): Promise<string[]> {
    const parts: string[] = [];
    for await (const part of filePartsOf(pool(), id, kind)) parts.push(part);
    return parts;
  }

  it('SUB-985 SUB-986 the files of a large sale are written and read in small blocks, byte for byte equal to the former single text', async () => {
    const count = byForm(4_000, 200_000);
    const { id, project, whole } = await aLargeSale('large', count);
    const { database } = exchange.doors;
    const commitmentHash = await writePublicFile(database, project, 'commitments');
    expect(commitmentHash).toBe(sha256(whole.commitments));
    const announced = { ...project, commitmentHash };
    expect(await writePublicFile(database, announced, 'result')).toBe(sha256(whole.result));
    for (const kind of ['commitments', 'result'] as const) {
      const parts = await partsOf(id, kind);
      expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(80_000);
      expect(parts.length).toBe(Math.ceil(count / 250) + 2);
      expect(sha256(parts.join(''))).toBe(sha256(whole[kind]));
      const { content } = (await exchange.call(subscriptionFile, { id, fileKind: kind })).data;
      expect(content === whole[kind]).toBe(true);
    }
    // Writing an existing public file again, even with another quote coin, changes nothing and returns the stored hash.
    expect(await writePublicFile(database, { ...announced, quote: 'ETH' }, 'result')).toBe(
      sha256(whole.result),
    );
    let lines = 0;
    for await (const block of allocatedLines(pool(), id)) lines += block.length;
    expect(lines).toBe(count);
    const files = { 'commitments.json': whole.commitments, 'result.json': whole.result };
    expect(runVerifier('subscription', files).isValid).toBe(true);
  });

  it('SUB-986 a file older than blocks is served and settled as stored', async () => {
    const { id, whole } = await aLargeSale('old', 12_000);
    for (const kind of ['commitments', 'result'] as const) {
      await exchange.database.pool.query('insert into subscription_file values ($1, $2, $3, $4)', [
        id,
        kind,
        whole[kind],
        sha256(whole[kind]),
      ]);
      const { content, sha256: hash } = (await exchange.call(subscriptionFile, { id, fileKind: kind })).data;
      expect(content === whole[kind]).toBe(true);
      expect(hash).toBe(sha256(whole[kind]));
    }
    // The stored file has more than one part.
    expect((await partsOf(id, 'result')).length).toBeGreaterThan(1);
    const published = JSON.parse(whole.result) as { results: { line: string; allocated: string }[] };
    const lines: string[] = [];
    for await (const block of allocatedLines(pool(), id))
      lines.push(...block.map(({ line, allocated }) => `${line} ${allocated.toString()}`));
    expect(lines).toEqual(published.results.map(({ line, allocated }) => `${line} ${allocated}`));
  });

  it('SUB-987 a block is read only when its reader requests it', async () => {
    let read = 0;
    const parts = (async function* () {
      for (; read < 1_000;) {
        read += 1;
        yield `"block ${read}"`;
      }
    })();
    const answer = presentFile({ parts, sha256: 'hash' });
    for (let taken = 0; taken < 4; taken += 1) await answer.next();
    expect(read).toBe(3);
    await answer.return();
    expect((await parts.next()).done).toBe(true);
  });
});
