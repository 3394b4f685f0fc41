import { mkdtemp, readdir, readFile, rm, stat, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import { isUuid } from '@exchange/core/ids.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DIGEST_PURPOSE } from '../signer/protocol.ts';
import { newId, randomText, systemRandom } from './random.ts';
import { openServerSecret, replaceSecretFile, sameDigest, ServerSecret } from './server-secret.ts';
import { decryptHash, SlowHash } from './slow-hash.ts';

describe('the server secret', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'secret-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('ID-080 the secret is created once and readable for its owner only, also with concurrent starts', async () => {
    const dataDirectory = join(directory, 'data');
    const opened = await Promise.all(Array.from({ length: 8 }, () => openServerSecret({ dataDirectory })));
    const seals = opened.map((secret) => secret.seal('p', 'x').toString('hex'));
    expect(new Set(seals).size).toBe(1);
    const path = join(dataDirectory, 'secret.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const hex = (await readFile(path, 'utf8')).trim();
    const fromEnvironment = await openServerSecret({
      dataDirectory: join(directory, 'unused'),
      configuredSecret: hex,
    });
    expect(fromEnvironment.seal('p', 'x').toString('hex')).toBe(seals[0]);
  });

  it('ID-081 an invalid secret, or one that other users can read, fails the start', async () => {
    const path = join(directory, 'secret.key');
    await writeFile(path, 'not hex', { mode: 0o600 });
    await expect(openServerSecret({ dataDirectory: directory })).rejects.toThrow('64 hex digits');
    await writeFile(path, 'a'.repeat(64));
    await chmod(path, 0o640);
    await expect(openServerSecret({ dataDirectory: directory })).rejects.toThrow('read by others');
    await expect(openServerSecret({ dataDirectory: directory, configuredSecret: 'short' })).rejects.toThrow(
      '64 hex digits',
    );
    const [first, other] = ['a'.repeat(64), 'b'.repeat(64)];
    for (const keys of [
      `${first}\n${other}`,
      `${first},:${other}`,
      `${first} retiring:${other} retiring:${first}`,
    ])
      await expect(openServerSecret({ dataDirectory: directory, configuredSecret: keys })).rejects.toThrow(
        'needs its own name',
      );
  });

  it('ID-101 the fingerprint identifies a secret, and no new secret is created when the old one is required', async () => {
    const [first, second] = [new ServerSecret(Buffer.alloc(32, 1)), new ServerSecret(Buffer.alloc(32, 2))];
    expect(first.fingerprint).toBe(new ServerSecret(Buffer.alloc(32, 1)).fingerprint);
    expect(first.fingerprint).not.toBe(second.fingerprint);
    expect(first.fingerprint).not.toContain('01'.repeat(8));
    const dataDirectory = join(directory, 'data');
    await expect(openServerSecret({ dataDirectory, mustExist: true })).rejects.toThrow('set SERVER_SECRET');
    await expect(stat(dataDirectory)).rejects.toThrow('ENOENT');
  });

  it('KEY-021 replacing the secret removes what a killed replacement left, and no other file', async () => {
    const dataDirectory = join(directory, 'data');
    const first = await openServerSecret({ dataDirectory });
    const draft = join(dataDirectory, 'secret.key.0a1b2c3d');
    await writeFile(draft, first.rotated(), { mode: 0o600 });
    await writeFile(join(dataDirectory, 'secret.key.old'), 'the operator’s copy');
    const text = first.rotated();
    await replaceSecretFile(dataDirectory, text);
    expect((await readdir(dataDirectory)).toSorted()).toEqual(['secret.key', 'secret.key.old']);
    expect(await readFile(join(dataDirectory, 'secret.key'), 'utf8')).toBe(text);
    expect((await openServerSecret({ dataDirectory })).retiring?.fingerprint).toBe(first.fingerprint);
  });

  it('KEY-002 two rotations keep the key of the digests of confirmed withdrawals, and replace other keys', async () => {
    const dataDirectory = join(directory, 'data');
    const first = await openServerSecret({ dataDirectory });
    const rotate = async () => {
      await replaceSecretFile(dataDirectory, (await openServerSecret({ dataDirectory })).rotated());
      await replaceSecretFile(dataDirectory, (await openServerSecret({ dataDirectory })).withoutRetiring());
      return openServerSecret({ dataDirectory });
    };
    await rotate();
    const third = await rotate();
    expect(third.key(DIGEST_PURPOSE)).toEqual(first.key(DIGEST_PURPOSE));
    expect(third.key('another purpose')).not.toEqual(first.key('another purpose'));
  });

  it('seals differ by purpose and by the boundaries of the parts', () => {
    const secret = new ServerSecret(systemRandom.bytes(32));
    const seals = [secret.seal('a', 'x', 'yz'), secret.seal('b', 'x', 'yz'), secret.seal('a', 'xy', 'z')];
    expect(new Set(seals.map((seal) => seal.toString('hex'))).size).toBe(3);
    expect(sameDigest(secret.seal('a', 'x', 'yz'), secret.seal('a', 'x', 'yz'))).toBe(true);
    expect(sameDigest(secret.seal('a', 'x'), Buffer.alloc(3))).toBe(false);
  });
});

describe('slow hashes', () => {
  it('ID-052 two hashes run at once, others wait, and beyond the queue they are refused as busy', async () => {
    const hashes = new SlowHash(new ServerSecret(systemRandom.bytes(32)), { parallel: 2, queue: 3 });
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => hashes.make('password', 'x')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(Refused);
      expect((reason as Refused).refusal).toMatchObject({ kind: 'rateLimited', key: 'l.busy' });
    }
    expect(await hashes.make('password', 'y')).toMatch(/^ring\$[0-9a-f]{8}\$/);
  });

  it('ID-054 hashes use 19 MiB and two passes by default', async () => {
    const secret = new ServerSecret(systemRandom.bytes(32));
    const stored = await new SlowHash(secret).make('password', 'Violet7stone');
    expect(decryptHash(secret, stored)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('ID-053 a hash matches only for the same purpose and key, and never without a stored hash', async () => {
    const secret = new ServerSecret(systemRandom.bytes(32));
    const hashes = new SlowHash(secret);
    const stored = await hashes.make('password', 'Violet7stone');
    expect(await hashes.matches('password', stored, 'Violet7stone')).toBe(true);
    expect(await hashes.matches('password', stored, 'violet7stone')).toBe(false);
    expect(await hashes.matches('trade-password', stored, 'Violet7stone')).toBe(false);
    expect(await hashes.matches('password', null, 'nobody has this password')).toBe(false);
    const stolen = new SlowHash(new ServerSecret(systemRandom.bytes(32)));
    await expect(stolen.matches('password', stored, 'Violet7stone')).rejects.toThrow('which is not here');
  });
});

describe('random', () => {
  it('ids are ordered by time, and random texts use the alphabet only', () => {
    const ids = Array.from({ length: 200 }, (_, n) => newId(systemRandom, instant(1_800_000_000_000 + n)));
    expect(ids.every(isUuid)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(randomText(systemRandom, 'ab', 40)).toMatch(/^[ab]{40}$/);
  });
});
