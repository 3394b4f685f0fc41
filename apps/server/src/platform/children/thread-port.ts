import { parentPort, workerData } from 'node:worker_threads';

/** The line of a thread to the thread that started it. */
export interface ThreadPort {
  /** What the thread was started with. */
  readonly data: unknown;
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Closes the line; the thread ends when nothing else is under way. */
  close(): void;
}

/** The line of the thread that calls it; throws in a process' first thread. */
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
