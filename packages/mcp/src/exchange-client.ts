import { apiRestrictions, time, type ApiCall } from '@exchange/wire/public-api/calls.ts';
import type { Clock } from './clock.ts';
import { ToolFailed } from './session.ts';
import type { SigningKey } from './settings.ts';

/** Texts of the parameters of a call by name. */
export type Sent = Readonly<Record<string, string>>;

/** An answer of the exchange. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly body: string;
  /** Seconds to wait after a refusal for too many requests; undefined for others. */
  readonly retryAfter: string | undefined;
}

/** A signed request, which the exchange executes once however often it arrives. */
export interface SignedRequest {
  readonly call: ApiCall;
  readonly query: string;
  /** Milliseconds UTC of the exchange; afterwards the request is refused. */
  readonly validUntil: number;
}

interface KeyPermissions {
  readonly enableSpotAndMarginTrading: boolean;
  readonly enableWithdrawals: boolean;
}

/** No answer arrived, so that it is unknown whether the request was executed. */
export class NoAnswer extends ToolFailed {}

const TIMEOUT_MS = 15_000;
/** How long a request may be on its way. */
const READ_WINDOW_MS = 10_000;
/** The error of a request whose time is outside of its window. */
const WRONG_TIME = -1021;

/** Sends calls of the trading API. Throws a `ToolFailed` for what the exchange refuses or cannot answer. */
export class ExchangeClient {
  private readonly url: string;
  private readonly key: SigningKey | undefined;
  private readonly clock: Clock;
  private permissions: Promise<KeyPermissions> | undefined;
  /** Milliseconds by which the clock of the exchange is ahead; undefined before it was read. */
  private offsetMs: number | undefined;

  constructor(url: string, key: SigningKey | undefined, clock: Clock) {
    this.url = url;
    this.key = key;
    this.clock = clock;
  }

  /** The data of a call that reads. */
  async read<Data>(call: ApiCall, sent: Sent, signal?: AbortSignal): Promise<Data> {
    return JSON.parse(await this.text(call, sent, signal)) as Data;
  }

  /** The answer to a call as it arrived. Signed calls need a key, which must not be one that may withdraw. */
  async text(call: ApiCall, sent: Sent, signal?: AbortSignal): Promise<string> {
    if (call.access === 'open') return accepted(await this.send(call, queryOf(sent), signal));
    await this.requireKey(call);
    return this.signedText(call, sent, signal);
  }

  /** Signs a request that may be sent again until `windowMs` have passed. Requires that the key may trade. */
  async sign(call: ApiCall, sent: Sent, windowMs: number): Promise<SignedRequest> {
    await this.requireKey(call);
    return this.signUnchecked(call, sent, windowMs);
  }

  /** Sends a signed request; the same one may be sent again. Throws `NoAnswer` if none arrived. */
  deliver({ call, query }: SignedRequest, signal?: AbortSignal): Promise<ExchangeAnswer> {
    return this.send(call, query, signal);
  }

  /** Milliseconds UTC by the clock of the exchange. */
  async exchangeTime(): Promise<number> {
    if (this.offsetMs === undefined) {
      const { body } = await this.send(time, '');
      this.offsetMs = (JSON.parse(body) as { serverTime: number }).serverTime - this.clock.now();
    }
    return this.clock.now() + this.offsetMs;
  }

  private async signedText(call: ApiCall, sent: Sent, signal?: AbortSignal): Promise<string> {
    const first = await this.deliver(await this.signUnchecked(call, sent, READ_WINDOW_MS), signal);
    if (codeOf(first) !== WRONG_TIME) return accepted(first);
    // The clock of this machine was set since its difference was measured.
    this.offsetMs = undefined;
    return accepted(await this.deliver(await this.signUnchecked(call, sent, READ_WINDOW_MS), signal));
  }

  private async signUnchecked(call: ApiCall, sent: Sent, windowMs: number): Promise<SignedRequest> {
    const timestamp = await this.exchangeTime();
    const query = queryOf({ ...sent, recvWindow: String(windowMs), timestamp: String(timestamp) });
    const signature = encodeURIComponent(this.key!.sign(query));
    return {
      call,
      query: `${query}&signature=${signature}`,
      validUntil: timestamp + windowMs,
    };
  }

  /** Requires a key that cannot withdraw and that permits the call. */
  private async requireKey(call: ApiCall): Promise<void> {
    if (this.key === undefined)
      throw new ToolFailed(
        'This needs a key of the exchange: the person who runs this server sets EXCHANGE_API_KEY and EXCHANGE_API_SECRET. Market data need none.',
      );
    const { enableWithdrawals, enableSpotAndMarginTrading } = await this.permissionsOfKey();
    if (enableWithdrawals)
      throw new ToolFailed(
        'The key may withdraw and is therefore not used. The person has to create a key without that permission for the assistant.',
      );
    if (call.action !== 'read' && !enableSpotAndMarginTrading)
      throw new ToolFailed('The key may only read. A key that may trade is needed for orders.');
  }

  /** What the key may do. It is read once, because permissions of a key do not change; a failure is not remembered. */
  private permissionsOfKey(): Promise<KeyPermissions> {
    this.permissions ??= this.signedText(apiRestrictions, {}).then(
      (text) => JSON.parse(text) as KeyPermissions,
      (cause: unknown) => {
        this.permissions = undefined;
        throw cause;
      },
    );
    return this.permissions;
  }

  private async send(
    { method, path, access }: ApiCall,
    query: string,
    signal?: AbortSignal,
  ): Promise<ExchangeAnswer> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const headers: Record<string, string> =
      access === 'open' || this.key === undefined ? {} : { 'x-mbx-apikey': this.key.key };
    try {
      const response = await fetch(`${this.url}${path}${query === '' ? '' : `?${query}`}`, {
        method,
        headers,
        redirect: 'error',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      return {
        status: response.status,
        body: await response.text(),
        retryAfter: response.headers.get('retry-after') ?? undefined,
      };
    } catch {
      throw new NoAnswer(
        `The exchange at ${this.url} did not answer. Is its address right and is it running?`,
      );
    }
  }
}

function queryOf(sent: Sent): string {
  return new URLSearchParams(sent).toString();
}

/** The code of the error that an answer contains; undefined if it is none. */
export function codeOf({ status, body }: ExchangeAnswer): number | undefined {
  return status < 400 ? undefined : errorOf(body)?.code;
}

/** The body of an answer. Throws a `ToolFailed` with code and text of an error. */
export function accepted({ status, body, retryAfter }: ExchangeAnswer): string {
  if (status < 400) return body;
  const error = errorOf(body);
  const text = error === undefined ? 'The answer is not readable.' : `${error.code}: ${error.msg}`;
  const wait = retryAfter === undefined ? '' : ` Wait ${retryAfter} seconds before the next request.`;
  throw new ToolFailed(`The exchange refused the request (HTTP ${status}). ${text}${wait}`);
}

function errorOf(body: string): { readonly code: number; readonly msg: string } | undefined {
  try {
    const { code, msg } = JSON.parse(body) as { code?: unknown; msg?: unknown };
    return typeof code === 'number' && typeof msg === 'string' ? { code, msg } : undefined;
  } catch {
    // Something between this server and the exchange answered.
    return undefined;
  }
}
