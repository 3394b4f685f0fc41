import { wordsOfShell } from '../i18n/words.ts';
import { randomId } from '../random-id.ts';
import { toast } from '../ui/toast.tsx';
import { SessionChanged } from '../session/session-store.ts';
import { ChunkLoadError } from '../part/load-chunk.ts';

const REFERENCE_LENGTH = 8;

/**
 * Shows a notification for unhandled errors and rejected promises, except aborted requests and chunks that failed to
 * load. It contains a reference that is also logged to the browser's console. Returns a function that stops it.
 */
export function followUnexpectedErrors(): () => void {
  const show = (error: unknown): void => {
    // Chunks that failed to load show their own error in place.
    if (error instanceof ChunkLoadError || isAborted(error)) return;
    const reference = randomId().slice(0, REFERENCE_LENGTH);
    console.error(`Unexpected error ${reference}:`, error);
    toast('error', wordsOfShell('unexpected', { reference }));
  };
  const onRejection = ({ reason }: PromiseRejectionEvent): void => show(reason);
  const onError = ({ error }: ErrorEvent): void => {
    // Some errors have no error object, for example those of extension scripts and the browser's
    // ResizeObserver notice; they are ignored.
    if (error !== undefined && error !== null) show(error);
  };
  window.addEventListener('unhandledrejection', onRejection);
  window.addEventListener('error', onError);
  return () => {
    window.removeEventListener('unhandledrejection', onRejection);
    window.removeEventListener('error', onError);
  };
}

function isAborted(error: unknown): boolean {
  if (error instanceof SessionChanged) return true;
  return error instanceof DOMException && error.name === 'AbortError';
}
