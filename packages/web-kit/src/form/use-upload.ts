import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { sizeProblem, UPLOAD_TYPES, type UploadPurpose } from '@exchange/core/upload.ts';
import { FILE_PART, type DataOf, type Endpoint } from '@exchange/wire/endpoint.ts';
import { uploadFile } from '@exchange/wire/file.ts';
import { useEffect, useState } from 'react';
import { requestTarget, parseResponse, CallFailed, type CallFields } from '../api/client.ts';
import { failureText } from '../notify.ts';
import { refusalText, useWords } from '../i18n/words.ts';
import { preparePicture, type PictureSize } from './shrink-picture.ts';

const MEGABYTE = 1024 * 1024;
/**
 * Maximum size in bytes of a chosen picture file; larger files are refused without being opened, because decoding them
 * may exhaust a phone's memory.
 */
const CHOSEN_BYTES_MAX = 100 * MEGABYTE;

type UploadState =
  | { readonly status: 'empty'; readonly error?: string }
  /** The browser is decoding the picture and scaling it down. */
  | { readonly status: 'preparing' }
  | { readonly status: 'sending'; readonly preview: string; readonly percent: number }
  | { readonly status: 'failed'; readonly preview: string; readonly error: string }
  | {
      readonly status: 'done';
      readonly preview: string;
      readonly id: string;
      readonly width: number;
      readonly height: number;
    };

/** State and actions of the upload of one picture. */
export interface UploadControl {
  readonly state: UploadState;
  /** True while the picture is being prepared or sent; a form with this picture cannot be submitted then. */
  readonly isUnderWay: boolean;
  /** Checks a file and uploads it. If the check fails, its error is shown and nothing is sent. */
  readonly choose: (file: Blob) => void;
  readonly retry: () => void;
  readonly remove: () => void;
}

/**
 * State and actions of one picture of a form. The file is stored only in the page's memory; its preview URL is revoked
 * when the component unmounts.
 */
export function useUpload(purpose: UploadPurpose): UploadControl {
  const [state, setState] = useState<UploadState>({ status: 'empty' });
  const t = useWords('upload');
  const [resources] = useState(() => new UploadResources());
  useEffect(() => () => resources.clear(), [resources]);

  const send = async (chosen: Blob) => {
    const controller = resources.start(chosen);
    const refuse = (error: string) => setState({ status: 'empty', error });
    const fileRefusal = fileProblem(chosen);
    if (fileRefusal !== undefined) return refuse(refusalText(fileRefusal));
    setState({ status: 'preparing' });
    const prepared = await preparePicture(chosen, purpose);
    if (controller.signal.aborted) return;
    if (prepared.kind === 'heic') return refuse(t('heic'));
    if (prepared.kind === 'unknown') return refuse(refusalText(unopenedRefusal(chosen)));
    const sizeRefusal = tooSmallRefusal(prepared.size, purpose);
    if (sizeRefusal !== undefined) return refuse(refusalText(sizeRefusal));
    const { picture } = prepared;
    const address = resources.show(picture);
    setState({ status: 'sending', preview: address, percent: 0 });
    try {
      const { id, width, height } = await upload(uploadFile, { purpose }, picture, {
        signal: controller.signal,
        onProgress: (percent) => {
          if (!controller.signal.aborted) setState({ status: 'sending', preview: address, percent });
        },
      });
      if (!controller.signal.aborted) setState({ status: 'done', preview: address, id, width, height });
    } catch (error) {
      if (!controller.signal.aborted)
        setState({ status: 'failed', preview: address, error: failureText(error) });
    }
  };
  return {
    state,
    isUnderWay: state.status === 'preparing' || state.status === 'sending',
    choose: (chosen) => void send(chosen),
    retry: () => {
      if (resources.file !== undefined) void send(resources.file);
    },
    remove: () => {
      resources.clear();
      setState({ status: 'empty' });
    },
  };
}

/**
 * File, preview URL and request of an upload. They are released when the picture is removed or replaced, and when the
 * component unmounts.
 */
class UploadResources {
  file: Blob | undefined;
  private running: AbortController | undefined;
  private preview = '';

  start(file: Blob): AbortController {
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

function unfitFile(key: Refusal['key'], parameters: Record<string, string> = {}): Refusal {
  return refusal('invalidField', key, { field: 'file', ...parameters });
}

/** Returns a refusal if a chosen file is empty or too large to be opened; otherwise undefined. */
function fileProblem({ size }: Blob): Refusal | undefined {
  if (size === 0) return unfitFile('l.file_required');
  if (size <= CHOSEN_BYTES_MAX) return undefined;
  return unfitFile('l.file_too_large', { limit: String(CHOSEN_BYTES_MAX / MEGABYTE), unit: 'MB' });
}

/** Returns the refusal for a file that the browser could not open: unsupported type or damaged. */
function unopenedRefusal({ type }: Blob): Refusal {
  return unfitFile((UPLOAD_TYPES as readonly string[]).includes(type) ? 'l.file_damaged' : 'l.file_type');
}

/**
 * Returns a refusal of a picture below the minimum size in pixels, measured before scaling; otherwise undefined. A
 * picture above the maximum is scaled down, not refused.
 */
function tooSmallRefusal(size: PictureSize, purpose: UploadPurpose): Refusal | undefined {
  const problem = sizeProblem(size, purpose);
  if (problem?.kind !== 'small') return undefined;
  return unfitFile('l.file_small', { limit: String(problem.limit), value: String(problem.value) });
}

/**
 * Maximum time in milliseconds during which an upload transfers no data; then the upload is aborted. The total duration
 * of an upload is not limited.
 */
export const STALLED_MS = 60_000;

interface Sending {
  readonly signal: AbortSignal;
  /** Called with the percentage of the file that has been sent. */
  readonly onProgress: (percent: number) => void;
}

/**
 * Uploads a file with the request's fields and reports the progress. Rejects with the same errors as `call`, or with
 * the signal's reason when aborted; the end of the session aborts the upload. The upload has no total time limit, but
 * fails when no data has been transferred for 60 seconds.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  fields: CallFields<E>,
  file: Blob,
  { signal, onProgress }: Sending,
): Promise<DataOf<E>> {
  const { url, headers, sentUnder } = requestTarget(endpoint);
  const signalOrSessionEnd = AbortSignal.any([signal, sentUnder.session]);
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
  // The original file name is replaced, because it may contain personal data and the server does not need it.
  body.append(FILE_PART, file, 'picture');
  const request = new XMLHttpRequest();
  const text = await new Promise<string>((resolve, reject) => {
    const fail = (reason: CallFailed['reason'], key: string) => () => reject(new CallFailed(reason, key));
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const stopWatching = watchStall(request, fail('timeout', 'l.timeout'));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress((loaded / total) * 100));
    request.addEventListener('load', () => resolve(request.responseText));
    request.addEventListener('loadend', stopWatching);
    request.addEventListener('error', fail('network', 'l.network'));
    signalOrSessionEnd.addEventListener('abort', () => {
      request.abort();
      reject(signalOrSessionEnd.reason as Error);
    });
    request.send(body);
  });
  return parseResponse(endpoint, new Response(text, { status: request.status }), sentUnder);
}

/**
 * Aborts a request and calls `onStall` when no data has been transferred for `STALLED_MS` milliseconds. Returns a
 * function that stops the timer.
 */
function watchStall(request: XMLHttpRequest, onStall: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = setTimeout(() => {
      onStall();
      request.abort();
    }, STALLED_MS);
  };
  for (const step of ['progress', 'load']) request.upload.addEventListener(step, restart);
  request.addEventListener('progress', restart);
  restart();
  return stop;
}
