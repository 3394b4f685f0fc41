/** Measures the processor time of a command and of all processes that it starts, such as databases and browsers. */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Number of ticks per second: Linux reports processor time in ticks of 1/100 s on every platform that Node.js supports.
 */
const TICKS_PER_SECOND = 100;
/**
 * Interval in milliseconds at which all processes are read. Reading them takes 5 ms, so that two readings per second
 * would take one percent of the measured time.
 */
const SAMPLE_EVERY_MS = 2_000;

/** @typedef {import('./processor-time.mjs').ProcessTimes} ProcessTimes */

/**
 * Measures the processor time of a process and its descendants. A process whose parent ends first, such as a database
 * that serves several workers, still counts. Work between the last sample and the end of the root process (up to two
 * seconds) is not counted.
 * @param {number} root process ID
 * @param {() => readonly ProcessTimes[]} [list] returns the running processes
 * @returns {{ sample: () => void, stop: () => number | undefined }} `stop` ends the sampling and returns seconds, or
 * undefined if no sample contained the process, for example because the system cannot list processes
 */
export function followProcess(root, list = runningProcesses) {
  /** @type {Map<string, ProcessTimes>} the newest sample of each process that belongs to the root */
  const known = new Map();
  let endedSeconds = 0;
  let isSampled = false;

  function sample() {
    const running = list();
    const byId = new Map(running.map((process) => [process.id, process]));
    const members = new Map(
      running.filter((process) => belongs(process, byId)).map((process) => [keyOf(process), process]),
    );
    const before = new Map([...known.values()].map((process) => [process.id, process]));
    for (const [key, process] of known)
      if (!members.has(key) && !hasLivingAncestor(process, before, members)) endedSeconds += process.seconds;
    known.clear();
    for (const [key, process] of members) known.set(key, process);
    isSampled ||= members.size > 0;
  }

  /**
   * Returns whether a process is the root, was counted in an earlier sample, or descends from such a process.
   * @param {ProcessTimes} process @param {ReadonlyMap<number, ProcessTimes>} byId @returns {boolean}
   */
  function belongs(process, byId) {
    if (process.id === root || known.has(keyOf(process))) return true;
    const parent = byId.get(process.parent);
    return parent !== undefined && belongs(parent, byId);
  }

  sample();
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    sample,
    stop: () => {
      clearInterval(timer);
      sample();
      const running = [...known.values()].reduce((sum, { seconds }) => sum + seconds, 0);
      return isSampled ? endedSeconds + running : undefined;
    },
  };
}

/**
 * Returns whether an ancestor of an ended process is still running. This ancestor has waited for the process, so the
 * ancestor's time already includes that of the ended process.
 * @param {ProcessTimes} process @param {ReadonlyMap<number, ProcessTimes>} before the previous sample by process ID
 * @param {ReadonlyMap<string, ProcessTimes>} members the current sample by key @returns {boolean}
 */
function hasLivingAncestor(process, before, members) {
  const parent = before.get(process.parent);
  if (parent === undefined) return false;
  return members.has(keyOf(parent)) || hasLivingAncestor(parent, before, members);
}

/** @param {ProcessTimes} process */
function keyOf({ id, startedAt }) {
  return `${id} ${startedAt}`;
}

/** @returns {readonly ProcessTimes[]} all processes of the machine; empty on systems without /proc */
export function runningProcesses() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => timesOf(Number(name)));
  } catch {
    // Systems other than Linux have no /proc; the table of steps then contains no processor seconds.
    return [];
  }
}

/** @param {number} id @returns {ProcessTimes[]} the times of this one process; empty if the process has ended */
function timesOf(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1');
    // The process name, which is in parentheses, can itself contain spaces and parentheses, so the other fields are
    // read after the last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [
      {
        id,
        parent: Number(fields[1]),
        startedAt: fields[19] ?? '',
        seconds: ticks / TICKS_PER_SECOND,
      },
    ];
  } catch {
    // The process has ended since the processes were listed.
    return [];
  }
}
