import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { checkSettlement, contentsOf } from '@exchange/core/seconds-proof.ts';
import {
  entrySecond,
  profitOf,
  secondsFee,
  settlementSeconds,
  windowOf,
  type Direction,
} from '@exchange/core/seconds.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { HOUR_MS, instant, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { describe, expect, it } from 'vitest';
import { withOutcome } from '../../apps/server/src/modules/seconds/commands.ts';
import type { Position } from '../../apps/server/src/modules/seconds/domain.ts';
import { presentSettlement } from '../../apps/server/src/modules/seconds/present.ts';
import { commitSeed, byForm } from '../test-form.ts';
import { plantedTree } from '../testing/planted-tree.ts';
import { gathered, verdicts } from './evidence.mjs';
import { INDEX_DIGITS, RandomTape, sha256 } from './testing/random-tape.ts';
import { settlementFault } from './verify.mjs';

const START = instant(Math.floor(1_795_219_200_000 / HOUR_MS) * HOUR_MS);
const PRICE = 5_000_000;

/** Creates an open position of the seconds contract with a random direction, stake, rate and duration. */
function drawPosition(random: SeededGenerator, acceptedAt: Instant, seconds: number): Position {
  const below = (bound: number) => Math.floor(random.next() * bound);
  const stake = Decimal.ofScaled(BigInt(1_000 + below(50_000_000_000)), 8);
  const [profitRate, feeRate] = [
    Decimal.ofScaled(BigInt(1 + below(10_000)), 4),
    Decimal.ofScaled(BigInt(below(1_000)), 4),
  ];
  const entryAt = entrySecond(acceptedAt);
  return {
    id: 'position',
    owner: 'owner' as UserId,
    symbol: 'btcusdt',
    asset: 'USDT',
    stake,
    profitRate,
    feeRate,

    direction: (below(2) === 0 ? 'up' : 'down') satisfies Direction,
    seconds,
    window: windowOf(seconds),
    fee: secondsFee(stake, feeRate),
    profit: profitOf(stake, profitRate),
    digits: INDEX_DIGITS,
    termsVersion: 1,
    indexVersion: 'sc-1',
    sourcesHash: sha256(''),
    acceptedAt,
    entryAt,
    expireAt: later(entryAt, seconds * SECOND_MS),
    outcome: undefined,
  };
}

/**
 * Settles a position of the seconds contract with an index tape as the exchange does, and returns the published
 * settlement record.
 */
function publishSettlement(position: Position, tape: RandomTape, interval?: { from: Instant; to: Instant }) {
  const seconds = settlementSeconds(position.expireAt, position.window);
  const priceAt = (t: Instant) => tape.points.get(t)?.price ?? null;
  const points = { entry: priceAt(position.entryAt), window: seconds.map(priceAt) };
  const settled = withOutcome(position, points, interval && 'interval', later(position.expireAt, 700));
  const needed = new Set([position.entryAt, ...seconds]);
  const lines = tape.texts.filter((text) => needed.has((JSON.parse(text) as { t: Instant }).t));
  const publishedInterval = interval && { id: 'interval', symbol: 'btcusdt', ...interval, reason: 'a test' };
  return presentSettlement({
    position: settled,
    outcome: settled.outcome!,
    lines,
    checkpoint: undefined,
    interval: publishedInterval,
    refundInterval: undefined,
  });
}

/**
 * Returns the result of a position (`win`, `lose`, `draw` or `void`), computed independently of the
 * exchange's code, with prices as integers in units of the last decimal.
 */
function referenceResult({ terms, lines, interval }: ReturnType<typeof publishSettlement>) {
  const points = new Map<number, number>();
  for (const text of lines) {
    const { t, index } = JSON.parse(text) as { t: number; index: string | null };
    if (index === null) continue;
    const [whole = '', part = ''] = index.split('.');
    points.set(t, Number(`${whole}${part.padEnd(INDEX_DIGITS, '0')}`));
  }
  const last = Array.from({ length: terms.window }, (_, back) => points.get(terms.expireAt - back * 1_000));
  const entry = points.get(terms.entryAt);
  if (interval !== undefined || entry === undefined || last.includes(undefined)) return 'void';
  // The average of an odd number of integers is never exactly between two integers, so ordinary rounding has the same
  // result as half-even rounding.
  const settle = Math.round((last as number[]).reduce((sum, price) => sum + price, 0) / last.length);
  if (settle === entry) return 'draw';
  return settle > entry === (terms.direction === 'up') ? 'win' : 'lose';
}

