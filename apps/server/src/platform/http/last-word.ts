import type { Duplex } from 'node:stream';

/** Milliseconds after which the connection is closed even if the client has not read the answer. */
const TIMEOUT_MS = 1_000;

/**
 * Sends an HTTP answer without a body directly to a socket, and closes the socket when the answer is written,
 * at the latest after `TIMEOUT_MS`. `status` is the code and the reason; `headers` are complete header lines.
 * Errors of the connection are ignored; a socket that is not writable any more is closed without an answer.
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
