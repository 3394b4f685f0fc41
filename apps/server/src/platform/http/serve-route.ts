import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import { SUCCESS } from '@exchange/wire/codes.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import { fieldNormaliser } from '@exchange/wire/spelling.ts';
import type * as z from 'zod/mini';
import type { Clock } from '../clock.ts';
import type { Limits } from '../limits/limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { Submission, type Submissions } from '../sequencer/submission.ts';
import { addressOf } from './address.ts';
import type { Admission } from './admission.ts';
import { addressGroup } from '../limits/address-group.ts';
import { keyOf, localeOfRequest, tokenOf, traceIdOf, userAgentOf } from './caller.ts';
import { behindDemands, proofFields, type DemandEnforcer } from './demands.ts';
import { refusalAnswer, streamedSuccess, successPrinter, type Answer, type Stamp } from './envelope.ts';
import { StreamedJson } from './exact-json.ts';
import { jsonAnswer, openFile, type FileContent, type FileSending } from './file-answer.ts';
import { decodeForm, decodeFormText, type FormFields } from './form.ts';
import { fieldRefusal, refusalOf } from './problems.ts';
import type { ReadUpload } from './upload.ts';
import type { Caller, Route, Session } from './route.ts';
import type { Sessions } from './sessions.ts';

/** Dependencies for serving calls. */
export interface EdgeParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly sessions: Sessions;
  /** Answers repetitions of calls with an idempotency key. */
  readonly submissions: Pick<Submissions, 'serve'>;
  /** Enforce the demands of access descriptions. */
  readonly demands: readonly DemandEnforcer[];
  readonly proxyHeader: string | undefined;
  /** Compares every answer with its description and fails the call when they differ; for tests. */
  readonly checksAnswers: boolean;
}

/** Dependencies for serving calls, including the port's admission. */
export interface ServingParts extends EdgeParts {
  readonly admission: Pick<Admission, 'groupOf' | 'enter' | 'enterHeavy'>;
}

const SLOW_MS = 1_000;
const SESSION_ENDED = refusal('sessionEnded', 'l.session_ended');
const FAILED = refusal('generic', 'l.error');
const SESSION_LOOK_UP = { limit: 'publicRead', weight: 1 } as const;

/** A file that is ready to be sent; distinguished from an envelope by the absence of a body. */
type FileAnswer = Omit<FileSending, 'headers'> & { readonly status: 200; readonly code: number };

/**
 * `body` has arrived completely. An upload is passed as a function that reads it, called once the session and
 * limits are checked.
 */
type ServeRequest = (
  request: IncomingMessage,
  body: Buffer | ReadUpload | undefined,
  response: ServerResponse,
) => Promise<Answer | FileAnswer>;

/**
 * Returns a function that serves a call, from its bytes to its envelope or the start of its file; it never
 * rejects. Created once per route.
 */
export function serveRoute(route: Route, parts: ServingParts): ServeRequest {
  const { endpoint } = route;
  const { clock, metrics } = parts;
  const { envelope } = endpoint;
  const success = envelope === 'csv' || envelope === 'image' ? undefined : successPrinter(envelope);
  const meter = metrics.ofRoute(endpoint.path);
  const perform = performer(route, parts);
  const isMarket = envelope === 'tick' || envelope === 'data';

  return async (request, body, response) => {
    const startMs = clock.monotonicMs();
    const traceId = traceIdOf(request);
    let answer: Answer | FileAnswer;
    try {
      const payload = await perform(request, body, { response, traceId });
      const stamp = { ts: clock.now(), traceId };
      if (payload instanceof StreamedJson)
        answer = await beginFile(jsonAnswer(streamedSuccess(payload, stamp)), endpoint, traceId);
      else answer = success?.(payload, stamp) ?? (await beginFile(payload, endpoint, traceId));
      if (parts.checksAnswers && 'body' in answer) checkAnswer(endpoint, answer.body);
    } catch (thrown) {
      // Refusals become answers. Everything else is a bug, which is logged in full but not revealed to the
      // caller.
      const stamp = { ts: clock.now(), traceId };
      answer = answerTo(thrown, localeOfRequest(request), stamp, isMarket);
      if (answer.status >= 500)
        parts.log.error('http.failed', { route: endpoint.path, traceId, cause: thrown });
    }
    const ms = clock.monotonicMs() - startMs;
    meter.answered(answer.code, ms);
    if (ms > SLOW_MS) parts.log.warn('http.slow', { route: endpoint.path, traceId, ms: Math.round(ms) });
    return answer;
  };
}

async function beginFile(payload: unknown, { path }: Endpoint, traceId: string): Promise<FileAnswer> {
  const file = await openFile(payload as FileContent);
  return { status: 200, code: SUCCESS, file, about: { route: path, traceId } };
}

