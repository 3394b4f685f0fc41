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
import {
  localeOfRequest,
  requireKey,
  sentKeyOf,
  tokenOf,
  traceIdOf,
  traceparentIn,
  userAgentOf,
} from './caller.ts';
import { behindDemands, proofFields, type DemandEnforcer } from './demands.ts';
import { refusalAnswer, streamedSuccess, successPrinter, type Answer, type Stamp } from './envelope.ts';
import { StreamedJson } from './exact-json.ts';
import { jsonAnswer, openFile, type FileAnswer, type FileContent } from './file-answer.ts';
import { decodeForm, decodeFormText, type FormFields } from './form.ts';
import { fieldRefusal, refusalOf } from './problems.ts';
import type { ReadUpload } from './upload.ts';
import type { Admit, IdentifiedCall, ServedCall, ServeIdentified } from './identified-call.ts';
import type { Caller, Route, Session } from './route.ts';
import type { Sessions } from './sessions.ts';

/** The objects that serving API endpoints requires. */
export interface EdgeParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly sessions: Sessions;
  /** Answers repeated requests with an idempotency key. */
  readonly submissions: Pick<Submissions, 'serve'>;
  /** Enforcers of the endpoints' access requirements, one per kind of requirement. */
  readonly demands: readonly DemandEnforcer[];
  readonly proxyHeader: string | undefined;
  /**
   * Whether successful JSON answers are checked against the endpoint's description, so that a call with a deviating
   * answer fails. Set in tests. Answers that are sent in parts are not checked.
   */
  readonly checksAnswers: boolean;
}

/** The objects that identifying callers requires, including the port's limits. */
export interface CallerParts extends AnsweringParts, Pick<EdgeParts, 'limits' | 'sessions' | 'proxyHeader'> {
  readonly admission: Pick<Admission, 'groupOf' | 'enter' | 'enterHeavy'>;
}

type AnsweringParts = Pick<EdgeParts, 'clock' | 'log' | 'metrics'>;

const SLOW_MS = 1_000;
const SESSION_ENDED = refusal('sessionEnded', 'l.session_ended');
const FAILED = refusal('generic', 'l.error');
const SESSION_LOOK_UP = { limit: 'publicRead', weight: 1 } as const;

/**
 * Serves a request whose body has arrived completely. For an upload `body` is a function that reads the body. This
 * function is called after the session and the limits were checked.
 */
type ServeRequest = (
  request: IncomingMessage,
  body: Buffer | ReadUpload | undefined,
  response: ServerResponse,
) => Promise<Answer | FileAnswer>;

/**
 * Returns a function that serves requests to an endpoint. It reads the request and resolves to the JSON answer or the
 * start of the file. It never rejects.
 */
export function serveRoute(served: ServedCall, parts: CallerParts): ServeRequest {
  const { endpoint } = served;
  const perform = performer(served, parts);
  const answerOf = answering(endpoint, parts);
  return (request, body, response) => {
    const traceId = traceIdOf(request);
    return answerOf({ traceId, locale: localeOfRequest(request) }, () =>
      perform(request, body, { response, traceId }),
    );
  };
}

/**
 * Returns a function that measures a request and converts a thrown error to an answer. An error with a refusal (see
 * `refusalOf`) is answered with this refusal. Any other error is a bug: it is logged in full and answered without
 * details. An answer that takes longer than `SLOW_MS` is logged.
 */
function answering({ path, envelope }: Endpoint, { clock, metrics, log }: AnsweringParts) {
  const meter = metrics.ofRoute(path);
  const isMarket = envelope === 'tick' || envelope === 'data';
  return async (
    { traceId, locale }: Pick<IdentifiedCall, 'traceId' | 'locale'>,
    serve: () => Promise<Answer | FileAnswer>,
  ): Promise<Answer | FileAnswer> => {
    const startMs = clock.monotonicMs();
    let answer: Answer | FileAnswer;
    try {
      answer = await serve();
    } catch (thrown) {
      answer = answerTo(thrown, locale, { ts: clock.now(), traceId }, isMarket);
      if (answer.status >= 500 && refusalOf(thrown) === undefined)
        log.error('http.failed', { route: path, traceId, cause: thrown });
    }
    const ms = clock.monotonicMs() - startMs;
    meter.answered(answer.code, ms);
    if (ms > SLOW_MS) log.warn('http.slow', { route: path, traceId, ms: Math.round(ms) });
    return answer;
  };
}

