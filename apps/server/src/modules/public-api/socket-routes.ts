import { WEIGHT_PER_MINUTE } from '@exchange/wire/public-api/calls.ts';
import { ApiError, apiErrors } from '@exchange/wire/public-api/errors.ts';
import { readParameters } from '@exchange/wire/public-api/parameters.ts';
import {
  CANCEL_ON_DISCONNECT,
  SESSION_METHODS,
  SOCKET_METHODS,
  socketRequestOf,
  type SessionMethod,
} from '@exchange/wire/public-api/socket-calls.ts';
import { parsedJson, requestIdOf, type RequestId } from '@exchange/wire/public-api/streams.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TextProtocol, TextSocket } from '../../platform/feed/text-sockets.ts';
import type { Log } from '../../platform/log.ts';
import {
  LimitExceeded,
  type ApiCalls,
  type KeyRequest,
  type OrderLimit,
  type Served,
} from './call-routes.ts';
import type { Handler } from './handlers.ts';
import type { ApiKey } from './trading-service.ts';
import type { UserReader, UserStreams } from './user-streams.ts';

const PATH = '/ws-api/v3';
export const SOCKET_LIMITS = {
  messageBytes: 16_384,
  /**
   * Maximum number of requests per second of a connection. The request weight permits far fewer; this
   * limit bounds the work that refused requests cause.
   */
  messagesPerSecond: 1_000,
} as const;

export const ownsSocketPath = (path: string): boolean => path === PATH;

/** The event `serverShutdown`, the last message of a connection before its server stops. */
export function shutdownEvent(clock: Pick<Clock, 'now'>): string {
  return JSON.stringify({ event: { e: 'serverShutdown', E: clock.now() } });
}

/** Maximum number of a connection's requests in progress; further ones are refused until one is answered. */
const IN_PROGRESS_MAX = 200;
const SUBSCRIPTIONS_MAX = 20;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly calls: ApiCalls;
  readonly handlers: readonly Handler[];
  readonly users: UserStreams;
  /** Makes a session id, under which a WebSocket connection places orders that end with the connection. */
  readonly newSessionId: () => string;
  /** Cancels the open orders that were placed under a session id. */
  readonly endSession: (sessionId: string) => Promise<void>;
}

interface Subscription {
  readonly id: number;
  readonly apiKey: ApiKey;
  readonly reader: UserReader;
}

/** The state of a WebSocket connection. */
interface Session {
  /** The API key with which the connection is logged on; undefined if it is not. */
  key: ApiKey | undefined;
  loggedOnAt: number;
  /** Whether orders are placed under the session id `orderSession`, so that the end of the connection cancels them. */
  cancelsOrders: boolean;
  /**
   * The session id under which the connection places orders while `cancelsOrders` is true; undefined until
   * the client first switches on or off that the end of the connection cancels its orders.
   */
  orderSession: string | undefined;
  readonly connectedAt: number;
  readonly subscriptions: Map<number, Subscription>;
  lastSubscription: number;
  inProgress: number;
}

/** A request of the WebSocket API as it was sent, with its parameters as text. */
interface SocketCall {
  readonly id: RequestId;
  readonly method: string;
  readonly sent: ReadonlyMap<string, string>;
}

/**
 * Serves all connections of the WebSocket API: requests with the calls, checks and answers of the HTTP API,
 * and events of users. Requests of a connection are served concurrently, so answers can have another order
 * than their requests.
 */
export class SocketApi implements TextProtocol {
  readonly messageBytes = SOCKET_LIMITS.messageBytes;
  readonly messagesPerSecond = SOCKET_LIMITS.messagesPerSecond;
  private readonly parts: Parts;
  private readonly handlers: ReadonlyMap<string, Handler>;
  private readonly sessions = new Map<string, Session>();

  constructor(parts: Parts) {
    this.parts = parts;
    const byCall = new Map(parts.handlers.map((handler) => [handler.call, handler]));
    this.handlers = new Map(
      [...SOCKET_METHODS].flatMap(([method, call]) => {
        const handler = byCall.get(call);
        return handler === undefined ? [] : [[method, handler] as const];
      }),
    );
  }

  /** Number of open connections to the WebSocket API. */
  get size(): number {
    return this.sessions.size;
  }

  readonly owns = ownsSocketPath;

  opened(socket: TextSocket): void {
    this.sessions.set(socket.id, {
      key: undefined,
      loggedOnAt: 0,
      cancelsOrders: false,
      orderSession: undefined,
      connectedAt: this.parts.clock.now(),
      subscriptions: new Map(),
      lastSubscription: 0,
      inProgress: 0,
    });
  }