describe('the verifier of seconds contracts', () => {
  it('CON-016 exchange, page, verifier and a reference implementation agree over random tapes with gaps, missing and degraded sources and equal prices', () => {
    const random = new SeededGenerator(25_000 + commitSeed);
    const below = (bound: number) => Math.floor(random.next() * bound);
    const differing: string[] = [];
    const resultCounts = new Map<string, number>();
    for (let round = 0; round < byForm(1_000, 100_000); round += 1) {
      const position = drawPosition(random, later(START, below(5_000)), 2 + below(400));
      const tape = new RandomTape(random, 'btcusdt');
      for (const t of [position.entryAt, ...settlementSeconds(position.expireAt, position.window)])
        tape.add(t, PRICE + below(8), 0.08);
      const from = later(position.entryAt, (below(3) - 1) * SECOND_MS);
      const settlement = publishSettlement(
        position,
        tape,
        below(20) === 0 && from <= position.entryAt ? { from, to: later(from, SECOND_MS) } : undefined,
      );
      const hashes = contentsOf(settlement).map(sha256);
      const onPage = Object.entries(checkSettlement(settlement, hashes)).filter(([, holds]) => !holds);
      const verdict = settlementFault(settlement);
      const result = referenceResult(settlement);
      resultCounts.set(result, (resultCounts.get(result) ?? 0) + 1);
      if (verdict !== undefined || onPage.length > 0 || result !== settlement.result)
        differing.push(`${round}: ${verdict} ${onPage.join(' ')} ${result} ${settlement.result}`);
      const other = { ...settlement, result: settlement.result === 'win' ? 'lose' : 'win' };
      if (round % 10 === 0 && settlementFault(other) === undefined)
        differing.push(`${round}: another result verifies too`);
    }
    expect(differing).toEqual([]);
    expect([...resultCounts.keys()].toSorted()).toEqual(['draw', 'lose', 'void', 'win']);
  });

  it('CON-022 finds any changed byte in keys, checkpoints, manifest, closed hours and the settlement', () => {
    const random = new SeededGenerator(9 + commitSeed);
    const below = (bound: number) => Math.floor(random.next() * bound);
    const files = createFiles(random);
    const folder = plantedTree(files);
    const names = Object.keys(files);
    const paths = names.map((name) => join(folder, name));
    const faults = (filePaths: readonly string[]) =>
      verdicts(gathered(filePaths), settlementFault).flatMap(([path, fault]) =>
        fault === undefined ? [] : [`${basename(path)}: ${fault}`],
      );
    expect(faults(paths)).toEqual([]);
    const missed: string[] = [];
    for (let round = 0; round < byForm(120, 20_000); round += 1) {
      const name = names[round % names.length]!;
      const bytes = Buffer.from(files[name]!);
      const at = below(bytes.length);
      const before = bytes[at]!;
      bytes[at] = before ^ (1 << below(8));
      const changed = join(folder, `changed-${name}`);
      writeFileSync(changed, bytes);
      const filePaths = paths.map((path) => (basename(path) === name ? changed : path));
      if (faults(filePaths).length === 0)
        missed.push(`${name} at ${at}: ${bytes.subarray(Math.max(0, at - 20), at + 20).toString()}`);
    }
    expect(missed).toEqual([]);
  });
});

/**
 * Creates two closed hours of the index tape as files, with their manifest, checkpoints, the signing key and a settled
 * position.
 */
function createFiles(random: SeededGenerator): Readonly<Record<string, string>> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const id = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16);
  const signed = (text: string) => ({
    key: id,
    signature: sign(null, Buffer.from(text), privateKey).toString('base64'),
  });
  const tape = new RandomTape(random, 'btcusdt');
  const price = tape.run(later(START, HOUR_MS - 70_000), 70, PRICE, { fault: 0 });
  tape.run(later(START, HOUR_MS), 70, price, { fault: 0 });
  const lines = tape.texts.map((text) => JSON.parse(text) as { seq: number; t: number; hash: string });
  const hours = [0, 1].map((hour) =>
    tape.texts.filter((_, at) => Math.floor((lines[at]!.t - START) / HOUR_MS) === hour),
  );
  const manifest = hours.map((texts, hour) => {
    const [first, last] = [texts[0]!, texts.at(-1)!].map(
      (text) => JSON.parse(text) as (typeof lines)[number],
    );
    return {
      symbol: 'btcusdt',
      hour: later(START, hour * HOUR_MS),
      firstSeq: first!.seq,
      lastSeq: last!.seq,
      lastHash: last!.hash,
      sha256: sha256(texts.map((text) => `${text}\n`).join('')),
    };
  });
  const checkpoints = lines
    .filter(({ seq }) => seq % 60 === 0)
    .map(({ seq, t, hash }) => ({
      symbol: 'btcusdt',
      seq,
      t,
      hash,
      ...signed(`tape|btcusdt|${seq}|${t}|${hash}`),
    }));
  const position = drawPosition(random, later(START, HOUR_MS - 65_500), 64);
  const { lines: positionLines, checkpoint: _, ...statement } = publishSettlement(position, tape);
  const settlement = {
    ...statement,
    lines: positionLines,
    checkpoint: checkpoints[1],
    receipt: signed(`settlement|${canonicalText(statement)}`),
  };
  const keys = [{ id, algorithm: 'Ed25519', publicKey: publicKey.export({ format: 'pem', type: 'spki' }) }];
  return {
    'keys.json': JSON.stringify({ keys }),
    'checkpoints.json': JSON.stringify({ checkpoints }),
    'manifest.json': JSON.stringify({ list: manifest }),
    'settlement.json': JSON.stringify(settlement),
    'btcusdt-0.jsonl': hours[0]!.map((text) => `${text}\n`).join(''),
    'btcusdt-1.jsonl': hours[1]!.map((text) => `${text}\n`).join(''),
  };
}