/** Returns an endpoint with the function that serves its calls by the use case in this process. */
export function servedHere(route: Route, parts: EdgeParts): ServedCall {
  const { endpoint } = route;
  const { envelope } = endpoint;
  const success =
    envelope === 'csv' || envelope === 'image' || envelope === 'pdf' ? undefined : successPrinter(envelope);
  const execute = executor(route, parts);
  const serve: ServeIdentified = async (call, admit) => {
    const { traceId } = call;
    const payload = await execute(call, admit);
    const stamp = { ts: parts.clock.now(), traceId };
    if (payload instanceof StreamedJson)
      return beginFile(jsonAnswer(streamedSuccess(payload, stamp)), endpoint, traceId);
    const answer = success?.(payload, stamp) ?? (await beginFile(payload, endpoint, traceId));
    if (parts.checksAnswers && 'body' in answer) checkAnswer(endpoint, answer.body);
    return answer;
  };
  return { endpoint, serve };
}

/**
 * Serves a call that an API node has accepted and sent to this process. A call with `isRepeated` was charged to the
 * rate limits when it was first sent.
 */
export type ServeAccepted = (
  call: IdentifiedCall,
  options: { readonly isRepeated: boolean; readonly enterHeavy: (group: string) => Promise<void> },
) => Promise<Answer | FileAnswer>;

/**
 * Returns a function that serves an endpoint's calls that other processes have accepted. The function charges
 * the rate limits that apply to all processes together, unless the call is repeated, and never rejects.
 */
export function acceptedServer(
  served: ServedCall,
  parts: AnsweringParts & Pick<EdgeParts, 'limits'>,
): ServeAccepted {
  const { endpoint } = served;
  const { limits } = parts;
  const answerOf = answering(endpoint, parts);
  return (call, { isRepeated, enterHeavy }) =>
    answerOf(call, async () => {
      const group = addressGroup(call.address);
      const charge = (price: Endpoint['charge']) => {
        if (!isRepeated) chargeCaller(limits, price, { group, session: call.session });
      };
      charge(endpoint.charge);
      return served.serve(call, admission({ endpoint, charge, enterHeavy: () => enterHeavy(group) }));
    });
}

async function beginFile(payload: unknown, { path }: Endpoint, traceId: string): Promise<FileAnswer> {
  const file = await openFile(payload as FileContent);
  return { status: 200, code: SUCCESS, file, about: { route: path, traceId } };
}

/** Converts a thrown value to an answer: its refusal if it has one, otherwise a status 500 without details. */
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

/** The response to a request, and the request's trace id for the log. */
interface Answering {
  readonly response: ServerResponse;
  readonly traceId: string;
}

const BUSY = rateLimited(1);

function performer({ endpoint, serve }: ServedCall, parts: CallerParts) {
  const { limits, sessions, proxyHeader } = parts;
  const needsUser = endpoint.access.who === 'user';
  const isGet = endpoint.method === 'GET';
  const charge = (price: Endpoint['charge'], address: string, session: Session | undefined) =>
    chargeCaller(limits, price, { group: addressGroup(address), session });

  const sessionOf = async (token: string | undefined, address: string): Promise<Session | undefined> => {
    const remembered = token === undefined ? undefined : sessions.remembered(token);
    if (remembered !== undefined) return remembered;
    // The lookup of a session in the database is charged to the rate limit of the client's address group first, so that
    // invalid tokens cannot overload the database.
    if (needsUser || token !== undefined) charge(SESSION_LOOK_UP, address, undefined);
    return token === undefined ? undefined : sessions.find(token);
  };

  return async (
    request: IncomingMessage,
    body: Buffer | ReadUpload | undefined,
    { response, traceId }: Answering,
  ): Promise<Answer | FileAnswer> => {
    const address = addressOf(request, proxyHeader);
    const session = await sessionOf(tokenOf(request), address);
    if (needsUser && session === undefined) throw new Refused(SESSION_ENDED);
    charge(endpoint.charge, address, session);
    const admit = admission({
      endpoint,
      charge: (price) => charge(price, address, session),
      enterHeavy: () => enterHeavy(parts.admission, addressGroup(address), response),
    });
    const serveFields = (fields: FormFields, file: Buffer | undefined) =>
      serve(
        {
          session,
          locale: localeOfRequest(request),
          address,
          userAgent: userAgentOf(request),
          traceId,
          traceparent: traceparentIn(request.headers),
          sentKey: sentKeyOf(request),
          fields,
          file,
        },
        admit,
      );
    if (typeof body === 'function') {
      const upload = await body(requireUserId(endpoint, session));
      try {
        return await serveFields(upload.fields, upload.file);
      } finally {
        upload.done();
      }
    }
    return serveFields(fieldsOf(request, body, isGet), undefined);
  };
}

