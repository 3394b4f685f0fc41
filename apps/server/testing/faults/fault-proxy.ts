import { once } from 'node:events';
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseConnection } from '../../src/platform/database/pool.ts';
import type { Fault, FaultTarget } from './faults.ts';
import { errorBytes, type DatabaseError, type Request } from './messages.ts';
import { ProxiedConnection, type FaultSource } from './proxied-connection.ts';

const REFUSALS = {
  /** The proxy resets each new connection, as if no database were running. */
  closed: undefined,
  /** The proxy answers each new connection with PostgreSQL's error for too many clients. */
  exhausted: { severity: 'FATAL', state: '53300', message: 'sorry, too many clients already' },
} as const satisfies Record<string, DatabaseError | undefined>;
export type RefusalKind = keyof typeof REFUSALS;

interface Armed {
  readonly fault: Fault;
  readonly target: FaultTarget;
  readonly inflicted: () => void;
}

/** A proxy between the server and PostgreSQL that forwards everything and injects faults on demand. */
export class FaultProxy implements FaultSource {
  private readonly listener: Server;
  private readonly upstream: DatabaseConnection;
  private readonly port: number;
  private readonly connections = new Set<ProxiedConnection>();
  private readonly sockets = new Set<Socket>();
  private armed: Armed[] = [];
  private refusing: RefusalKind | undefined;

  private constructor(upstream: DatabaseConnection, listener: Server) {
    this.upstream = upstream;
    this.listener = listener;
    this.port = (listener.address() as AddressInfo).port;
    listener.on('connection', (client) => this.accept(client));
  }

  /** Starts a proxy in front of a database, on a free port. */
  static async start(upstream: DatabaseConnection): Promise<FaultProxy> {
    const listener = createServer();
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new FaultProxy(upstream, listener);
  }

  /** Connection string of the database through the proxy. */
  get connectionString(): string {
    const { upstream } = this;
    const url = new URL(
      'connectionString' in upstream
        ? upstream.connectionString
        : `postgres://${upstream.user}@localhost/${upstream.database}`,
    );
    if ('password' in upstream) url.password = upstream.password ?? '';
    url.searchParams.delete('host');
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /**
   * Schedules a fault for the next matching database request. Resolves after the fault was
   * injected.
   */
  injectNext(fault: Fault, target: FaultTarget): Promise<void> {
    return new Promise((resolve) => {
      this.armed.push({ fault, target, inflicted: resolve });
    });
  }

  /** Breaks all proxied connections, or those with one application name. Returns their number. */
  cutAll(application?: string): number {
    const matching = [...this.connections].filter(
      (connection) =>
        connection.isOpen && (application === undefined || connection.application === application),
    );
    for (const connection of matching) connection.cut();
    return matching.length;
  }

  /**
   * Makes every existing proxied connection half-open: nothing passes in either direction, and neither side
   * is notified. New connections work.
   */
  silenceAll(): void {
    for (const connection of this.connections) connection.silence();
  }

  /** Breaks all proxied connections and refuses new ones for `ms` milliseconds. Resolves when that time is over. */
  async refuse(how: RefusalKind, ms: number): Promise<void> {
    this.refusing = how;
    this.cutAll();
    await sleep(ms);
    this.refusing = undefined;
  }

  /**
   * Delays all data of the connections that are open now for `ms` milliseconds, like a database that is suspended and
   * resumed. New connections work meanwhile.
   */
  async pause(ms: number): Promise<void> {
    const paused = [...this.connections];
    for (const connection of paused) connection.pause();
    await sleep(ms);
    for (const connection of paused) connection.resume();
  }

  /** Breaks the remaining proxied connections and stops listening. */
  async close(): Promise<void> {
    const closed = once(this.listener, 'close');
    this.listener.close();
    this.cutAll();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  faultFor(connection: ProxiedConnection, request: Request): Fault | undefined {
    return this.armed.find(
      ({ target }) =>
        target.application === connection.application && target.matches(request, connection.inTransaction),
    )?.fault;
  }

  injected(fault: Fault): void {
    const matching = this.armed.filter((armed) => armed.fault === fault);
    this.armed = this.armed.filter((armed) => armed.fault !== fault);
    for (const { inflicted } of matching) inflicted();
  }

  private accept(client: Socket): void {
    this.trackSocket(client);
    if (this.refusing !== undefined) {
      const error = REFUSALS[this.refusing];
      client.on('error', () => undefined);
      if (error === undefined) client.resetAndDestroy();
      else client.once('data', () => client.end(errorBytes(error)));
      return;
    }
    const server = connect(addressOf(this.upstream));
    this.trackSocket(server);
    const connection = new ProxiedConnection(client, server, this);
    this.connections.add(connection);
    for (const socket of [client, server])
      socket.once('close', () => {
        if (!connection.isOpen) this.connections.delete(connection);
      });
  }

  private trackSocket(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

/** Returns the address of PostgreSQL: a socket path, or host and port. */
function addressOf(connection: DatabaseConnection): NetConnectOpts {
  if (!('connectionString' in connection)) {
    const { host, port } = connection;
    return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  }
  const { hostname, port, searchParams } = new URL(connection.connectionString);
  const folder = searchParams.get('host');
  if (folder !== null) return { path: `${folder}/.s.PGSQL.${port === '' ? '5432' : port}` };
  return { host: hostname, port: port === '' ? 5432 : Number(port) };
}
