import { exportPeriodProblem } from '@exchange/core/export.ts';
import { create } from 'zustand';
import { CallFailed, CallRefused } from '../api/call-error.ts';
import { refusedHere } from '../api/refused-here.ts';
import { labelText, useWords } from '../i18n/words.ts';
import { loadExport, type ExportFilters, type ExportKind } from './load-export.ts';
import { saveFile } from './save-file.ts';

export type { ExportFilters, ExportKind };

/** What to export. */
export interface ExportAsked {
  readonly kind: ExportKind;
  readonly filters: ExportFilters;
}

export type ExportState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly kind: ExportKind; readonly bytes: number }
  | { readonly status: 'saved'; readonly kind: ExportKind; readonly name: string; readonly bytes: number }
  | { readonly status: 'failed'; readonly kind: ExportKind; readonly error: Error };

/** Of the whole page and not of one button: the server gives a person one file at a time. */
const useExportState = create<ExportState>(() => ({ status: 'idle' }));
let running: AbortController | undefined;

/**
 * Exports what the person has done as a CSV file. `state` is that of the one export there may be at a time, on
 * whatever screen it was started; `sentence` says it in words, and is empty before the first.
 */
export function useExport() {
  const state = useExportState();
  const t = useWords('export');
  return { state, sentence: sentenceOf(state, t), start: startExport, cancel: cancelExport };
}

/** Loads the file and saves it under the server's name; never rejects, the state says. Does nothing while one is running. */
export async function startExport({ kind, filters }: ExportAsked): Promise<void> {
  if (running !== undefined) return;
  const problem = exportPeriodProblem(filters);
  if (problem !== undefined) {
    useExportState.setState({ status: 'failed', kind, error: refusedHere(problem) }, true);
    return;
  }
  const own = new AbortController();
  running = own;
  useExportState.setState({ status: 'running', kind, bytes: 0 }, true);
  try {
    const { name, file } = await loadExport(kind, filters, {
      signal: own.signal,
      onBytes: (bytes) => useExportState.setState({ status: 'running', kind, bytes }, true),
    });
    saveFile(file, name);
    useExportState.setState({ status: 'saved', kind, name, bytes: file.size }, true);
  } catch (error) {
    // Reason: every way in which a file does not come is shown; that the person stopped it needs no words.
    if (own.signal.aborted) useExportState.setState({ status: 'idle' }, true);
    else useExportState.setState({ status: 'failed', kind, error: error as Error }, true);
  } finally {
    running = undefined;
  }
}

/** Stops the running export; nothing is saved of it. */
export function cancelExport(): void {
  running?.abort();
}

function sentenceOf(state: ExportState, t: ReturnType<typeof useWords<'export'>>): string {
  if (state.status === 'idle') return '';
  if (state.status === 'running') return t('running', { size: megabytes(state.bytes) });
  if (state.status === 'saved') return t('saved', { name: state.name });
  const { error } = state;
  if (error instanceof CallRefused || error instanceof CallFailed) return labelText(error.message);
  return t('cut');
}

/** Of bytes, one digit behind the point. */
function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
