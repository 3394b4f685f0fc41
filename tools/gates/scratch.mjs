/** Selects the folder for the temporary files of a test run. */
import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/**
 * Minimum number of free bytes in memory with which temporary files are created there. Two parallel tests need at most
 * about 2 GB, mostly for database logs; the remaining bytes are a reserve.
 */
const NEEDED_BYTES = 6 * 1024 ** 3;

/**
 * Returns a folder in memory if the machine has enough memory, otherwise a folder in the system's temporary folder. A
 * test file with a database creates, writes and deletes a thousand small files. On a disk this takes up to a tenth of
 * the time of all tests.
 * @param {number} run process ID of the run
 * @param {{ memory?: string, available?: number }} [machine] replaces the memory folder and the available
 *   bytes of this machine
 * @returns {string} a path; the folder may not exist yet
 */
export function scratchFolder(run, { memory = MEMORY, available = process.availableMemory() } = {}) {
  const isEnough = Math.min(available, freeBytes(memory)) >= NEEDED_BYTES;
  return join(isEnough ? memory : tmpdir(), `exchange-tests-${run}`);
}

/** @param {string} folder @returns {number} free bytes of its file system; 0 if the folder does not exist */
function freeBytes(folder) {
  if (!existsSync(folder)) return 0;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
