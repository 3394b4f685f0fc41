/** A resource whose processes and folders would outlive this process. */
interface Closable {
  close(): Promise<void>;
}

const opened = new Set<Closable>();

/** Registers a resource. If this process ends early, the resource is closed. */
export function registerResource(closable: Closable): void {
  opened.add(closable);
}

/** Removes a resource from the registry after its owner has closed it. */
export function unregisterResource(closable: Closable): void {
  opened.delete(closable);
}

/** Closes all registered resources, last registered first. Returns the errors. */
export async function closeResources(): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const closable of [...opened].toReversed())
    await closable.close().catch((cause: unknown) => failures.push(cause));
  return failures;
}
