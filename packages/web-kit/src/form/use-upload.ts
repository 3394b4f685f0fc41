import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { fileProblem, sizeProblem, type UploadPurpose } from '@exchange/core/upload.ts';
import { FILE_PART, type DataOf, type Endpoint } from '@exchange/wire/endpoint.ts';
import { uploadFile } from '@exchange/wire/file.ts';
import { useEffect, useState } from 'react';
import { addressed, answered, CallFailed, type CallFields } from '../api/client.ts';
import { failureText } from '../notify.ts';
import { refusalText } from '../i18n/words.ts';

const MEGABYTE = 1024 * 1024;
const MEGAPIXEL = 1_000_000;

type UploadState =
  | { readonly status: 'empty'; readonly error?: string }
  | { readonly status: 'sending'; readonly preview: string; readonly percent: number }
  | { readonly status: 'failed'; readonly preview: string; readonly error: string }
  | {
      readonly status: 'done';
      readonly preview: string;
      readonly id: string;
      readonly width: number;
      readonly height: number;
    };

/** One picture on its way to the server. */
export interface UploadControl {
  readonly state: UploadState;
  /** Checks a file and sends it; what is wrong with it is said before anything is sent. */
  readonly choose: (file: Blob) => void;
  readonly retry: () => void;
  readonly remove: () => void;
}

/** Holds one picture of a form. It lives in this page's memory only, and the preview ends with the component. */
export function useUpload(purpose: UploadPurpose): UploadControl {
  const [state, setState] = useState<UploadState>({ status: 'empty' });
  const [held] = useState(() => new Held());
  useEffect(() => () => held.clear(), [held]);

  const send = async (chosen: Blob) => {
    const own = held.begin(chosen);
    const problem = await problemOf(chosen, purpose);
    if (own.signal.aborted) return;
    if (problem !== undefined) {
      setState({ status: 'empty', error: refusalText(problem) });
      return;
    }
    const address = held.show(chosen);
    setState({ status: 'sending', preview: address, percent: 0 });
    try {
      const { id, width, height } = await upload(uploadFile, { purpose }, chosen, {
        signal: own.signal,
        onProgress: (percent) => {
          if (!own.signal.aborted) setState({ status: 'sending', preview: address, percent });
        },
      });
      if (!own.signal.aborted) setState({ status: 'done', preview: address, id, width, height });
    } catch (error) {
      // Reason: refused, or not come through; either is said at the picture, with the way to try again.
      if (!own.signal.aborted) setState({ status: 'failed', preview: address, error: failureText(error) });
    }
  };
  return {
    state,
    choose: (chosen) => void send(chosen),
    retry: () => {
      if (held.file !== undefined) void send(held.file);
    },
    remove: () => {
      held.clear();
      setState({ status: 'empty' });
    },
  };
}

/** What must not outlive the component: the file, its preview, and the request. */
class Held {
  file: Blob | undefined;
  private running: AbortController | undefined;
  private preview = '';

  begin(file: Blob): AbortController {
    this.clear();
    this.file = file;
    this.running = new AbortController();
    return this.running;
  }

  show(file: Blob): string {
    this.preview = URL.createObjectURL(file);
    return this.preview;
  }

  clear(): void {
    this.running?.abort();
    if (this.preview !== '') URL.revokeObjectURL(this.preview);
    this.preview = '';
    this.file = undefined;
  }
}

/** What the server would refuse, as far as a browser can know it. */
async function problemOf(file: Blob, purpose: UploadPurpose): Promise<Refusal | undefined> {
  const unfit = (key: Refusal['key'], parameters: Record<string, string> = {}) =>
    refusal('invalidField', key, { field: 'file', ...parameters });
  const problem = fileProblem(file);
  if (problem?.kind === 'empty') return unfit('l.file_required');
  if (problem?.kind === 'tooLarge')
    return unfit('l.file_too_large', { limit: String(problem.limit / MEGABYTE), unit: 'MB' });
  if (problem !== undefined) return unfit('l.file_type');
  const size = await sizeOf(file);
  if (size === undefined) return unfit('l.file_damaged');
  const wrong = sizeProblem(size, purpose);
  if (wrong === undefined) return undefined;
  const { kind, limit, value } = wrong;
  return kind === 'small'
    ? unfit('l.file_small', { limit: String(limit), value: String(value) })
    : unfit('l.file_pixels', { limit: String(limit / MEGAPIXEL) });
}

async function sizeOf(file: Blob): Promise<{ width: number; height: number } | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    // Reason: a browser rejects what it cannot decode; that is the answer.
    return undefined;
  }
}

/** As long as the server waits for a whole request. */
const TIMEOUT_MS = 30_000;

interface Sending {
  readonly signal: AbortSignal;
  /** How much of the file is on its way, in percent. */
  readonly onProgress: (percent: number) => void;
}

/**
 * Sends a file with its fields and reports on the way. Throws like `call`, and the signal's reason when aborted; the
 * end of the session stops it on its way.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  fields: CallFields<E>,
  file: Blob,
  { signal, onProgress }: Sending,
): Promise<DataOf<E>> {
  const { url, headers, sentUnder } = addressed(endpoint);
  const stop = AbortSignal.any([signal, sentUnder.session]);
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  // The file's own name may tell about the person, and nobody needs it.
  body.append(FILE_PART, file, 'picture');
  const request = new XMLHttpRequest();
  const text = await new Promise<string>((resolve, reject) => {
    const fail = (reason: CallFailed['reason'], key: string) => () => reject(new CallFailed(reason, key));
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.timeout = TIMEOUT_MS;
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress((loaded / total) * 100));
    request.addEventListener('load', () => resolve(request.responseText));
    request.addEventListener('error', fail('network', 'l.network'));
    request.addEventListener('timeout', fail('timeout', 'l.timeout'));
    stop.addEventListener('abort', () => {
      request.abort();
      reject(stop.reason as Error);
    });
    request.send(body);
  });
  return answered(endpoint, new Response(text, { status: request.status }), sentUnder);
}
