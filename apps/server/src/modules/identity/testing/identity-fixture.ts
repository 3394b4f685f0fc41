import { randomBytes } from 'node:crypto';
import { instant, type Instant } from '@exchange/core/time.ts';
import { API_BASE, type DataOf, type Endpoint, type FieldsSent } from '@exchange/wire/endpoint.ts';
import * as wire from '@exchange/wire/user.ts';
import { AGREEMENT_FIELDS } from '../../../../testing/agreement-fields.ts';
import { anAddress, sendHttp } from '../../../../testing/calling.ts';
import { testDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { collectingLog, runningEdge } from '../../../../testing/edge.ts';
import { QUICK_HASH } from '../../../../testing/quick-hash.ts';
import { withSolvedChallenge } from '../../../../testing/proof-of-work.ts';
import { databaseOver, type Database } from '../../../platform/database/database.ts';
import { Events } from '../../../platform/events.ts';
import type { Feed } from '../../../platform/feed/feed.ts';
import type { Route } from '../../../platform/http/route.ts';
import { JobRunner } from '../../../platform/jobs/jobs.ts';
import { Limits, NO_LIMITS } from '../../../platform/limits/limits.ts';
import { MailOutbox } from '../../../platform/mail/mail.ts';
import { systemRandom } from '../../../platform/secrets/random.ts';
import { ServerSecret } from '../../../platform/secrets/server-secret.ts';
import { SignInSessions } from '../../../platform/session/sessions.ts';
import { createIdentity, mailOpening, type AccountLimits, type Identity } from '../index.ts';

/** A clock that starts at the machine's time and then advances only when the test advances it. */
export function movableClock() {
  let nowMs = Date.now();
  return {
    now: (): Instant => instant(nowMs),
    monotonicMs: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** A feed that records the messages published to single users. */
export function collectingFeed(): Feed & {
  readonly sent: { topic: string; userId: string; data: unknown }[];
} {
  const published: { topic: string; userId: string; data: unknown }[] = [];
  return {
    sent: published,
    serve: () => undefined,
    servePrivate: () => undefined,
    publish: () => undefined,
    hasListeners: () => true,
    hasPrivateListener: () => true,
    publishPrivate: (topic, userId, data) => {
      published.push({ topic, userId, data });
    },
  };
}

export type HouseParts = Omit<IdentityHouse, 'call' | 'identity' | 'close' | 'url' | 'codeFor' | 'aUser'>;

export interface Answered<Data> {
  readonly status: number;
  readonly code: number;
  readonly errKey: string | undefined;
  readonly data: Data;
  /** The body of the answer without the fields that vary: the time and the trace id. */
  readonly body: string;
  readonly ms: number;
}

export interface CallOptions {
  readonly token?: string;
  readonly address?: string;
  readonly userAgent?: string;
  readonly language?: string;
}

export interface TestUser {
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly token: string;
}

export interface IdentityHouse {
  readonly identity: Identity;
  readonly clock: ReturnType<typeof movableClock>;
  readonly database: Database;
  readonly testDatabase: TestDatabase;
  readonly events: Events;
  readonly log: ReturnType<typeof collectingLog>;
  readonly outbox: MailOutbox;
  readonly sessions: SignInSessions;
  readonly url: string;
  call<E extends Endpoint>(
    endpoint: E,
    fields: Partial<FieldsSent<E>>,
    options?: CallOptions,
  ): Promise<Answered<DataOf<E>>>;
  /**
   * Requests a mailed code, as a signed-in user if `token` is given, and reads it from the mail. Advances the clock by
   * 61 seconds before.
   */
  codeFor(
    email: string,
    purpose: wire.CodePurpose,
    token?: string,
    act?: { readonly endpoint: Endpoint; readonly about?: string },
  ): Promise<string>;
  /** Creates a user who is registered and signed in. */
  aUser(password?: string): Promise<TestUser>;
  close(): Promise<void>;
}

/**
 * Limits of an account, such as those of orders, reads and withdrawals, that the identity module shows to users in
 * these tests; the fixture does not enforce them.
 */
const LIMITS_SHOWN: AccountLimits = {
  ordersPerSecond: 10,
  ordersAtOnce: 20,
  changesPerSecond: 2,
  readsPerMinute: 1_200,
  withdrawalsPerDay: 20,
  withdrawalGapSeconds: 5,
  openOrdersPerPair: 200,
  stopOrdersPerPair: 10,
  favorites: 100,
  priceAlerts: 20,
  sessions: 20,
  feedConnections: 5,
};

export const GOOD_PASSWORD = 'Violet7stone';

/**
 * Starts the identity module behind the real HTTP layer and with a real database. The clock is simulated, mails go to
 * an outbox, and password hashes are cheap.
 */
export async function identityHouse(
  moreRoutes: (parts: HouseParts) => readonly Route[] = () => [],
  options: { readonly siteUrl?: string; readonly visitorAnswersMs?: number } = {},
): Promise<IdentityHouse> {
  const parts = await houseParts();
  const { clock, sessions, outbox } = parts;
  const identity = createIdentity({
    ...parts,
    mode: 'demo',
    mail: outbox,
    secret: new ServerSecret(randomBytes(32)),
    limits: LIMITS_SHOWN,
    hashCost: QUICK_HASH,
    ...options,
  });
  const edge = await runningEdge({
    clock,
    sessions,
    limits: new Limits(clock, NO_LIMITS),
    proxyHeader: 'x-real-ip',
    demands: identity.demands,
    routes: [...identity.routes, ...moreRoutes(parts)],
  });
  const call: IdentityHouse['call'] = (endpoint, fields, options) =>
    callOver(edge.url, endpoint, fields, options).then((answer) => {
      if (answer.status < 500) return answer;
      const logged = edge.log.events.findLast(({ event }) => event === 'http.failed');
      throw new Error(`${endpoint.path} failed`, { cause: (logged?.fields as { cause?: unknown })?.cause });
    });
  const codeFor: IdentityHouse['codeFor'] = async (email, purpose, token, act) => {
    // A second code of the same purpose is mailed to the same email address only after 60 seconds, so the clock is
    // advanced by 61 seconds first.
    clock.pass(61_000);
    const address = anAddress();
    const { code } = await withSolvedChallenge((work) =>
      call(
        wire.sendEmailCode,
        {
          email,
          type: wire.CODE_TYPES[purpose],
          ...work,
          ...(act === undefined ? {} : { act: act.endpoint.path }),
          ...(act?.about === undefined ? {} : { about: act.about }),
        },
        { address, ...(token === undefined ? {} : { token }) },
      ),
    );
    if (code !== 1) throw new Error(`no code for ${email}: ${code}`);
    const [message] = await outbox.latest(email);
    return message?.code ?? '';
  };
  return {
    ...parts,
    identity,
    url: edge.url,
    call,
    codeFor,
    aUser: async (password = GOOD_PASSWORD) => {
      const email = anEmail();
      const code = await codeFor(email, 'register');
      const fields = { email, code, password, confirmPassword: password, ...AGREEMENT_FIELDS };
      const { data } = await call(wire.register, fields, { address: anAddress() });
      return { email, password, ...data };
    },
    close: async () => {
      await edge.app.close();
      await parts.testDatabase.drop();
    },
  };
}

async function houseParts() {
  const rows = await testDatabase();
  const database = databaseOver(rows.pool);
  const clock = movableClock();
  const log = collectingLog();
  const jobs = new JobRunner({ connection: rows.connection, database, log });
  const outbox = new MailOutbox({
    database,
    clock,
    random: systemRandom,
    jobs,
    transport: undefined,
    keepsWords: true,
    opening: mailOpening,
  });
  const sessions = new SignInSessions({ database, clock, random: systemRandom });
  return { clock, database, testDatabase: rows, events: new Events(log), log, jobs, outbox, sessions };
}

async function callOver<E extends Endpoint>(
  url: string,
  endpoint: E,
  fields: Partial<FieldsSent<E>>,
  options: CallOptions = {},
): Promise<Answered<DataOf<E>>> {
  const form = new URLSearchParams(fields as Record<string, string>).toString();
  const began = performance.now();
  const isGet = endpoint.method === 'GET';
  const response = await sendHttp(`${url}${API_BASE}${endpoint.path}${isGet ? `?${form}` : ''}`, {
    method: endpoint.method,
    headers: {
      ...(isGet ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      'user-agent': options.userAgent ?? 'house-test/1.0',
      'x-real-ip': options.address ?? '203.0.113.7',
      ...(options.token === undefined ? {} : { 'x-access-token': options.token }),
      ...(options.language === undefined ? {} : { 'accept-language': options.language }),
    },
    ...(isGet ? {} : { body: form }),
  });
  const { ts: _ts, traceId: _traceId, ...rest } = JSON.parse(response.text) as Record<string, unknown>;
  const ms = performance.now() - began;
  return {
    status: response.status,
    code: rest['code'] as number,
    errKey: rest['errKey'] as string | undefined,
    data: rest['data'] as DataOf<E>,
    body: JSON.stringify(rest),
    ms,
  };
}

/** Returns an email address that no test has used. */
export function anEmail(): string {
  return `u${randomBytes(6).toString('hex')}@example.com`;
}
