import { wordsOfShell } from '../i18n/words.ts';
import { randomId } from '../random-id.ts';
import { toast } from '../ui/toast.tsx';
import { SessionChanged } from '../session/session-store.ts';
import { ChunkLoadError } from '../part/load-chunk.ts';

const REFERENCE_LENGTH = 8;

/**
 * Shows a notification for each unhandled error and rejected promise, except for aborted requests, chunks that failed
 * to load and error events without an error object. The notification contains a reference, with which the error is also
 * logged to the browser's console. Returns a function that removes the listeners.
 */
export function followUnexpectedErrors(): () => void {
  const show = (error: unknown): void => {
    // Not reported here are a chunk that failed to load, because the component that needs the chunk shows an
    // error, and a request that was aborted or whose session has changed.
    if (error instanceof ChunkLoadError || isAborted(error)) return;
    const reference = randomId().slice(0, REFERENCE_LENGTH);
    console.error(`Unexpected error ${reference}:`, error);
    toast('error', wordsOfShell('unexpected', { reference }));
  };
  const onRejection = ({ reason }: PromiseRejectionEvent): void => show(reason);
  const onError = ({ error }: ErrorEvent): void => {
    // Events without an error object are ignored, for example those of extensions' scripts and the browser's
    // ResizeObserver notice.
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