  async received(socket: TextSocket, text: string | undefined): Promise<void> {
    const session = this.sessions.get(socket.id);
    if (session === undefined) return;
    const json = text === undefined ? undefined : parsedJson(text);
    const read = socketRequestOf(json);
    if (read === undefined) {
      this.refuse(
        socket,
        requestIdOf(json),
        apiErrors.malformedRequest('an object with id, method and params'),
      );
      return;
    }
    const { id, method, params } = read;
    const request: SocketCall = { id, method, sent: textsOf(params) };
    if (session.inProgress >= IN_PROGRESS_MAX) {
      this.refuse(socket, id, apiErrors.tooManyInProgress());
      return;
    }
    session.inProgress += 1;
    try {
      this.answer(socket, request, await this.serve(socket, session, request));
    } catch (cause) {
      this.refuse(socket, id, this.errorOf(cause, method), request);
    } finally {
      session.inProgress -= 1;
      this.cancelOrders(socket, session);
    }
  }

  closed(socket: TextSocket): void {
    const session = this.sessions.get(socket.id);
    this.sessions.delete(socket.id);
    if (session === undefined) return;
    for (const subscription of session.subscriptions.values()) this.leave(subscription);
    this.cancelOrders(socket, session);
  }

  /**
   * Cancels the orders that a connection placed under its session id, once it has ended and its last request has been
   * served; does nothing before that, or if it has no session id.
   */
  private cancelOrders(socket: TextSocket, { orderSession, inProgress }: Session): void {
    if (orderSession === undefined || inProgress > 0 || this.sessions.has(socket.id)) return;
    this.parts.endSession(orderSession).catch((cause: unknown) => {
      // If the cancellation fails, the timer of the spot module cancels the orders later, at the latest after the next
      // start of the server.
      this.parts.log.error('public_api.orders_not_cancelled', { session: orderSession, cause });
    });
  }

  farewell(): string {
    return shutdownEvent(this.parts.clock);
  }

  private async serve(socket: TextSocket, session: Session, request: SocketCall): Promise<Served> {
    const sessionMethod = SESSION_METHODS.find((known) => known === request.method);
    if (sessionMethod !== undefined) {
      const answer = await this.serveSession(socket, session, sessionMethod, request);
      return { answer, orders: undefined };
    }
    const handler = this.handlers.get(request.method);
    if (handler === undefined) {
      this.parts.calls.chargeOne(socket);
      throw apiErrors.unknownSocketMethod();
    }
    return this.parts.calls.serve({
      ...keyRequest(socket, session, request),
      handler,
      pathPart: '',
      sessionId: session.cancelsOrders ? session.orderSession : undefined,
    });
  }

  private async serveSession(
    socket: TextSocket,
    session: Session,
    method: SessionMethod,
    request: SocketCall,
  ): Promise<unknown> {
    const { calls, clock } = this.parts;
    calls.chargeOne(socket);
    if (method === 'session.logon') {
      session.key = await calls.logOn(keyRequest(socket, session, request));
      session.loggedOnAt = clock.now();
      return this.statusOf(session);
    }
    if (method === 'session.logout') {
      session.key = undefined;
      session.cancelsOrders = false;
      return this.statusOf(session);
    }
    if (method === 'session.cancelOnDisconnect') {
      await this.chooseCancelling(socket, session, request);
      return this.statusOf(session);
    }
    if (method === 'session.status') return this.statusOf(session);
    if (method === 'session.subscriptions')
      return [...session.subscriptions.keys()].map((subscriptionId) => ({ subscriptionId }));
    if (method === 'userDataStream.unsubscribe') {
      this.unsubscribe(session, request.sent.get('subscriptionId'));
      return {};
    }
    if (method === 'userDataStream.subscribe.signature')
      return this.subscribe(socket, session, await calls.logOn(keyRequest(socket, session, request)));
    if (session.key === undefined) throw apiErrors.notLoggedOn();
    return this.subscribe(socket, session, await calls.requireLive(session.key.key, socket.address));
  }

  /**
   * Switches on or off whether the orders that the connection places from now on are cancelled when it ends; orders
   * placed before keep their behaviour. Throws `ApiError` if the connection is not logged on or its API key may not
   * trade.
   */
  private async chooseCancelling(socket: TextSocket, session: Session, { sent }: SocketCall): Promise<void> {
    if (session.key === undefined) throw apiErrors.notLoggedOn();
    const { calls, newSessionId } = this.parts;
    const { enabled } = readParameters(CANCEL_ON_DISCONNECT, sent);
    const { mayTrade } = await calls.requireLive(session.key.key, socket.address);
    if (!mayTrade) throw apiErrors.keyRefused();
    session.orderSession ??= newSessionId();
    session.cancelsOrders = enabled === 'true';
  }

