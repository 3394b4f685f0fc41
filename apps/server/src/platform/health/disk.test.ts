import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Disks } from './disk.ts';

const GIB = 2n ** 30n;
const healthWith = (free: bigint, size: bigint) =>
  new Disks({ data: '/a' }, async () => ({ free, size })).health();

it.each([
  ['less than a GiB', GIB - 1n, 4n * GIB, false],
  ['a GiB of a small disk that is a tenth', GIB, 10n * GIB, true],
  ['less than a tenth of a small disk', 19n * GIB, 191n * GIB, false],
  ['less than a tenth of a large disk', 20n * GIB, 4_000n * GIB, true],
])('EDGE-200 a folder with %s is reported accordingly', async (_, free, size, isUp) => {
  expect((await healthWith(free, size)).isUp).toBe(isUp);
});

it('EDGE-200 the reason names the folder that is short, and the facts show the free space of all', async () => {
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

it('EDGE-200 an existing folder is measured, and a missing one by its nearest existing parent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  try {
    const { data, files } = await new Disks({ data: folder, files: join(folder, 'later/files') }).free();
    expect(data).toBeGreaterThan(0);
    expect(Math.abs(files! - data!)).toBeLessThan(2 ** 30);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
