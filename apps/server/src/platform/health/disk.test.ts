import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Disks } from './disk.ts';

const GIB = 2n ** 30n;
const withRoom = (free: bigint, size: bigint) =>
  new Disks({ data: '/a' }, async () => ({ free, size })).health();

it.each([
  ['less than a GiB', GIB - 1n, 4n * GIB, false],
  ['a GiB of a small disk that is a tenth', GIB, 10n * GIB, true],
  ['less than a tenth of a small disk', 19n * GIB, 191n * GIB, false],
  ['less than a tenth of a large disk', 20n * GIB, 4_000n * GIB, true],
])('EDGE-200 a folder with %s is told', async (_, free, size, isUp) => {
  expect((await withRoom(free, size)).isUp).toBe(isUp);
});

it('EDGE-200 says in a sentence which folder is short, and of all how much is free', async () => {
  const disks = new Disks({ data: '/a', backup: '/b' }, async (folder) =>
    folder === '/a' ? { free: (GIB * 3n) / 2n, size: 100n * GIB } : { free: 50n * GIB, size: 100n * GIB },
  );
  expect(await disks.health()).toEqual({
    isUp: false,
    reason: 'the data folder has 1.5 GiB free (1 %)',
    facts: { data: '1.5 GiB free (1 %)', backup: '50.0 GiB free (50 %)' },
  });
  expect(await disks.free()).toEqual({ data: 1_610_612_736, backup: 53_687_091_200 });
});

it('EDGE-200 a real folder is measured, and one that is not there yet where it will be made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  try {
    const { data, files } = await new Disks({ data: folder, files: join(folder, 'later/files') }).free();
    expect(data).toBeGreaterThan(0);
    expect(Math.abs(files! - data!)).toBeLessThan(2 ** 30);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
