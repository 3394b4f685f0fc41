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
import type { Fault, Target } from './faults.ts';
import { errorBytes, type DatabaseError, type Request } from './messages.ts';
import { ProxiedConnection, type FaultSource } from './proxied-connection.ts';

const REFUSALS = {
  /** Nobody listens: the machine is up and the database is not. */
  closed: undefined,
  /** The database answers that it has no place left. */
  exhausted: { severity: 'FATAL', state: '53300', message: 'sorry, too many clients already' },
} as const satisfies Record<string, DatabaseError | undefined>;
export type Refusing = keyof typeof REFUSALS;

interface Armed {
  readonly fault: Fault;
  readonly target: Target;
  readonly inflicted: () => void;
}

/** Stands between the server and its PostgreSQL, passes everything on, and breaks what it is told to break. */
export class FaultProxy implements FaultSource {
  private readonly listener: Server;
  private readonly upstream: DatabaseConnection;
  private readonly port: number;
  private readonly connections = new Set<ProxiedConnection>();
  private readonly sockets = new Set<Socket>();
  private armed: Armed[] = [];
  private refusing: Refusing | undefined;

  private constructor(upstream: DatabaseConnection, listener: Server) {
    this.upstream = upstream;
    this.listener = listener;
    this.port = (listener.address() as AddressInfo).port;
    listener.on('connection', (client) => this.accept(client));
  }

  /** A proxy in front of this database, on a free port. */
  static async before(upstream: DatabaseConnection): Promise<FaultProxy> {
    const listener = createServer();
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new FaultProxy(upstream, listener);
  }

  /** How the database is reached through the proxy. */
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

  /** Lays a fault out for the next request that is meant. Resolves once it has struck. */
  strike(fault: Fault, target: Target): Promise<void> {
    return new Promise((resolve) => {
      this.armed.push({ fault, target, inflicted: resolve });
    });
  }

  /** Breaks every connection, of one name when given. Gives how many there were. */
  cutAll(application?: string): number {
    const chosen = [...this.connections].filter(
      (connection) =>
        connection.isOpen && (application === undefined || connection.application === application),
    );
    for (const connection of chosen) connection.cut();
    return chosen.length;
  }

  /** Makes every connection that exists half-open; new ones work. */
  silenceAll(): void {
    for (const connection of this.connections) connection.silence();
  }

  /** Lets nobody in for a while, having broken what was connected. Resolves when it is over. */
  async refuse(how: Refusing, ms: number): Promise<void> {
    this.refusing = how;
    this.cutAll();
    await sleep(ms);
    this.refusing = undefined;
  }

  /** Holds all bytes of all connections back for a while, as a database does that is stopped and goes on. */
  async pause(ms: number): Promise<void> {
    const held = [...this.connections];
    for (const connection of held) connection.pause();
    await sleep(ms);
    for (const connection of held) connection.resume();
  }

  /** Breaks whatever is left and listens no more. */
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
        target.application === connection.application && target.isMeant(request, connection.inTransaction),
    )?.fault;
  }

  inflicted(fault: Fault): void {
    const struck = this.armed.filter((armed) => armed.fault === fault);
    this.armed = this.armed.filter((armed) => armed.fault !== fault);
    for (const { inflicted } of struck) inflicted();
  }

  private accept(client: Socket): void {
    this.remember(client);
    if (this.refusing !== undefined) {
      const error = REFUSALS[this.refusing];
      client.on('error', () => undefined);
      if (error === undefined) client.resetAndDestroy();
      else client.once('data', () => client.end(errorBytes(error)));
      return;
    }
    const server = connect(addressOf(this.upstream));
    this.remember(server);
    const connection = new ProxiedConnection(client, server, this);
    this.connections.add(connection);
    for (const socket of [client, server])
      socket.once('close', () => {
        if (!connection.isOpen) this.connections.delete(connection);
      });
  }

  private remember(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

/** Where PostgreSQL listens: a socket's folder, or host and port. */
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
