import type { Duplex } from 'node:stream';

/** How long a client may take to accept a status line before it is cut off without one. */
const TIMEOUT_MS = 1_000;

/**
 * Answers a raw connection, one that no HTTP answer belongs to (any more), with a status and no body, and closes
 * it as soon as that is written, whether or not the client closes its side. `status` is code and reason,
 * `headers` are whole lines. Nothing that the client does meanwhile is an error of ours.
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
 * From now on a client that resets the connection only loses it. A socket that left node's HTTP server has no
 * listener for errors, and an error that nobody listens to ends the process.
 */
export function tolerateResets(socket: Duplex): void {
  socket.on('error', () => undefined);
}

/** Closes a connection at the latest after some time. */
export function closeWithin(socket: Duplex, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}
