import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { sizeProblem, UPLOAD_TYPES, type UploadPurpose } from '@exchange/core/upload.ts';
import { FILE_PART, type DataOf, type Endpoint } from '@exchange/wire/endpoint.ts';
import { uploadFile } from '@exchange/wire/file.ts';
import { useEffect, useState } from 'react';
import { addressed, answered, CallFailed, type CallFields } from '../api/client.ts';
import { failureText } from '../notify.ts';
import { refusalText, useWords } from '../i18n/words.ts';
import { preparePicture, type PictureSize } from './shrink-picture.ts';

const MEGABYTE = 1024 * 1024;
/** Larger files are not opened: no photo has as much, and a phone has not the memory. */
const CHOSEN_BYTES_MAX = 100 * MEGABYTE;

type UploadState =
  | { readonly status: 'empty'; readonly error?: string }
  /** The picture is being opened and made smaller. */
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

/** One picture on its way to the server. */
export interface UploadControl {
  readonly state: UploadState;
  /** Whether the picture is being prepared or sent: a form that needs it waits. */
  readonly isUnderWay: boolean;
  /** Checks a file and sends it; what is wrong with it is said before anything is sent. */
  readonly choose: (file: Blob) => void;
  readonly retry: () => void;
  readonly remove: () => void;
}

/** Holds one picture of a form. It lives in this page's memory only, and the preview ends with the component. */
export function useUpload(purpose: UploadPurpose): UploadControl {
  const [state, setState] = useState<UploadState>({ status: 'empty' });
  const t = useWords('upload');
  const [held] = useState(() => new Held());
  useEffect(() => () => held.clear(), [held]);

  const send = async (chosen: Blob) => {
    const own = held.begin(chosen);
    const refuse = (error: string) => setState({ status: 'empty', error });
    const unfit = fileProblem(chosen);
    if (unfit !== undefined) return refuse(refusalText(unfit));
    setState({ status: 'preparing' });
    const prepared = await preparePicture(chosen, purpose);
    if (own.signal.aborted) return;
    if (prepared.kind === 'heic') return refuse(t('heic'));
    if (prepared.kind === 'unknown') return refuse(refusalText(unopened(chosen)));
    const problem = tooSmall(prepared.size, purpose);
    if (problem !== undefined) return refuse(refusalText(problem));
    const { picture } = prepared;
    const address = held.show(picture);
    setState({ status: 'sending', preview: address, percent: 0 });
    try {
      const { id, width, height } = await upload(uploadFile, { purpose }, picture, {
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
    isUnderWay: state.status === 'preparing' || state.status === 'sending',
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

function unfitFile(key: Refusal['key'], parameters: Record<string, string> = {}): Refusal {
  return refusal('invalidField', key, { field: 'file', ...parameters });
}

/** Why a file is not opened at all. */
function fileProblem({ size }: Blob): Refusal | undefined {
  if (size === 0) return unfitFile('l.file_required');
  if (size <= CHOSEN_BYTES_MAX) return undefined;
  return unfitFile('l.file_too_large', { limit: String(CHOSEN_BYTES_MAX / MEGABYTE), unit: 'MB' });
}

/** Why a file could not be opened: it is no picture that is accepted, or it is a damaged one. */
function unopened({ type }: Blob): Refusal {
  return unfitFile((UPLOAD_TYPES as readonly string[]).includes(type) ? 'l.file_damaged' : 'l.file_type');
}

/** Why the server would refuse a picture of this size before it was scaled; one that is too large is scaled down. */
function tooSmall(size: PictureSize, purpose: UploadPurpose): Refusal | undefined {
  const wrong = sizeProblem(size, purpose);
  if (wrong?.kind !== 'small') return undefined;
  return unfitFile('l.file_small', { limit: String(wrong.limit), value: String(wrong.value) });
}

/** An upload of which nothing moved for so long is given up; one that moves may take as long as it needs. */
export const STALLED_MS = 60_000;

interface Sending {
  readonly signal: AbortSignal;
  /** How much of the file is on its way, in percent. */
  readonly onProgress: (percent: number) => void;
}

/**
 * Sends a file with its fields and reports on the way. Throws like `call`, and the signal's reason when aborted; the
 * end of the session stops it on its way. It has no limit as a whole: it times out when nothing has moved for 60 s.
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
    const stopWatching = watchStall(request, fail('timeout', 'l.timeout'));
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress((loaded / total) * 100));
    request.addEventListener('load', () => resolve(request.responseText));
    request.addEventListener('loadend', stopWatching);
    request.addEventListener('error', fail('network', 'l.network'));
    stop.addEventListener('abort', () => {
      request.abort();
      reject(stop.reason as Error);
    });
    request.send(body);
  });
  return answered(endpoint, new Response(text, { status: request.status }), sentUnder);
}

/** Ends a request and calls `onStall` when nothing of it has moved for `STALLED_MS`; gives the way to stop watching. */
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
