import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import type { Endpoint } from '@exchange/wire/endpoint.ts';
import type { Clock } from '../clock.ts';
import { refusalAnswer, withTraceId, type Answer } from '../http/envelope.ts';
import type { FileAnswer } from '../http/file-answer.ts';
import type { IdentifiedCall, ServedCall, ServeIdentified } from '../http/identified-call.ts';
import type { MountedAnswer, MountedApi, MountedRequest } from '../http/mounted-api.ts';
import type { Page, PageAnswer } from '../http/page.ts';
import { fieldRefusal } from '../http/problems.ts';
import { traceparentIn } from '../http/caller.ts';
import { fieldReader, rateLimited } from '../http/serve-route.ts';
import { addressGroup } from '../limits/address-group.ts';
import { NoAnswer, type Commands, type SentFile } from './command-sender.ts';
import { bytesField, type CallCommand, type SharerAnswer, type TextAnswer } from './commands.ts';
import { callNameOf } from './executed-commands.ts';
import type { LocalReads } from './local-reads.ts';
import { SharedReads, type SharedAnswer } from './shared-reads.ts';

interface ForwardingParts {
  readonly commands: Commands;
  readonly clock: Clock;
  /** The calls that the node answers from a replica of the database; undefined if it forwards all calls. */
  readonly reads?: Pick<LocalReads, 'serving'> | undefined;
  /** Endpoints whose calls with the same fields have the same answer for every caller of a language. */
  readonly shared?: ReadonlySet<Endpoint> | undefined;
  /** Called with the number of callers that were answered by the command of another. */
  readonly onShared?: ((count: number) => void) | undefined;
}

/**
 * Returns the calls of an API node. Those of `reads` are answered from a replica of the database if possible, and all
 * others are forwarded to the writer. The node checks the fields first, so that malformed calls do not reach the
 * writer, unless their endpoint has a minimum interval between a user's calls. For valid fields it also charges the
 * rate-limit cost that depends on them.
 */
export function forwardedCalls(
  endpoints: readonly Endpoint[],
  parts: ForwardingParts,
): readonly ServedCall[] {
  return endpoints.map((endpoint) => ({ endpoint, serve: forwarding(endpoint, parts) }));
}

function forwarding(endpoint: Endpoint, parts: ForwardingParts): ServeIdentified {
  const { commands, clock, reads } = parts;
  const readFields = fieldReader(endpoint);
  const call = callNameOf({ endpoint });
  const serveLocally = reads?.serving(call);
  const isRead = readsOnly(endpoint);
  const isMarket = endpoint.envelope === 'tick' || endpoint.envelope === 'data';
  const sharing = parts.shared?.has(endpoint) === true ? sharedCalls(call, isMarket, parts) : undefined;
  return async (identified, admit) => {
    const { fields, key, checked } = readFields(identified);
    if (checked.success) await admit?.(checked.data);
    // The writer checks the interval between a user's requests before the fields, so calls with such an interval are
    // forwarded even if their fields are invalid.
    else if (endpoint.spacing === undefined) throw new Refused(fieldRefusal(checked.error.issues, fields));
    const local = await serveLocally?.(identified);
    if (local !== undefined) return local;
    const isKeyed = endpoint.idempotent && key !== undefined && identified.session !== undefined;
    try {
      if (sharing !== undefined && checked.success) {
        const sharedKey = `${identified.locale} ${JSON.stringify(checked.data)}`;
        return envelopeOf(await sharing.read(sharedKey, identified));
      }
      const answer = await commands.send(commandOf(call, identified), {
        isRepeatable: isRead || isKeyed,
        traceparent: identified.traceparent,
      });
      return 'body' in answer ? envelopeOf(answer) : fileOf(answer, endpoint, identified);
    } catch (thrown) {
      if (!(thrown instanceof NoAnswer)) throw thrown;
      const stamp = { ts: clock.now(), traceId: identified.traceId };
      return refusalAnswer(
        withoutAnswer(thrown, { isRead, isKeyed }),
        identified.locale,
        stamp,
        isMarket,
        503,
      );
    }
  };
}

