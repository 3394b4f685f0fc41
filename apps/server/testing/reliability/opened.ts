/** Whatever holds processes and folders that outlive this one. */
interface Closable {
  close(): Promise<void>;
}

const opened = new Set<Closable>();

/** Has it closed when this process is told to end. */
export function noteOpened(closable: Closable): void {
  opened.add(closable);
}

/** It was closed by whoever opened it. */
export function noteClosed(closable: Closable): void {
  opened.delete(closable);
}

/** Closes everything that is open, what was opened last first; gives what could not be closed, and why. */
export async function closeOpened(): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const closable of [...opened].toReversed())
    await closable.close().catch((cause: unknown) => failures.push(cause));
  return failures;
}
