import { exportPeriodProblem } from '@exchange/core/period.ts';
import type { CsvEndpoint, FieldsOf, PdfEndpoint } from '@exchange/wire/endpoint.ts';
import { exportRecords } from '@exchange/wire/export.ts';
import { create } from 'zustand';
import { CallFailed, type CallFields, CallRefused, callForFile } from '../api/client.ts';
import { localRefusal } from '../api/local-refusal.ts';
import { labelText, useWords } from '../i18n/words.ts';
import { saveFile } from '../save-file.ts';
import { onUserChange } from '../session/user-keys.ts';
import { sessionSignal } from '../session/session-store.ts';

/** The kind of records and the filters that a user chose for an export. */
export interface ExportRequest {
  readonly kind: ExportKind;
  readonly filters: ExportFilters;
}

export type ExportState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly kind: ExportKind; readonly bytes: number }
  | { readonly status: 'saved'; readonly kind: ExportKind; readonly name: string; readonly bytes: number }
  | { readonly status: 'failed'; readonly kind: ExportKind; readonly error: Error };

/**
 * State of the export of the user's records, shared by all screens of the page, because the server permits only one
 * running export per user.
 */
const useExportState = create<ExportState>(() => ({ status: 'idle' }));
let runningExport: AbortController | undefined;

/**
 * Provides the export of the user's records as a CSV file. `state` is the state of the only export of this
 * page, also if it was started on another screen. `sentence` is the text about it for the user; empty if
 * there was no export. `start` begins an export, `cancel` aborts it.
 */
export function useExport() {
  const state = useExportState();
  const t = useWords('export');
  return { state, sentence: sentenceOf(state, t), start: startExport, cancel: cancelExport };
}

onUserChange(() => {
  runningExport?.abort();
  runningExport = undefined;
  useExportState.setState({ status: 'idle' }, true);
});

/**
 * Downloads the export and saves it under the name that the server states. Never rejects: errors are stored in the
 * state. Does nothing while another export is running. If the user signs in or out, the export is aborted without a
 * message.
 */
export async function startExport({ kind, filters }: ExportRequest): Promise<void> {
  if (runningExport !== undefined) return;
  const problem = exportPeriodProblem(filters);
  if (problem !== undefined) {
    useExportState.setState({ status: 'failed', kind, error: localRefusal(problem) }, true);
    return;
  }
  const controller = new AbortController();
  runningExport = controller;
  const signal = AbortSignal.any([controller.signal, sessionSignal()]);
  useExportState.setState({ status: 'running', kind, bytes: 0 }, true);
  try {
    const { name, file } = await downloadExport(kind, filters, {
      signal,
      onBytes: (bytes) => {
        if (!signal.aborted) useExportState.setState({ status: 'running', kind, bytes }, true);
      },
    });
    signal.throwIfAborted();
    saveFile(file, name);
    useExportState.setState({ status: 'saved', kind, name, bytes: file.size }, true);
  } catch (error) {
    // If the user aborts the export, or signs in or out, no error is shown. Every other failure is shown.
    if (runningExport !== controller) return;
    if (signal.aborted) useExportState.setState({ status: 'idle' }, true);
    else useExportState.setState({ status: 'failed', kind, error: error as Error }, true);
  } finally {
    if (runningExport === controller) runningExport = undefined;
  }
}

/** Aborts the running export. No file is saved. */
export function cancelExport(): void {
  runningExport?.abort();
}

function sentenceOf(state: ExportState, t: ReturnType<typeof useWords<'export'>>): string {
  if (state.status === 'idle') return '';
  if (state.status === 'running') return t('running', { size: megabytes(state.bytes) });
  if (state.status === 'saved') return t('saved', { name: state.name });
  const { error } = state;
  if (error instanceof CallRefused || error instanceof CallFailed) return labelText(error.message);
  return t('cut');
}

/** Formats a number of bytes as megabytes (1,000,000 bytes) with one decimal and without the unit. */
function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

export type ExportKind = FieldsOf<typeof exportRecords>['kind'];
/** The kinds of records that can be exported, in display order. */
export const EXPORT_KINDS: readonly ExportKind[] = ['orders', 'fills', 'events', 'movements'];
/** Filters of the exported records. `startTime` and `endTime` are in milliseconds UTC, both included. */
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

/** Thrown if the download ended before the file was complete. The received part is discarded. */
export class IncompleteDownload extends Error {
  override readonly name = 'IncompleteDownload';
}

/**
 * Maximum number of milliseconds without received data, before the first chunk or between two chunks. After that the
 * download is aborted and has failed.
 */
const TIMEOUT_MS = 45_000;
/** Received chunks are merged into blobs of this many bytes, so that the browser can store them on disk. */
const MERGE_BYTES = 8_000_000;
const FILE_NAME = /filename="([\w.-]+)"/;

interface Loading {
  readonly signal: AbortSignal;
  /** Called after each chunk with the number of bytes received so far. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Downloads an exported file completely and returns it with its name. If the download does not start, it
 * throws like `callForFile`. If it ends early, it throws `IncompleteDownload`. If `signal` is aborted, it
 * throws the signal's reason.
 */
export function downloadExport(
  kind: ExportKind,
  filters: ExportFilters,
  loading: Loading,
): Promise<LoadedFile> {
  const fields = { ...filters, kind, format: 'csv' } as CallFields<typeof exportRecords>;
  return downloadFile(exportRecords, fields, `${kind}.csv`, loading);
}

/**
 * Downloads the file of an endpoint completely. `name` is the file's name if the server states none. Throws like
 * `downloadExport`.
 */
export async function downloadFile<E extends CsvEndpoint | PdfEndpoint>(
  endpoint: E,
  fields: CallFields<E>,
  name: string,
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
    const response = await callForFile(endpoint, fields, { timeout: timeout.signal, signal });
    const sentName = FILE_NAME.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? name;
    const pieces: Blob[] = [];
    let parts: Uint8Array<ArrayBuffer>[] = [];
    let [bytes, waiting] = [0, 0];
    for await (const part of partsOf(response, signal)) {
      restartTimeout();
      parts.push(part);
      bytes += part.length;
      waiting += part.length;
      if (waiting >= MERGE_BYTES) {
        pieces.push(new Blob(parts));
        [parts, waiting] = [[], 0];
      }
      onBytes?.(bytes);
    }
    return {
      name: sentName,
      file: new Blob([...pieces, ...parts], { type: response.headers.get('content-type') ?? '' }),
    };
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
      // The body cannot be read to its end if the download was aborted, or if the connection was lost. Only the lost
      // connection is reported as an incomplete download.
      if (signal.aborted) throw error;
      throw new IncompleteDownload('export:cut');
    }
    if (read.done) return;
    yield read.value;
  }
}