/** Returns the calls of an endpoint of which one command is sent for several callers. */
function sharedCalls(
  call: string,
  isMarket: boolean,
  { commands, clock, onShared }: ForwardingParts,
): SharedReads<IdentifiedCall> {
  const answerOf = (first: TextAnswer, { waitSeconds }: SharerAnswer, caller: IdentifiedCall): TextAnswer => {
    const { locale, traceId } = caller;
    if (waitSeconds !== undefined)
      return refusalAnswer(rateLimited(waitSeconds), locale, { ts: clock.now(), traceId }, isMarket);
    return { status: first.status, code: first.code, body: withTraceId(first.body, traceId) };
  };
  const send = async (
    identified: IdentifiedCall,
    others: readonly IdentifiedCall[],
  ): Promise<SharedAnswer> => {
    const command = commandOf(call, identified);
    const sharers = others.map(({ session, address }) => ({ session, address }));
    if (sharers.length > 0) Object.assign(command, { sharers });
    const first = await commands.send(command, { isRepeatable: true, traceparent: identified.traceparent });
    if (!('body' in first)) throw new Error(`${call} was answered by a file`);
    return { first, others: othersOf(first, others, answerOf) };
  };
  return new SharedReads({ send, groupOf: ({ address }) => addressGroup(address), clock, onShared });
}

/** Returns the answers of the callers that share `first`; undefined if it is for the first caller only. */
function othersOf<Caller>(
  first: TextAnswer,
  others: readonly Caller[],
  answerOf: (first: TextAnswer, sharer: SharerAnswer, caller: Caller) => TextAnswer,
): readonly TextAnswer[] | undefined {
  const { sharers } = first;
  if (sharers?.length !== others.length) return undefined;
  return others.map((caller, index) => answerOf(first, sharers[index] ?? {}, caller));
}

const UNKNOWN = refusal('outcomeUnknown', 'l.outcome_unknown');
/**
 * Refusal of a call without an idempotency key whose outcome is unknown. A repeated call could be executed a second
 * time, so the refusal tells the user to check the result first.
 */
const TO_CHECK = refusal('outcomeUnknown', 'l.outcome_to_check');
const NOT_EXECUTED = refusal('maintenance', 'l.busy');

/**
 * Returns the refusal of a call to which the writer gave no answer. A call that only reads is refused as not
 * executed, because its execution would change nothing. A call whose outcome is unknown may be repeated if it
 * has an idempotency key (`isKeyed`); otherwise the user must check the result first.
 */
function withoutAnswer(
  { outcome }: NoAnswer,
  { isRead, isKeyed }: { readonly isRead: boolean; readonly isKeyed: boolean },
): Refusal {
  if (outcome === 'notExecuted' || isRead) return NOT_EXECUTED;
  return isKeyed ? UNKNOWN : TO_CHECK;
}

/**
 * Returns whether calls of an endpoint only read, so that they may be executed twice. Such endpoints are recognized by
 * their rate limit and their access.
 */
export function readsOnly({ charge, access }: Endpoint): boolean {
  const isRead = charge.limit === 'publicRead' || charge.limit === 'signedInRead';
  return isRead && (access.sessionAlone === undefined || access.sessionAlone === 'reads');
}

function commandOf(call: string, identified: IdentifiedCall): CallCommand {
  const { session, locale, address, userAgent, traceId, sentKey, fields, file } = identified;
  return {
    kind: 'call',
    call,
    session,
    locale,
    address,
    userAgent,
    traceId,
    sentKey,
    fields,
    file: file === undefined ? undefined : bytesField(file),
  };
}

function envelopeOf({ status, code, body, retryAfter }: TextAnswer): Answer {
  return retryAfter === undefined ? { status, code, body } : { status, code, body, retryAfter };
}

