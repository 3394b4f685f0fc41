/**
 * Names of the jobs that a worker can run instead of the writer. The handler of such a job reads and writes the
 * database and reaches servers outside of the exchange. It reads no state of started modules, executes no step of the
 * sequencer, publishes no event for users' connections, and uses no files of the data folder. Decision 225 lists all
 * jobs with the reasons.
 */
const WORKER_JOBS: ReadonlySet<string> = new Set([
  'convert.removeStale',
  'kyc.erasePhotos',
  'mail.cleanUp',
  'mail.send',
  'proofs.take',
  'push.cleanUp',
  'push.send',
  'seconds.signTape',
  'stamps.take',
  'support.forget',
  'watchlist.cleanUp',
  'watchlist.mailAlerts',
  'withdrawals.removeOrphanedRecords',
]);

/**
 * Returns a function that returns whether a process runs the job with the given name; undefined if the
 * process runs all jobs, because it is the whole exchange or a writer without workers.
 */
export function jobsRunBy({
  role,
  hasWorkers,
}: {
  readonly role: string;
  readonly hasWorkers: boolean;
}): ((name: string) => boolean) | undefined {
  if (role === 'worker') return (name) => WORKER_JOBS.has(name);
  return hasWorkers ? (name) => !WORKER_JOBS.has(name) : undefined;
}

/** All names of jobs that workers run, in alphabetical order. */
export const workerJobs: readonly string[] = [...WORKER_JOBS];
