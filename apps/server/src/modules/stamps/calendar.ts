import { PROOF_BYTES_MAX } from './opentimestamps.ts';

const TIMEOUT_MS = 10_000;
const NOT_FOUND = 404;
const HEADERS = { accept: 'application/vnd.opentimestamps.v1', 'user-agent': 'exchange' };

/** A client of an OpenTimestamps calendar: a server that collects digests and commits to them in Bitcoin blocks. */
export class Calendar {
  /** Base URL of the calendar without a slash at the end. */
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /**
   * Submits a digest and returns the calendar's timestamp of it. Throws if the calendar does not answer or refuses it.
   */
  async submit(digest: Buffer): Promise<Buffer> {
    const answer = await this.request('/digest', digest);
    if (answer === undefined) throw new Error(`${this.url} accepts no digests`);
    return answer;
  }

  /**
   * Fetches the operations and attestations that a calendar has added for a submitted message. Undefined while the
   * calendar has none, usually until a Bitcoin block attests the message.
   */
  upgrade(message: Buffer): Promise<Buffer | undefined> {
    return this.request(`/timestamp/${message.toString('hex')}`);
  }

  /**
   * Sends a POST request with `content`, or a GET request without it. Returns the response; undefined if the calendar
   * has no such data. Throws for any other error.
   */
  private async request(path: string, content?: Buffer): Promise<Buffer | undefined> {
    const response = await fetch(`${this.url}${path}`, {
      method: content === undefined ? 'GET' : 'POST',
      body: content === undefined ? null : new Uint8Array(content),
      headers: HEADERS,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === NOT_FOUND) return undefined;
    if (!response.ok) throw new Error(`${this.url} answers with status ${response.status}`);
    return readAtMost(response, PROOF_BYTES_MAX);
  }
}

/** Returns the body of a calendar's response. Throws as soon as it exceeds `most` bytes. */
async function readAtMost(response: Response, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > most) throw new Error(`the answer exceeds ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
