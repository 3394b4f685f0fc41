import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { newTotpSecret, totpCode } from '../../src/platform/secrets/totp.ts';
import type { ServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { sendHttp, type HttpResponse } from '../calling.ts';
import { signInOperator } from '../operators.ts';

const PAUSE_MS = 150;
const UNAUTHORISED = 401;
/**
 * HTTP statuses after which an operator's call is repeated, because the server was starting, stopping, busy or failed.
 */
const BUSY_STATUSES = [429, 500, 502, 503];

/** The console's answer to a call. `key` is the key of a refusal. */
export interface ConsoleAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | undefined;
}

interface Parts {
  /** URL of the operators' port. */
  readonly url: string;
  readonly pool: Pool;
  /** The server's secret at the time of the call, from which the demo derives the operators' logins. */
  readonly secret: () => Promise<ServerSecret>;
}

/**
 * Calls the console as the demo's operators while the server is repeatedly killed. A call without an answer is repeated
 * with its idempotency key until an answer arrives. An operator whose session has ended is signed in again.
 */
export class PatientConsole {
  private readonly parts: Parts;
  private readonly cookies = new Map<string, string>();
  private readonly signIns = new Map<string, Promise<string>>();
  private isClosed = false;
  /** Number of repeated attempts of all calls. */
  repeated = 0;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Makes all operators' calls that wait for an answer fail. */
  close(): void {
    this.isClosed = true;
  }

  /**
   * Proposes an operation as the owner and, if it needs a second operator, approves it as the
   * approver. Returns the refusal's key, or undefined if it was executed.
   */
  async decide(
    path: string,
    fields: Readonly<Record<string, string>>,
    key: string,
  ): Promise<string | undefined> {
    const proposed = await this.call('owner', path, fields, key);
    const proposal = proposed.body['proposal'];
    if (typeof proposal !== 'string') return proposed.key;
    const evidence = await this.call('approver', `/ops/proposals/${proposal}/evidence`);
    const money = evidence.body['money'] as { readonly amount?: string } | undefined;
    const approved = await this.call(
      'approver',
      `/ops/proposals/${proposal}/approve`,
      { retyped: money?.amount ?? '' },
      `${key} ${proposal}`,
    );
    return approved.key;
  }

  /**
   * Calls an operation as an operator until the console accepts or refuses the call. Other answers, e.g. of a busy
   * server or for an ended session, lead to another attempt. With `fields` the call is a POST, is confirmed with an
   * authenticator code, and carries the idempotency key. Throws if this object is closed first.
   */
  async call(
    name: string,
    path: string,
    fields?: Readonly<Record<string, string>>,
    key = '',
  ): Promise<ConsoleAnswer> {
    for (let attempt = 0; ; attempt += 1) {
      if (this.isClosed) throw new Error(`${path} got no answer`);
      if (attempt > 0) {
        this.repeated += 1;
        await sleep(PAUSE_MS);
      }
      const answer = await this.send(name, path, fields, key).catch(() => undefined);
      if (answer === undefined || BUSY_STATUSES.includes(answer.status)) continue;
      if (answer.status === UNAUTHORISED) {
        this.cookies.delete(name);
        continue;
      }
      const body = JSON.parse(answer.text) as Record<string, unknown>;
      const refusalKey = typeof body['key'] === 'string' ? body['key'] : undefined;
      if (refusalKey === 'l.operator_code_used') continue;
      return { status: answer.status, body, key: refusalKey };
    }
  }

  private async send(
    name: string,
    path: string,
    fields: Readonly<Record<string, string>> | undefined,
    key: string,
  ): Promise<HttpResponse> {
    const cookie = this.cookies.get(name) ?? (await this.signInOnce(name));
    if (fields === undefined) return sendHttp(this.parts.url + path, { method: 'GET', headers: { cookie } });
    const form = { reason: 'a reliability programme', ...fields, authenticatorCode: await this.codeOf(name) };
    return sendHttp(this.parts.url + path, {
      method: 'POST',
      headers: {
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
        'idempotency-key': key,
      },
      body: new URLSearchParams(form).toString(),
    });
  }

  /**
   * Signs an operator in and returns the session cookie. Concurrent calls share one sign-in, because an
   * authenticator code works only once.
   */
  private signInOnce(name: string): Promise<string> {
    const running = this.signIns.get(name);
    if (running !== undefined) return running;
    const signIn = this.signIn(name).finally(() => this.signIns.delete(name));
    this.signIns.set(name, signIn);
    return signIn;
  }

  private async signIn(name: string): Promise<string> {
    const secret = await this.parts.secret();
    const password = secret.seal('demo operator', name).toString('base64url').slice(0, 16);
    const cookie = await signInOperator(this.parts.url, { name, password, code: await this.codeOf(name) });
    this.cookies.set(name, cookie);
    return cookie;
  }

  /**
   * Returns the operator's current authenticator code. The database's record of the last used code is cleared
   * first, because the programme uses the same code more than once within 30 s.
   */
  private async codeOf(name: string): Promise<string> {
    const seed = (await this.parts.secret()).seal('demo operator authenticator', name);
    await this.parts.pool.query('update operator set totp_step = null where name = $1', [name]);
    return totpCode(newTotpSecret({ bytes: (count) => seed.subarray(0, count) }), systemClock.now());
  }
}
