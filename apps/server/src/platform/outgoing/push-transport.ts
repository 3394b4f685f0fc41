import { Agent, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { RequestDetails } from 'web-push';
import { publicLookup } from './public-addresses.ts';

/** The answer of a push service to a push. */
export interface PushAnswer {
  readonly status: number;
  /**
   * Seconds to wait before the next push to the service, from the header `Retry-After`; undefined if it contains no
   * positive number.
   */
  readonly retryAfterSeconds: number | undefined;
}

/** Interface of objects that send encrypted pushes to push services. */
export interface PushTransport {
  /** Sends a push. Rejects if there is no answer, with `NotPublic` if the host's address is not public. */
  send(details: RequestDetails): Promise<PushAnswer>;
  close(): void;
}

interface TransportOptions {
  /** Resolves host names; by default `publicLookup`. */
  readonly lookup?: LookupFunction;
  /** Certificates in PEM that are trusted instead of Node's own authorities. Only tests set this. */
  readonly ca?: string;
  /** Port of all push services; default 443. Only tests set this. */
  readonly port?: number;
  readonly timeoutMs?: number;
}

const HTTPS_PORT = 443;
const TIMEOUT_MS = 10_000;
const SOCKETS_MAX = 16;

/** Sends pushes over https. Redirections are not followed, and bodies of answers are not read. */
export class HttpsPushTransport implements PushTransport {
  private readonly agent: Agent;
  private readonly port: number;
  private readonly timeoutMs: number;

  constructor({
    lookup = publicLookup(),
    ca,
    port = HTTPS_PORT,
    timeoutMs = TIMEOUT_MS,
  }: TransportOptions = {}) {
    this.agent = new Agent({
      keepAlive: true,
      maxSockets: SOCKETS_MAX,
      lookup,
      ca,
    });
    this.port = port;
    this.timeoutMs = timeoutMs;
  }

  send({ endpoint, method, headers, body }: RequestDetails): Promise<PushAnswer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        endpoint,
        {
          agent: this.agent,
          port: this.port,
          method,
          headers,
          signal: AbortSignal.timeout(this.timeoutMs),
        },
        (answer) => {
          const seconds = Number(answer.headers['retry-after']);
          // The body of the answer is not needed and is not read, because a hostile server could send one without end.
          answer.destroy();
          resolve({
            status: answer.statusCode ?? 0,
            retryAfterSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