function fileOf(
  { code, name, type, first, rest }: SentFile,
  { path }: Endpoint,
  { traceId }: IdentifiedCall,
): FileAnswer {
  return { status: 200, code, file: { name, type, first, rest }, about: { route: path, traceId } };
}

/** Request headers that the APIs with their own formats use, and that nodes therefore forward. */
const API_HEADERS = ['content-type', 'x-mbx-apikey', 'user-agent', 'accept-language', 'origin'] as const;

/** An API with its own format, as far as an API node that forwards its requests knows it. */
interface ForwardedApi extends Pick<MountedApi, 'prefixes' | 'busy'> {
  /** The answer if the writer did not answer, whether it executed the request or not. */
  readonly noAnswer: () => MountedAnswer;
  /** Returns whether a request reads, and its answer depends on nothing but its path and query. */
  readonly isShared: (request: MountedRequest) => boolean;
}

/**
 * Returns an API with its own format as an API node serves it: each request is forwarded to the writer. Of identical
 * requests whose answer is the same for everybody, one command is sent for several callers.
 */
export function forwardedApi(
  api: ForwardedApi,
  { commands, clock, onShared }: Pick<ForwardingParts, 'commands' | 'clock' | 'onShared'>,
): MountedApi {
  const send = async (request: MountedRequest, others: readonly MountedRequest[]): Promise<SharedAnswer> => {
    const command = apiCommandOf(request);
    const sharers = others.map(({ addressGroup }) => addressGroup);
    if (sharers.length > 0) Object.assign(command, { sharers });
    const first = await commands.send(command, {
      isRepeatable: request.method === 'GET',
      traceparent: traceparentIn(request.headers),
    });
    if (!('body' in first)) throw new Error(`${request.path} was answered by a file`);
    return { first, others: othersOf(first, others, sharedApiAnswer) };
  };
  const groupOf = (request: MountedRequest) => request.addressGroup;
  const sharing = new SharedReads({ send, groupOf, clock, onShared });
  return {
    prefixes: api.prefixes,
    busy: () => api.busy(),
    serve: async (request) => {
      try {
        const { status, headers, body } = api.isShared(request)
          ? await sharing.read(`${request.path}?${request.query}`, request)
          : (await send(request, [])).first;
        return { status, headers: headers ?? {}, body };
      } catch (thrown) {
        if (thrown instanceof NoAnswer) return api.noAnswer();
        throw thrown;
      }
    },
  };
}

function sharedApiAnswer(first: TextAnswer, { status, body, headers }: SharerAnswer): TextAnswer {
  return {
    status: status ?? first.status,
    code: first.code,
    body: body ?? first.body,
    headers: headers ?? first.headers,
  };
}

function apiCommandOf({ method, path, query, body, headers, address, addressGroup }: MountedRequest) {
  const sentHeaders = Object.fromEntries(API_HEADERS.map((name) => [name, headers[name]]));
  return {
    kind: 'api',
    method,
    path,
    query,
    body: bytesField(body),
    headers: sentHeaders,
    address,
    addressGroup,
  } as const;
}

/**
 * Returns a page of this API node that the writer renders at each request. If the writer does not answer or
 * does not execute the request, the page is served as a text with status 503.
 */
export function forwardedPage({ path, demoOnly }: Pick<Page, 'path' | 'demoOnly'>, commands: Commands): Page {
  return {
    path,
    demoOnly,
    serve: async (query): Promise<PageAnswer> => {
      try {
        const command = { kind: 'page', path, query: query.toString() } as const;
        const answer = await commands.send(command, { isRepeatable: true, traceparent: undefined });
        if ('body' in answer)
          return { status: answer.status, type: answer.type as PageAnswer['type'], body: answer.body };
      } catch (thrown) {
        if (!(thrown instanceof NoAnswer)) throw thrown;
      }
      return { status: 503, type: 'text', body: 'The exchange is starting. Please try again in a moment.\n' };
    },
  };
}
