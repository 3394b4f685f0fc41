import { FILE_PART, type DataOf, type Endpoint } from '@exchange/wire/endpoint.ts';
import { addressed, answered, CallFailed, type CallFields } from './client.ts';

/** As long as the server waits for a whole request. */
const TIMEOUT_MS = 30_000;

interface Sending {
  readonly signal: AbortSignal;
  /** How much of the file is on its way, in percent. */
  readonly onProgress: (percent: number) => void;
}

/** Sends a file with its fields and reports on the way. Throws like `call`, and the signal's reason when aborted. */
export async function upload<E extends Endpoint>(
  endpoint: E,
  fields: CallFields<E>,
  file: Blob,
  { signal, onProgress }: Sending,
): Promise<DataOf<E>> {
  const { url, headers, token } = addressed(endpoint);
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
    signal.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason as Error);
    });
    request.send(body);
  });
  return answered(endpoint, new Response(text, { status: request.status }), token);
}
