import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MODULES = join(import.meta.dirname, '../../modules');
/**
 * Regular expression that matches the names of files with commands of the sequencer, or with code that finds
 * due work. Such code must not read from a replica.
 */
const MOVES_MONEY =
  /^(?:.*commands|jobs|settling|watch|charging|judging|posts|rewarding|steps|quotas|scanning|placing|triggers)\.ts$/;

it('INV-691 no file that decides about money or proposes due work reads a replica', () => {
  const files = readdirSync(MODULES, { recursive: true, encoding: 'utf8' }).filter((path) =>
    MOVES_MONEY.test(path.split('/').at(-1)!),
  );
  expect(files.length).toBeGreaterThan(20);
  const readingReplica = files.filter((path) =>
    /\breplica\b/i.test(readFileSync(join(MODULES, path), 'utf8')),
  );
  expect(readingReplica).toEqual([]);
});
