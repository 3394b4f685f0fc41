import type { ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { refusalOf } from './problems.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** A file as the answer to a call. Its content is produced in parts. */
export interface FileContent {
  /** File name in printable ASCII without quotes; empty if the browser should show the answer instead of saving it. */
  readonly name: string;
  /** Content type of the file; CSV by default. */
  readonly type?: 'image/jpeg' | 'application/pdf' | typeof JSON_TYPE;
  /**
   * Parts of the content. Each part is requested after the client has accepted the previous one; `return` is called at
   * the end, also if the client disconnects.
   */
  readonly parts: AsyncGenerator<string | Buffer, void>;
}

/** Returns a JSON answer to a call that is sent in parts. A browser shows it instead of saving it. */
export function jsonAnswer(parts: AsyncGenerator<string | Buffer, void>): FileContent {
  return { name: '', type: JSON_TYPE, parts };
}

/** Returns a JPEG picture as the answer to a call. */
export function pictureFile(name: string, picture: Buffer): FileContent {
  const parts = async function* () {
    yield picture;
  };
  return { name, type: 'image/jpeg', parts: parts() };
}

/** A file whose first part has been produced, so that its transfer can start. */
export interface OpenedFile {
  readonly name: string;
  readonly type: string;
  readonly first: string | Buffer;
  readonly rest: AsyncGenerator<string | Buffer, void>;
}

export interface FileSending {
  readonly file: OpenedFile;
  readonly headers: Readonly<Record<string, string>>;
  /** Route and trace id of the request for which the file is sent, for log entries. */
  readonly about: { readonly route: string; readonly traceId: string };
}

/** A file that is ready to be sent. Unlike an `Answer` it has no property `body`. */
export type FileAnswer = Omit<FileSending, 'headers'> & { readonly status: 200; readonly code: number };

/** Milliseconds within which the client must accept a part of a file before the connection is reset. */
const READER_TIMEOUT_MS = 60_000;

/** Produces the first part of a file, so that errors until then can be answered by a refusal. */
export async function openFile({ name, type, parts }: FileContent): Promise<OpenedFile> {
  const { value } = await parts.next();
  return { name, type: type ?? 'text/csv; charset=utf-8', first: value ?? '', rest: parts };
}

/**
 * Sends files to clients, no faster than they read, and records the maximum number of bytes that were buffered for one.
 */
export class FileSender {
  readonly #log: Log;
  readonly #timeoutMs: number;
  readonly #cutFiles: { add(): void };
  #maxBufferedBytes = 0;

  constructor({ log, metrics }: { log: Log; metrics: Metrics }, timeoutMs = READER_TIMEOUT_MS) {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#cutFiles = metrics.counter('http_files_cut_total', 'Files that ended before their last part');
    metrics.gauge(
      'http_file_buffered_bytes_max',
      'The most bytes of one file that have waited for its reader since the start',
      () => this.#maxBufferedBytes,
    );
  }

  /**
   * Sends a file to its end, or until the client disconnects. If a part fails or the client stops reading, the
   * connection is reset, so that the client does not mistake the received part for the whole file, and the reason is
   * logged.
   */
  async send(response: ServerResponse, { file, headers, about }: FileSending): Promise<void> {
    try {
      if (response.destroyed) return;
      response.writeHead(200, {
        ...headers,
        'content-type': file.type,
        ...(file.name !== '' && { 'content-disposition': `attachment; filename="${file.name}"` }),
      });
      for (let part: string | Buffer | void = file.first; part !== undefined; part = await nextOf(file)) {
        if (response.destroyed) return;
        const isTaken = response.write(part);
        this.#maxBufferedBytes = Math.max(this.#maxBufferedBytes, response.writableLength);
        if (!isTaken) await this.#waitForDrain(response);
      }
      response.end();
    } catch (cause) {
      // Once the transfer has begun, a refusal can no longer be sent, so every failure resets the connection.
      const isExpected = cause instanceof SlowReader || refusalOf(cause) !== undefined;
      this.#log[isExpected ? 'warn' : 'error']('http.file_cut', { ...about, cause });
      this.#cutFiles.add();
      response.socket?.resetAndDestroy();
    } finally {
      await this.#close(file, about);
    }
  }

  /** Closes the source of a file. A failure is only logged, because the client is not affected. */
  async #close({ rest }: OpenedFile, about: FileSending['about']): Promise<void> {
    try {
      await rest.return();
    } catch (cause) {
      this.#log.error('http.file_not_closed', { ...about, cause });
    }
  }

  async #waitForDrain(response: ServerResponse): Promise<void> {
    if (response.destroyed) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (finish: () => void) => () => {
        clearTimeout(timer);
        response.off('drain', resume).off('close', resume);
        finish();
      };
      const resume = settle(resolve);
      const timer = setTimeout(
        settle(() => reject(new SlowReader('the reader of a file has stopped reading'))),
        this.#timeoutMs,
      );
      response.once('drain', resume).once('close', resume);
    });
  }
}

class SlowReader extends Error {
  override readonly name = 'SlowReader';
}

async function nextOf({ rest }: OpenedFile): Promise<string | Buffer | undefined> {
  const { done, value } = await rest.next();
  return done === true ? undefined : value;
}
