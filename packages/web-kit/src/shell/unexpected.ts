import { wordsOfShell } from '../i18n/words.ts';
import { randomId } from '../random-id.ts';
import { toast } from '../ui/toast.tsx';
import { SessionChanged } from '../session/session-store.ts';
import { ChunkLoadError } from '../part/load-chunk.ts';

const REFERENCE_LENGTH = 8;

/**
 * Shows a notice for every error in an action that no code has handled, so that no press stays silent. The notice
 * carries a reference under which the error stands in the browser's console. Returns the way to stop.
 */
export function followUnexpectedErrors(): () => void {
  const show = (error: unknown): void => {
    // Parts of the page that did not load say so in their place.
    if (error instanceof ChunkLoadError || isAborted(error)) return;
    const reference = randomId().slice(0, REFERENCE_LENGTH);
    console.error(`Unexpected error ${reference}:`, error);
    toast('error', wordsOfShell('unexpected', { reference }));
  };
  const onRejection = ({ reason }: PromiseRejectionEvent): void => show(reason);
  const onError = ({ error }: ErrorEvent): void => {
    // Scripts of extensions and the browser's own notice about layout carry no error object.
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
