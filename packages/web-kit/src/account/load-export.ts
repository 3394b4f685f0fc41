import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { callForFile, type CallFields } from '../api/client.ts';
import { CallFailed } from '../api/call-error.ts';

export type ExportKind = FieldsOf<typeof exportRecords>['kind'];
/** What narrows the file; `startTime` and `endTime` in milliseconds, both belong to the period. */
export type ExportFilters = Omit<
  CallFields<typeof exportRecords>,
  'kind' | 'format' | 'startTime' | 'endTime'
> & {
  readonly startTime: number;
  readonly endTime: number;
};

export interface LoadedFile {
  readonly name: string;
  readonly file: Blob;
}

/** The file broke off before its end; what had come is of no use to anybody. */
export class FileCutOff extends Error {
  override readonly name = 'FileCutOff';
}

/** Nothing came for so long: the connection is dead, whatever it says. */
const TIMEOUT_MS = 45_000;
/** Parts are joined at this size, so that the browser can keep them on its disk. */
const JOINED_BYTES = 8_000_000;
const FILE_NAME = /filename="([\w.-]+)"/;

interface Loading {
  readonly signal: AbortSignal;
  /** Called after every part with how much has come. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Loads an exported file to its end. Throws `CallRefused` or `CallFailed` when none begins, `FileCutOff`
 * when it does not end as a whole, and the signal's reason when it is aborted.
 */
export async function loadExport(
  kind: ExportKind,
  filters: ExportFilters,
  { signal, onBytes }: Loading,
): Promise<LoadedFile> {
  const timeout = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimeout = () => {
    clearTimeout(timer);
    timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  };
  restartTimeout();
  try {
    const fields = { ...filters, kind, format: 'csv' } as CallFields<typeof exportRecords>;
    const response = await callForFile(exportRecords, fields, { timeout: timeout.signal, signal });
    const name = FILE_NAME.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `${kind}.csv`;
    const pieces: Blob[] = [];
    let parts: Uint8Array<ArrayBuffer>[] = [];
    let [bytes, waiting] = [0, 0];
    for await (const part of partsOf(response, signal)) {
      restartTimeout();
      parts.push(part);
      bytes += part.length;
      waiting += part.length;
      if (waiting >= JOINED_BYTES) {
        pieces.push(new Blob(parts));
        [parts, waiting] = [[], 0];
      }
      onBytes?.(bytes);
    }
    return { name, file: new Blob([...pieces, ...parts], { type: 'text/csv;charset=utf-8' }) };
  } finally {
    clearTimeout(timer);
  }
}

async function* partsOf(response: Response, signal: AbortSignal) {
  if (response.body === null) throw new CallFailed('answer', 'l.error');
  const reader = response.body.getReader();
  for (;;) {
    let read;
    try {
      read = await reader.read();
    } catch (error) {
      // Reason: a body fails when it is aborted, which is no fault, or when the connection ends before it does.
      if (signal.aborted) throw error;
      throw new FileCutOff('export:cut');
    }
    if (read.done) return;
    yield read.value;
  }
}
