import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { requireFileName, type FileStore } from './file-store.ts';

export interface S3Settings {
  /** URL of the bucket, optionally with a prefix: `https://s3.eu-central-1.amazonaws.com/bucket/files`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const TIMEOUT_MS = 10_000;
/**
 * Number of retries after a 429 or 5xx answer of the bucket, after random pauses whose upper limit doubles each time.
 */
const RETRIES = 3;
const FIRST_PAUSE_MS = 100;

/** Stores files in an S3-compatible bucket. Requests are signed with AWS Signature Version 4. */
export class S3FileStore implements FileStore {
  private readonly url: string;
  private readonly client: AwsClient;

  constructor({ url, region, accessKeyId, secretAccessKey }: S3Settings) {
    this.url = url.replace(/\/+$/, '');
    this.client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      retries: RETRIES,
      initRetryMs: FIRST_PAUSE_MS,
    });
  }

  async put(name: string, content: Buffer): Promise<void> {
    const hash = createHash('sha256').update(content).digest('hex');
    const body = new Uint8Array(content);
    const answer = await this.request('PUT', name, { body, headers: { 'x-amz-content-sha256': hash } });
    if (!answer.ok) throw storeError('PUT', answer);
  }

  async get(name: string): Promise<Buffer | undefined> {
    const answer = await this.request('GET', name);
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw storeError('GET', answer);
    return Buffer.from(await answer.arrayBuffer());
  }

  async delete(name: string): Promise<void> {
    const answer = await this.request('DELETE', name);
    if (!answer.ok && answer.status !== 404) throw storeError('DELETE', answer);
  }

  private request(method: string, name: string, init: RequestInit = {}): Promise<Response> {
    requireFileName(name);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return this.client.fetch(`${this.url}/${name}`, { method, signal, ...init });
  }
}

/**
 * Returns the error of a failed bucket request. It contains neither the URL nor the answer's body, because
 * both may contain data that must not be logged.
 */
function storeError(method: string, { status }: Response): Error {
  return new Error(`the object store answered ${method} with ${status}`);
}
