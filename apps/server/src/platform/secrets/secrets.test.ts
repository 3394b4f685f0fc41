import { mkdtemp, readFile, rm, stat, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import { isUuid } from '@exchange/core/ids.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, randomText, systemRandom } from './random.ts';
import { openServerSecret, sameDigest, ServerSecret } from './server-secret.ts';
import { SlowHash } from './slow-hash.ts';

describe('the server secret', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('ID-080 is made once, for its owner alone, also when several start at the same moment', async () => {
    const dataDirectory = join(directory, 'data');
    const opened = await Promise.all(Array.from({ length: 8 }, () => openServerSecret({ dataDirectory })));
    const seals = opened.map((secret) => secret.seal('p', 'x').toString('hex'));
    expect(new Set(seals).size).toBe(1);
    const path = join(dataDirectory, 'secret.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const hex = (await readFile(path, 'utf8')).trim();
    const given = await openServerSecret({ dataDirectory: join(directory, 'unused'), given: hex });
    expect(given.seal('p', 'x').toString('hex')).toBe(seals[0]);
  });

  it('ID-081 one that is broken or that others can read stops the start', async () => {
    const path = join(directory, 'secret.key');
    await writeFile(path, 'not hex', { mode: 0o600 });
    await expect(openServerSecret({ dataDirectory: directory })).rejects.toThrow('64 hex digits');
    await writeFile(path, 'a'.repeat(64));
    await chmod(path, 0o640);
    await expect(openServerSecret({ dataDirectory: directory })).rejects.toThrow('read by others');
    await expect(openServerSecret({ dataDirectory: directory, given: 'short' })).rejects.toThrow(
      '64 hex digits',
    );
  });

  it('ID-101 is told from others by a fingerprint, and is not made anew where the old one is needed', async () => {
    const [one, other] = [new ServerSecret(Buffer.alloc(32, 1)), new ServerSecret(Buffer.alloc(32, 2))];
    expect(one.fingerprint).toBe(new ServerSecret(Buffer.alloc(32, 1)).fingerprint);
    expect(one.fingerprint).not.toBe(other.fingerprint);
    expect(one.fingerprint).not.toContain('01'.repeat(8));
    const dataDirectory = join(directory, 'data');
    await expect(openServerSecret({ dataDirectory, mustExist: true })).rejects.toThrow('set SERVER_SECRET');
    await expect(stat(dataDirectory)).rejects.toThrow('ENOENT');
  });

  it('seals differently for every purpose and every way to cut the parts', () => {
    const secret = new ServerSecret(systemRandom.bytes(32));
    const seals = [secret.seal('a', 'x', 'yz'), secret.seal('b', 'x', 'yz'), secret.seal('a', 'xy', 'z')];
    expect(new Set(seals.map((seal) => seal.toString('hex'))).size).toBe(3);
    expect(sameDigest(secret.seal('a', 'x', 'yz'), secret.seal('a', 'x', 'yz'))).toBe(true);
    expect(sameDigest(secret.seal('a', 'x'), Buffer.alloc(3))).toBe(false);
  });
});

describe('slow hashes', () => {
  it('ID-052 two run at once, the rest waits its turn, and beyond the queue is refused as busy', async () => {
    const hashes = new SlowHash(new ServerSecret(systemRandom.bytes(32)), { parallel: 2, queue: 3 });
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => hashes.make('password', 'x')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(Refused);
      expect((reason as Refused).refusal).toMatchObject({ kind: 'rateLimited', key: 'l.busy' });
    }
    expect(await hashes.make('password', 'y')).toMatch(/^\$argon2id\$/);
  });

  it('ID-054 take 19 MiB and two passes where nothing else is said', async () => {
    const hashes = new SlowHash(new ServerSecret(systemRandom.bytes(32)));
    expect(await hashes.make('password', 'Violet7stone')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('ID-053 match only what was stored for the same purpose under the same key, and nobody without a hash', async () => {
    const secret = new ServerSecret(systemRandom.bytes(32));
    const hashes = new SlowHash(secret);
    const stored = await hashes.make('password', 'Violet7stone');
    expect(await hashes.matches('password', stored, 'Violet7stone')).toBe(true);
    expect(await hashes.matches('password', stored, 'violet7stone')).toBe(false);
    expect(await hashes.matches('trade-password', stored, 'Violet7stone')).toBe(false);
    expect(await hashes.matches('password', null, 'nobody has this password')).toBe(false);
    const stolen = new SlowHash(new ServerSecret(systemRandom.bytes(32)));
    expect(await stolen.matches('password', stored, 'Violet7stone')).toBe(false);
  });
});

describe('random', () => {
  it('makes ids that are ordered by time and texts of the alphabet', () => {
    const ids = Array.from({ length: 200 }, (_, n) => newId(systemRandom, instant(1_800_000_000_000 + n)));
    expect(ids.every(isUuid)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(randomText(systemRandom, 'ab', 40)).toMatch(/^[ab]{40}$/);
  });
});