/** Converts a thrown value to an answer: its refusal, or a 500 without internal details. */
export function answerTo(
  thrown: unknown,
  locale: ReturnType<typeof localeOfRequest>,
  stamp: Stamp,
  isMarket = false,
): Answer {
  const reason = refusalOf(thrown);
  return reason === undefined
    ? refusalAnswer(FAILED, locale, stamp, isMarket, 500)
    : refusalAnswer(reason, locale, stamp, isMarket);
}

/** The response to a request and its trace id for the log. */
interface Answering {
  readonly response: ServerResponse;
  readonly traceId: string;
}

const BUSY = rateLimited(1);

function performer(route: Route, parts: ServingParts) {
  const { endpoint } = route;
  const { limits, sessions, proxyHeader } = parts;
  const needsUser = endpoint.access.who === 'user';
  const isGet = endpoint.method === 'GET';
  const execute = executor(route, parts);
  const charge = (price: Endpoint['charge'], address: string, session: Session | undefined) => {
    const seconds = limits.charge(price, { addressGroup: addressGroup(address), userId: session?.userId });
    if (seconds > 0) throw new Refused(rateLimited(seconds));
  };

  const sessionOf = async (token: string | undefined, address: string): Promise<Session | undefined> => {
    const remembered = token === undefined ? undefined : sessions.remembered(token);
    if (remembered !== undefined) return remembered;
    // The address is charged before a database lookup, so that invalid tokens cannot overload the database.
    if (needsUser || token !== undefined) charge(SESSION_LOOK_UP, address, undefined);
    return token === undefined ? undefined : sessions.find(token);
  };

  return async (
    request: IncomingMessage,
    body: Buffer | ReadUpload | undefined,
    { response, traceId }: Answering,
  ): Promise<unknown> => {
    const address = addressOf(request, proxyHeader);
    const session = await sessionOf(tokenOf(request), address);
    if (needsUser && session === undefined) throw new Refused(SESSION_ENDED);
    charge(endpoint.charge, address, session);
    // Undefined for calls that are never heavy, which need no cost check after their fields are parsed.
    const admit =
      endpoint.costOf === undefined
        ? undefined
        : async (fields: unknown) => {
            const { surcharge = 0, isHeavy = false } = endpoint.costOf?.(fields) ?? {};
            if (surcharge > 0) charge({ ...endpoint.charge, weight: surcharge }, address, session);
            if (isHeavy) await enterHeavy(parts.admission, addressGroup(address), response);
          };

    if (typeof body === 'function') {
      const upload = await body(requireUserId(endpoint, session));
      try {
        return await execute(
          request,
          { fields: upload.fields, file: upload.file },
          { address, session, traceId, admit },
        );
      } finally {
        upload.done();
      }
    }
    return execute(request, { fields: fieldsOf(request, body, isGet) }, { address, session, traceId, admit });
  };
}

/** Waits for a slot for heavy answers and holds it until the answer is sent or the client disconnects. */
async function enterHeavy(
  admission: ServingParts['admission'],
  group: string,
  response: ServerResponse,
): Promise<void> {
  const entering = admission.enterHeavy(group);
  if (entering === undefined) throw new Refused(BUSY);
  const release = await entering;
  if (response.destroyed) {
    release();
    throw new Refused(BUSY);
  }
  response.once('close', release);
}

/** The identified caller of a request, and the cost check of its fields. */
interface IdentifiedCaller extends Pick<Caller, 'address' | 'session' | 'traceId'> {
  /** Charges the surcharge of the fields and waits for a slot when the answer is heavy. */
  readonly admit: ((fields: unknown) => Promise<void>) | undefined;
}

/**
 * Returns a function that executes a call after its fields were decoded. A repeated submission receives its
 * first answer; everything else passes the call's spacing and demands first.
 */
