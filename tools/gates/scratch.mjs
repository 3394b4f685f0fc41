/** Where the tests of a run lay what lives no longer than the run. */
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Two tests at once use at most about two gigabytes, most of it the logs of their databases. */
const NEEDED_BYTES = 6 * 1024 ** 3;

/**
 * In memory where this machine has enough of it: a database for each file of tests is a thousand small files that are made, synced
 * and removed again, and on a disk that costs as much as a tenth of all tests.
 * @param {number} run whose folder it is, a process ID
 * @param {{ memory?: string, available?: number }} [machine] another than this one
 * @returns {string} it need not exist yet
 */
export function scratchFolder(run, { memory = MEMORY, available = process.availableMemory() } = {}) {
  const isEnough = Math.min(available, freeBytes(memory)) >= NEEDED_BYTES;
  return join(isEnough ? memory : tmpdir(), `exchange-tests-${run}`);
}

/** @param {string} folder @returns {number} */
function freeBytes(folder) {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
