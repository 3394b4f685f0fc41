import type { IncomingMessage, Server } from 'node:http';

/** How long a request's body may take to arrive, in milliseconds and bytes. */
export interface ReadingLimits {
  /** Any body but an upload is there after this; an upload makes progress within this. */
  readonly stalledMs: number;
  /** Fewer bytes within `stalledMs` are no progress. */
  readonly progressBytes: number;
  /** Even an upload that makes progress is there after this. */
  readonly uploadMs: number;
}

export const READING_LIMITS: ReadingLimits = {
  stalledMs: 30_000,
  progressBytes: 1_024,
  uploadMs: 15 * 60_000,
};

const UPLOAD = /^multipart\/form-data\b/i;

/**
 * Ends requests whose bodies do not arrive. An upload over a slow line may take minutes, as long as bytes keep coming; the
 * server's own limit counts from the beginning and would end it. The connection is answered as after that limit.
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