function executor(route: Route, parts: ServingParts) {
  const { endpoint, once } = route;
  // Where `clientId` is an ordinary field of the call (the order to cancel), only the header is an idempotency
  // key.
  const hasKeyField = endpoint.idempotent;
  const serveWithDemands = behindDemands(endpoint, parts);
  const serveWithSpacing = behindSpacing(endpoint, parts.limits);
  const submissionOf = submissionReader(route, parts.demands);
  const readSpelling = fieldNormaliser(endpoint.fields);
  return (
    request: IncomingMessage,
    { fields: sentFields, file }: { readonly fields: FormFields; readonly file?: Buffer },
    { address, session, traceId, admit }: IdentifiedCaller,
  ): unknown => {
    const fields = readSpelling(sentFields);
    const key = keyOf(request, hasKeyField ? fields : {});
    const checked = endpoint.fields.safeParse(fields);
    const submission =
      key === undefined || session === undefined || !checked.success
        ? undefined
        : submissionOf?.({ actor: session.userId, key }, fields, checked.data);
    const caller: Caller = {
      session,
      locale: localeOfRequest(request),
      address,
      userAgent: userAgentOf(request),
      traceId,
      key,
      submission,
    };
    const checkAndServe = (): unknown => {
      if (!checked.success) throw new Refused(fieldRefusal(checked.error.issues, fields));
      const serve =
        admit === undefined
          ? () => route.serve(checked.data, caller, file)
          : async () => {
              await admit(checked.data);
              return route.serve(checked.data, caller, file);
            };
      if (serveWithDemands === undefined || session === undefined) return serve();
      const call = {
        fields: checked.data as Readonly<Record<string, unknown>>,
        caller: { ...caller, session },
      };
      return serveWithDemands(call, serve);
    };
    const serveFirst =
      serveWithSpacing === undefined || session === undefined
        ? checkAndServe
        : () => serveWithSpacing(session.userId, checkAndServe);
    if (once === undefined || submission === undefined) return serveFirst();
    return parts.submissions.serve(submission, {
      first: serveFirst,
      restore: (stored) => once.restore(stored, caller, checked.data),
    });
  };
}

type SubmissionReader = (
  caller: { readonly actor: string; readonly key: string },
  fields: FormFields,
  checked: unknown,
) => Submission;

/**
 * Returns a function that builds a call's submission from the sent fields, as parsed by the call's description
 * and without the proofs of its demands. Undefined for a call without idempotency.
 */
function submissionReader(
  { endpoint, once }: Route,
  demands: readonly DemandEnforcer[],
): SubmissionReader | undefined {
  if (once === undefined) return undefined;
  const { operation } = once;
  const proofs = proofFields(endpoint, demands);
  const names = describedFields(endpoint).filter((name) => !proofs.has(name));
  return (caller, fields, checked) => {
    const sent: Record<string, unknown> = {};
    // Fields that were not sent are left out, because their defaults were not chosen by the caller.
    for (const name of names) {
      if (fields[name] !== undefined) sent[name] = (checked as Readonly<Record<string, unknown>>)[name];
    }
    return Submission.create({ ...caller, operation, sent });
  };
}

/** Names of a call's described fields in alphabetical order, independent of the order of description. */
function describedFields({ fields }: Endpoint): string[] {
  return Object.keys((fields as z.ZodMiniObject).shape).toSorted();
}

/** The uploading user; upload endpoints always require a session. */
function requireUserId({ path }: Endpoint, session: Session | undefined) {
  if (session === undefined) throw new Error(`${path} takes a file from anybody`);
  return session.userId;
}

export function rateLimited(seconds: number): Refusal {
  return refusal('rateLimited', 'l.rate_limited', { seconds: String(seconds) });
}

function fieldsOf(request: IncomingMessage, body: Buffer | undefined, isGet: boolean): FormFields {
  const decoded = isGet ? decodeFormText(queryOf(request.url)) : decodeForm(body ?? Buffer.alloc(0));
  if (!decoded.ok) throw new Refused(decoded.refusal);
  return decoded.value;
}

function queryOf(url: string | undefined): string {
  const mark = url?.indexOf('?') ?? -1;
  return mark < 0 ? '' : (url?.slice(mark + 1) ?? '');
}

function checkAnswer(endpoint: Endpoint, body: string): void {
  const envelope = JSON.parse(body) as Record<string, unknown>;
  const checked = endpoint.data.safeParse(
    envelope[endpoint.envelope === 'plain' ? 'data' : endpoint.envelope],
  );
  if (checked.success) return;
  const differences = checked.error.issues
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ');
  throw new Error(`the answer of ${endpoint.path} differs from its description: ${differences}`);
}

/**
 * Returns a function that enforces the minimum interval between a user's requests, as described by the call.
 * Each request is charged before its fields are checked and stays charged when it is refused. A repeated
 * submission is answered before. Undefined for a call without spacing.
 */
function behindSpacing(
  { spacing }: Endpoint,
  limits: Limits,
): ((userId: string, serve: () => unknown) => unknown) | undefined {
  if (spacing === undefined) return undefined;
  const { charge, refusalKey } = spacing;
  return (userId, serve) => {
    const seconds = limits.charge(charge, { addressGroup: '', userId });
    if (seconds === 0) return serve();
    const about = { limit: String(limits.secondsOf(charge)), seconds: String(seconds) };
    throw new Refused(refusal('rateLimited', refusalKey, about));
  };
}