  private statusOf({ key, loggedOnAt, connectedAt, cancelsOrders }: Session) {
    return {
      apiKey: key?.key ?? null,
      authorizedSince: key === undefined ? null : loggedOnAt,
      connectedSince: connectedAt,
      returnRateLimits: true,
      serverTime: this.parts.clock.now(),
      userDataStream: false,
      cancelOnDisconnect: cancelsOrders,
    };
  }

  private async subscribe(socket: TextSocket, session: Session, apiKey: ApiKey) {
    if (session.subscriptions.size >= SUBSCRIPTIONS_MAX) throw apiErrors.tooManyInProgress();
    session.lastSubscription += 1;
    const id = session.lastSubscription;
    const reader: UserReader = {
      apiKey: apiKey.key,
      address: socket.address,
      send: (event) => socket.sendText(JSON.stringify({ subscriptionId: id, event })),
      ended: () => {
        session.subscriptions.delete(id);
        const event = { e: 'eventStreamTerminated', E: this.parts.clock.now() };
        socket.sendText(JSON.stringify({ subscriptionId: id, event }));
      },
    };
    const subscription = { id, apiKey, reader };
    session.subscriptions.set(id, subscription);
    await this.parts.users.join(apiKey.owner, reader);
    // The connection may have closed while the subscription was created.
    if (!this.sessions.has(socket.id)) this.leave(subscription);
    return { subscriptionId: id };
  }

  private unsubscribe(session: Session, idText: string | undefined): void {
    if (idText === undefined) {
      for (const subscription of session.subscriptions.values()) this.leave(subscription);
      session.subscriptions.clear();
      return;
    }
    const subscription = session.subscriptions.get(Number(idText));
    if (subscription === undefined) throw apiErrors.unknownSubscription();
    session.subscriptions.delete(subscription.id);
    this.leave(subscription);
  }

  private leave({ apiKey, reader }: Subscription): void {
    this.parts.users.leave(apiKey.owner, reader);
  }

  private answer(socket: TextSocket, request: SocketCall, { answer: result, orders }: Served): void {
    const { id } = request;
    const limits = this.limitsOf(socket, request, orders);
    socket.sendText(JSON.stringify({ id, status: 200, result, ...limits }));
  }

  private refuse(socket: TextSocket, id: RequestId, error: ApiError, request?: SocketCall): void {
    const { status, body } = error;
    const limits = request === undefined ? {} : this.limitsOf(socket, request);
    socket.sendText(JSON.stringify({ id, status, error: body, ...limits }));
  }

  /**
   * The fields of a response with the used request weight and numbers of orders; none if the request has
   * `returnRateLimits=false`.
   */
  private limitsOf(socket: TextSocket, { sent }: SocketCall, orders?: () => readonly OrderLimit[]) {
    if (sent.get('returnRateLimits') === 'false') return {};
    const weight = {
      rateLimitType: 'REQUEST_WEIGHT',
      interval: 'MINUTE',
      intervalNum: 1,
      limit: WEIGHT_PER_MINUTE,
      count: this.parts.calls.used(socket),
    };
    return { rateLimits: [...(orders?.() ?? []), weight] };
  }

  private errorOf(cause: unknown, method: string): ApiError {
    if (cause instanceof LimitExceeded) return cause.error;
    if (cause instanceof ApiError) return cause;
    this.parts.log.error('public_api.failed', { path: method, cause });
    return apiErrors.unknown();
  }
}

function keyRequest(socket: TextSocket, session: Session, request: SocketCall): KeyRequest {
  const { sent, id } = request;
  const { key } = session;
  return {
    name: { method: 'WS', path: request.method },
    sent,
    key: sent.get('apiKey'),
    signedTexts: () => [payloadOf(sent)],
    session:
      key === undefined ? undefined : { key: key.key, requestMark: () => `${String(id)} ${payloadOf(sent)}` },
    address: socket.address,
    addressGroup: socket.addressGroup,
  };
}

/**
 * The text that the signature of a WebSocket request covers: all other parameters as `name=value`, sorted by
 * name and joined with `&`.
 */
function payloadOf(sent: ReadonlyMap<string, string>): string {
  let text = '';
  for (const name of [...sent.keys()].sort()) {
    if (name === 'signature') continue;
    text += text === '' ? `${name}=${sent.get(name)!}` : `&${name}=${sent.get(name)!}`;
  }
  return text;
}

/**
 * Converts JSON parameters to the texts of the HTTP API: strings remain as they are, other values
 * become JSON text. Null values are omitted.
 */
function textsOf(params: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const name of Object.keys(params)) {
    const value = params[name];
    if (value === null || value === undefined) continue;
    texts.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return texts;
}