/** Charges a request to the caller's rate limit. Throws `Refused` if the limit is exceeded. */
function chargeCaller(
  limits: Limits,
  price: Endpoint['charge'],
  { group, session }: { readonly group: string; readonly session: Session | undefined },
): void {
  const seconds = limits.charge(price, { addressGroup: group, userId: session?.userId });
  if (seconds > 0) throw new Refused(rateLimited(seconds));
}

/**
 * Returns a function that charges the part of a call's rate-limit cost that depends on the fields, and waits for a slot
 * if the answer is heavy. Undefined for endpoints whose cost does not depend on the fields (without `costOf`).
 */
function admission({
  endpoint,
  charge,
  enterHeavy,
}: {
  readonly endpoint: Endpoint;
  readonly charge: (price: Endpoint['charge']) => void;
  readonly enterHeavy: () => Promise<void>;
}): Admit | undefined {
  if (endpoint.costOf === undefined) return undefined;
  return async (fields) => {
    const { surcharge = 0, isHeavy = false } = endpoint.costOf?.(fields) ?? {};
    if (surcharge > 0) charge({ limit: endpoint.charge.limit, weight: surcharge });
    if (isHeavy) await enterHeavy();
  };
}

/**
 * Waits for a slot for heavy answers, which is freed when the answer is sent or the client disconnects. Throws
 * `Refused` if too many requests of the caller's address group wait, or if the client has disconnected meanwhile.
 */
async function enterHeavy(
  admission: CallerParts['admission'],
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

/**
 * Returns a function that executes a call after its fields were decoded. A repeated submission receives its first
 * answer. For other calls the endpoint's minimum interval and access requirements are checked before the use case runs.
 */
function executor(route: Route, parts: EdgeParts) {
  const { endpoint, once } = route;
  const serveWithDemands = behindDemands(endpoint, parts);
  const serveWithSpacing = behindSpacing(endpoint, parts.limits);
  const submissionOf = submissionReader(route, parts.demands);
  const readFields = fieldReader(endpoint);
  return (call: IdentifiedCall, admit: Admit | undefined): unknown => {
    const { session, locale, address, userAgent, traceId, file } = call;
    const { fields, key, checked } = readFields(call);
    const submission =
      key === undefined || session === undefined || !checked.success
        ? undefined
        : submissionOf?.({ actor: session.userId, key }, fields, checked.data);
    const caller: Caller = {
      session,
      locale,
      address,
      userAgent,
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
      const demanded = {
        fields: checked.data as Readonly<Record<string, unknown>>,
        caller: { ...caller, session },
      };
      return serveWithDemands(demanded, serve);
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

/**
 * Returns a function that reads a call's sent fields. The function returns the fields in Unicode normal form (see
 * `fieldNormaliser`), the idempotency key, and the result of validating the fields. Throws `Refused` for a malformed
 * key.
 */
export function fieldReader(endpoint: Endpoint) {
  const readSpelling = fieldNormaliser(endpoint.fields);
  return ({ fields: sentFields, sentKey }: Pick<IdentifiedCall, 'fields' | 'sentKey'>) => {
    const fields = readSpelling(sentFields);
    // Only an endpoint that is idempotent takes its key from `clientId`. For all others, `clientId` is an ordinary
    // field (e.g. the key of the order to cancel).
    const key = requireKey((endpoint.idempotent ? fields['clientId'] : undefined) ?? sentKey);
    return { fields, key, checked: endpoint.fields.safeParse(fields) };
  };
}

type SubmissionReader = (
  caller: { readonly actor: string; readonly key: string },
  fields: FormFields,
  checked: unknown,
) => Submission;

/**
 * Returns a function that builds a call's submission from the validated values of the fields that the client
 * sent, without the fields that prove the endpoint's access requirements, such as codes and the trade
 * password. Undefined for an endpoint that is not idempotent.
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
    // Fields that the client did not send are left out, although the check has added their default values.
    for (const name of names) {
      if (fields[name] !== undefined) sent[name] = (checked as Readonly<Record<string, unknown>>)[name];
    }
    return Submission.create({ ...caller, operation, sent });
  };
}

/** Returns the names of the fields that an endpoint accepts, in alphabetical order. */
function describedFields({ fields }: Endpoint): string[] {
  return Object.keys((fields as z.ZodMiniObject).shape).toSorted();
}

/**
 * Returns the id of the user who uploads a file. Throws without a session, which every upload endpoint must
 * require.
 */
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
 * Returns a function that enforces the minimum interval between a user's calls of an endpoint. A call starts a new
 * interval even if its fields or the use case refuse it. Repeated submissions are answered before this check. Undefined
 * for an endpoint without a minimum interval.
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
