import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { carriesToken, openOperatorToken, operatorTokenFile } from './operator-token.ts';

describe('the operator’s token', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'amethyst-token-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('EDGE-147 is made once in a demo, kept for its user alone, and nowhere made up in live mode', async () => {
    const demo = { mode: 'demo' as const, dataDirectory: join(folder, 'data'), operatorToken: undefined };
    const token = await openOperatorToken(demo);
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(await openOperatorToken(demo)).toBe(token);
    const path = operatorTokenFile(demo)!;
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(carriesToken(`Bearer ${token}`, token!)).toBe(true);
    expect(carriesToken(token, token!)).toBe(false);
    expect(carriesToken(undefined, token!)).toBe(false);
    await writeFile(path, 'short');
    await expect(openOperatorToken(demo)).rejects.toThrow('damaged');
    expect(await openOperatorToken({ ...demo, mode: 'live' })).toBeUndefined();
    const set = { ...demo, operatorToken: 'set-by-the-environment-of-it' };
    expect(await openOperatorToken(set)).toBe(set.operatorToken);
    expect(operatorTokenFile(set)).toBeUndefined();
  });
});
