import type { ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { refusalOf } from './problems.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** What a call that answers with a file gives: the file's name, and its content as far as it has been asked for. */
export interface FileContent {
  /** Printable ASCII without quotes; empty where the answer is no file to be saved. */
  readonly name: string;
  /** Text separated by commas unless told. */
  readonly type?: 'image/jpeg' | typeof JSON_TYPE;
  /** Asked for its next part only when the reader has taken the one before; ended early when the reader leaves. */
  readonly parts: AsyncGenerator<string | Buffer, void>;
}

/** A JSON answer that is sent part by part; a browser shows it instead of saving it. */
export function jsonAnswer(parts: AsyncGenerator<string | Buffer, void>): FileContent {
  return { name: '', type: JSON_TYPE, parts };
}

/** A whole picture as a file. */
export function pictureFile(name: string, picture: Buffer): FileContent {
  const parts = async function* () {
    yield picture;
  };
  return { name, type: 'image/jpeg', parts: parts() };
}

/** A file whose first part is there: from now on it is sent, or cut off. */
export interface OpenedFile {
  readonly name: string;
  readonly type: string;
  readonly first: string | Buffer;
  readonly rest: AsyncGenerator<string | Buffer, void>;
}

export interface FileSending {
  readonly file: OpenedFile;
  readonly headers: Readonly<Record<string, string>>;
  /** Names the call in the log. */
  readonly about: { readonly route: string; readonly traceId: string };
}

/** How long a reader may take for one part before it is given up. */
const READER_TIMEOUT_MS = 60_000;

/** Asks for the first part, so that whatever stands in the way of it can still be answered as a refusal. */
export async function openFile({ name, type, parts }: FileContent): Promise<OpenedFile> {
  const { value } = await parts.next();
  return { name, type: type ?? 'text/csv; charset=utf-8', first: value ?? '', rest: parts };
}

/** Sends files to their readers, no faster than they read, and measures what waits for them. */
export class FileSender {
  readonly #log: Log;
  readonly #timeoutMs: number;
  readonly #cutOff: { add(): void };
  #mostBuffered = 0;

  constructor({ log, metrics }: { log: Log; metrics: Metrics }, timeoutMs = READER_TIMEOUT_MS) {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#cutOff = metrics.counter('http_files_cut_total', 'Files that ended before their last part');
    metrics.gauge(
      'http_file_buffered_bytes_max',
      'The most bytes of one file that have waited for its reader since the start',
      () => this.#mostBuffered,
    );
  }

  /**
   * Sends a file to its end. Never rejects: where that fails the connection is reset, so that what has
   * arrived cannot be taken for the whole, and the log says why.
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
        this.#mostBuffered = Math.max(this.#mostBuffered, response.writableLength);
        if (!isTaken) await this.#drained(response);
      }
      response.end();
    } catch (cause) {
      // Half a file has no refusal: whatever failed, all that the reader can be told is that it is not whole.
      const isExpected = cause instanceof SlowReader || refusalOf(cause) !== undefined;
      this.#log[isExpected ? 'warn' : 'error']('http.file_cut', { ...about, cause });
      this.#cutOff.add();
      response.socket?.resetAndDestroy();
    } finally {
      await file.rest.return();
    }
  }

  async #drained(response: ServerResponse): Promise<void> {
    if (response.destroyed) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (act: () => void) => () => {
        clearTimeout(timer);
        response.off('drain', go).off('close', go);
        act();
      };
      const go = settle(resolve);
      const timer = setTimeout(
        settle(() => reject(new SlowReader('the reader of a file has stopped reading'))),
        this.#timeoutMs,
      );
      response.once('drain', go).once('close', go);
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
