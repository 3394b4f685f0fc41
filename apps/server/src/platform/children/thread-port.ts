import { parentPort, workerData } from 'node:worker_threads';

/** A thread's connection to the thread that started it. */
export interface ThreadPort {
  /** Initial data that the parent thread has passed. */
  readonly data: unknown;
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Closes the connection to the parent thread. This thread then ends when it has no other work. */
  close(): void;
}

/** Returns a worker thread's connection to its parent thread. Throws in the main thread. */
export function threadPort(): ThreadPort {
  const port = parentPort;
  if (port === null) throw new Error('this program runs in a thread only');
  process.setSourceMapsEnabled(true);
  return {
    data: workerData,
    send: (message) => port.postMessage(message),
    onMessage: (listener) => port.on('message', listener),
    close: () => port.close(),
  };
}
