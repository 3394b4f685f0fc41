import type { Duplex } from 'node:stream';

/**
 * Milliseconds within which a client must accept the status line before the connection is closed
 * without it.
 */
const TIMEOUT_MS = 1_000;

/**
 * Answers a raw connection outside of HTTP request handling with a status and no body, and closes
 * it as soon as that is written. `status` is code and reason, `headers` are complete header lines.
 * Errors of the connection are ignored.
 */
export function lastWord(socket: Duplex, status: string, headers: readonly string[] = []): void {
  tolerateResets(socket);
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  closeWithin(socket, TIMEOUT_MS);
  const lines = [`HTTP/1.1 ${status}`, ...headers, 'Connection: close', 'Content-Length: 0', '', ''];
  socket.end(lines.join('\r\n'), () => socket.destroy());
}

/**
 * Ignores errors of a connection from now on, such as a reset by the client. A socket detached from node's HTTP
 * server has no error listener, and an unhandled error would end the process.
 */
export function tolerateResets(socket: Duplex): void {
  socket.on('error', () => undefined);
}

/** Closes a connection after `ms` milliseconds at the latest. */
export function closeWithin(socket: Duplex, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
