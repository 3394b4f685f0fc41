import type { IncomingMessage, Server } from 'node:http';

/** Limits on the time in which the body of a request must arrive. */
export interface ReadingLimits {
  /**
   * Milliseconds after which a body must be complete, unless it is an upload. An upload must make progress in each such
   * period.
   */
  readonly stalledMs: number;
  /** Minimum number of bytes per `stalledMs` that counts as progress. */
  readonly progressBytes: number;
  /** Milliseconds after which an upload must be complete even if it makes progress. */
  readonly uploadMs: number;
}

export const READING_LIMITS: ReadingLimits = {
  stalledMs: 30_000,
  progressBytes: 1_024,
  uploadMs: 15 * 60_000,
};

const UPLOAD = /^multipart\/form-data\b/i;

/**
 * Ends requests whose bodies do not arrive in time, with the answer of node's own timeout. An upload may take up to
 * `uploadMs` as long as `progressBytes` arrive in each interval of `stalledMs`; any other body must be complete after
 * the first interval.
 */
export function limitReading(server: Server, limits: ReadingLimits = READING_LIMITS): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined)
      return;
    const { socket } = request;
    const isUpload = UPLOAD.test(request.headers['content-type'] ?? '');
    let [read, windows] = [socket.bytesRead, 0];
    const timer = setInterval(() => {
      windows += 1;
      const isMoving = socket.bytesRead - read >= limits.progressBytes;
      read = socket.bytesRead;
      if (request.complete || socket.destroyed) return clearInterval(timer);
      if (isUpload && isMoving && windows * limits.stalledMs < limits.uploadMs) return;
      clearInterval(timer);
      const timeout = Object.assign(new Error('the body did not arrive in time'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      server.emit('clientError', timeout, socket);
    }, limits.stalledMs);
    timer.unref();
    request.once('close', () => clearInterval(timer));
  });
}
