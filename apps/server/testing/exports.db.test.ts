import { HOUR_MS, instant, later, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RandomTape } from '../../../tools/verify/testing/random-tape.ts';
import { createAssets } from '../src/modules/assets/index.ts';
import { closeOldestHour, tapeLines } from '../src/modules/market/tape-hours.ts';
import { claimTape, TapeWriter } from '../src/modules/market/tape-writer-repository.ts';
import { TapeRepository } from '../src/modules/market/tape-repository.ts';
import { Proofs } from '../src/modules/seconds/proofs.ts';
import { databaseOver } from '../src/platform/database/database.ts';
import { SigningKey } from '../src/platform/secrets/signing-key.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { aMarket } from './market.ts';
import { runVerifier } from './verifier.ts';

const HOUR = instant(Math.floor(1_795_219_200_000 / HOUR_MS) * HOUR_MS);

describe('published tape files', () => {
  let testDb: TestDatabase;
  beforeEach(async () => {
    testDb = await testDatabase();
  });
  afterEach(() => testDb.drop());

  it('CON-022 the stand-alone verifier accepts keys, checkpoints, manifest and closed hours, and rejects a changed file', async () => {
    const database = databaseOver(testDb.pool);
    const tape = new RandomTape(new SeededGenerator(3), 'btcusdt');
    tape.run(later(HOUR, HOUR_MS - MINUTE_MS), 130, 5_000_000);
    const heads = tape.texts.map((text) => JSON.parse(text) as { seq: number; t: number; hash: string });
    const repository = new TapeRepository(database);
    await new TapeWriter(testDb.pool, await claimTape(database.store)).append(
      heads.map(({ seq, t, hash }, at) => ({ symbol: 'btcusdt', seq, t, hash, text: tape.texts[at]! })),
    );
    const { market } = aMarket(testDb);
    const assets = createAssets({ mode: 'live' });
    const proofs = new Proofs({ assets, database, market, signingKey: new SigningKey(Buffer.alloc(32, 7)) });
    await proofs.sign();
    const now = later(HOUR, 2 * HOUR_MS + 10 * MINUTE_MS);
    while (await closeOldestHour(repository, ['btcusdt'], now));
    const { list } = await proofs.hours('btcusdt', { pageNo: 1, pageSize: 10 });
    const [last, first] = await Promise.all(list.map(({ hour }) => proofs.file('btcusdt', hour)));
    const checkpoints = await proofs.checkpoints('btcusdt', undefined);
    expect([list.length, checkpoints.length]).toEqual([2, 2]);
    const jsonl = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
    const files = {
      'keys.json': { code: 1, data: { keys: await proofs.keys() } },
      'checkpoints.json': { code: 1, data: { checkpoints } },
      'manifest.json': { code: 1, data: { list } },
      'first.jsonl': jsonl(first!),
      'last.jsonl': jsonl(last!),
      'stretch.json': {
        lines: await tapeLines(repository, 'btcusdt', HOUR, later(HOUR, HOUR_MS + 30 * SECOND_MS)),
      },
    };
    expect(runVerifier('verify', files)).toMatchObject({ isValid: true });
    const [checkpoint] = checkpoints;
    const forged = [
      { ...checkpoint!, hash: checkpoint!.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    ];
    expect(runVerifier('verify', { ...files, 'checkpoints.json': { checkpoints: forged } }).output).toContain(
      'is of another line',
    );
    expect(runVerifier('verify', { ...files, 'last.jsonl': jsonl(last!.slice(1)) }).output).toContain(
      'the manifest says otherwise',
    );
  });
});
