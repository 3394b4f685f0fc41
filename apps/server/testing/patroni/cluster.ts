import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { identityFor, serverAccount } from '../../src/platform/database/embedded/account.ts';
import type { Guard } from '../guard.ts';
import { etcdFile, NAMES, patroniFile, PRIMARY_PORT, proxyFile, REPLICAS_PORT } from './deployed-files.ts';
import { DatabaseMachine, MACHINE_FILES } from './machine.ts';
import type { DatabasePrograms } from './programs.ts';

/** Last parts of the loopback addresses of the database proxy and of the three machines. */
const PROXY_HOST = 10;
const FIRST_HOST = 11;
const PATRONI_PORT = 8_008;
const POLL_MS = 200;
const STATUS_TIMEOUT_MS = 2_000;
const STOP_MS = 20_000;
/** Patroni answers when the new primary leads, or after 60 s. */
const SWITCHOVER_TIMEOUT_MS = 90_000;
/** Maximum number of milliseconds until three new machines are complete. */
const START_MS = 120_000;
/** Password of all roles. Nobody outside of this computer reaches the loopback addresses. */
const PASSWORD = 'loopback';
export const OWNER = 'exchange_owner';
export const SERVER = 'exchange_server';
const DATABASE = 'exchange';

/** Role of a machine that takes part, as Patroni calls it. */
export type MachineRole = 'leader' | 'sync_standby' | 'replica';

interface PatroniMember {
  readonly name: string;
  /** A `MachineRole`, or another word of Patroni while a machine starts. */
  readonly role: string;
  readonly state: string;
  /** Bytes of the write-ahead log that a copy has not applied yet; undefined or `unknown` for some states. */
  readonly lag?: number | string;
}

export interface DatabaseClusterOptions {
  readonly programs: DatabasePrograms;
  /** Folder of the machines' files and data. Existing data are used. */
  readonly folder: string;
  /** The first three parts of the loopback addresses, e.g. `127.20.30`. */
  readonly network: string;
  /** Kills the machines' processes and removes the folder if this process ends early; undefined if the data are kept. */
  readonly guard?: Guard | undefined;
}

/**
 * Three database machines of which one may be lost, on loopback addresses of this computer: etcd, and PostgreSQL under
 * Patroni, behind HAProxy. They are configured by the files in `deploy/`, in which only addresses, paths and the size of
 * the cache are replaced.
 */
export class DatabaseCluster {
  readonly machines: readonly DatabaseMachine[];
  private readonly options: DatabaseClusterOptions;
  private proxy: ChildProcess | undefined;

  private constructor(options: DatabaseClusterOptions) {
    this.options = options;
    const { folder, programs, network, guard } = options;
    const identity = identityFor(serverAccount(undefined));
    const addresses = NAMES.map((_name, index) => `${network}.${FIRST_HOST + index}`);
    mkdirSync(folder, { recursive: true });
    makeCertificate(folder, programs, identity);
    this.machines = NAMES.map((name, index) => {
      const address = addresses[index]!;
      const machineFolder = join(folder, name);
      mkdirSync(machineFolder, { recursive: true });
      chmodSync(machineFolder, 0o700);
      own(machineFolder, identity);
      const machine = { addresses, index, folder, machineFolder, programs };
      writeFileSync(join(machineFolder, MACHINE_FILES.etcd), etcdFile(machine));
      writeFileSync(join(machineFolder, MACHINE_FILES.patroni), patroniFile(machine));
      return new DatabaseMachine({
        name,
        address,
        folder: machineFolder,
        programs,
        identity,
        environment: patroniEnvironment(),
        guard,
      });
    });
    writeFileSync(join(folder, 'haproxy-database.cfg'), proxyFile(`${network}.${PROXY_HOST}`));
  }

  /**
   * Starts all machines and the proxy, and creates the exchange's roles and database if they are missing. From then on
   * this process and those that it starts connect to databases with TLS and without checking certificates
   * (`PGSSLMODE`), because the machines' certificate is made at each start.
   */
  static async start(options: DatabaseClusterOptions): Promise<DatabaseCluster> {
    process.env['PGSSLMODE'] = 'no-verify';
    const cluster = new DatabaseCluster(options);
    for (const machine of cluster.machines) machine.launch();
    cluster.startProxy();
    await cluster.waitUntilComplete(START_MS);
    await cluster.createDatabase();
    return cluster;
  }

  /** Connection parameters of the superuser at the primary, through the proxy. */
  get connection() {
    return {
      host: `${this.options.network}.${PROXY_HOST}`,
      port: PRIMARY_PORT,
      user: 'postgres',
      password: PASSWORD,
      database: DATABASE,
    };
  }

  /** Returns the URL of the exchange's database at the primary, through the proxy, for a role. */
  url(role: string): string {
    return this.urlAt(PRIMARY_PORT, role);
  }

  /** Returns the URL of the exchange's database at the replicas, through the proxy, for a role. */
  replicaUrl(role: string): string {
    return this.urlAt(REPLICAS_PORT, role);
  }

  private urlAt(port: number, role: string): string {
    return `postgres://${role}:${PASSWORD}@${this.connection.host}:${port}/${DATABASE}`;
  }

  /** Returns the machine with a role in Patroni's list. Throws if Patroni lists none. */
  async machineOf(role: MachineRole): Promise<DatabaseMachine> {
    const members = await this.members();
    const member = members.find((listed) => listed.role === role);
    const machine = this.machines.find(({ name }) => name === member?.name);
    if (machine === undefined) throw new Error(`no machine is ${role}: ${JSON.stringify(members)}`);
    return machine;
  }

  /** Hands the primary over to the synchronous standby, like an operator before maintenance. */
  async switchOver(): Promise<void> {
    const leader = await this.machineOf('leader');
    const answer = await fetch(`http://${leader.options.address}:${PATRONI_PORT}/switchover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ leader: leader.name }),
      signal: AbortSignal.timeout(SWITCHOVER_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the switchover was refused: ${answer.status} ${await answer.text()}`);
  }

  /**
   * Resolves when Patroni lists a primary, a synchronous standby and a replica, and the primary itself sends its changes
   * to both copies, of which one confirms each commit. Throws after `timeoutMs`.
   */
  async waitUntilComplete(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const members = await this.members();
      // Patroni's list can be some seconds old, so the primary is asked as well.
      if (isComplete(members) && (await this.isReplicating())) return;
      if (performance.now() > deadline)
        throw new Error(
          [
            `the database machines are not complete: ${JSON.stringify(members)}`,
            ...this.machines.map((machine) => machine.lastLines()),
          ].join('\n'),
        );
      await sleep(POLL_MS);
    }
  }

  private async isReplicating(): Promise<boolean> {
    const client = this.superuser();
    // A connection that is lost is also reported by the failed query.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ copies: string; confirming: string }>(
        `select count(*) as copies, count(*) filter (where sync_state = 'sync') as confirming
           from pg_stat_replication where state = 'streaming'`,
      );
      return rows[0]?.copies === '2' && rows[0].confirming === '1';
    } catch {
      // There is no primary yet, or the proxy does not know it.
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private superuser(): pg.Client {
    return new pg.Client({
      ...this.connection,
      database: 'postgres',
      connectionTimeoutMillis: STATUS_TIMEOUT_MS,
      query_timeout: STATUS_TIMEOUT_MS,
    });
  }

  /** Stops all programs in order. The data are kept. */
  async stop(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.stop(STOP_MS)));
    this.proxy?.kill('SIGTERM');
  }

  /** Kills all programs, and removes the data if there is a guard. */
  async destroy(): Promise<void> {
    this.proxy?.kill('SIGKILL');
    await Promise.all(this.machines.map((machine) => machine.kill()));
    await this.options.guard?.cleanUp();
  }

  private async members(): Promise<readonly PatroniMember[]> {
    const answers = await Promise.all(
      this.machines.map(async ({ options: { address } }) => {
        try {
          const signal = AbortSignal.timeout(STATUS_TIMEOUT_MS);
          const answer = await fetch(`http://${address}:${PATRONI_PORT}/cluster`, { signal });
          return ((await answer.json()) as { readonly members?: readonly PatroniMember[] }).members ?? [];
        } catch {
          // Patroni of this machine does not run or is suspended; the other machines list the members too.
          return [];
        }
      }),
    );
    return answers.toSorted((first, second) => second.length - first.length)[0] ?? [];
  }

  private startProxy(): void {
    const { folder, programs, guard } = this.options;
    const hosts = this.machines.map(({ name, options: { address } }) => [
      `${name.toUpperCase()}_HOST`,
      address,
    ]);
    const proxy = spawn(programs.haproxy, ['-db', '-f', join(folder, 'haproxy-database.cfg')], {
      env: { ...process.env, ...(Object.fromEntries(hosts) as NodeJS.ProcessEnv) },
      stdio: 'ignore',
      detached: true,
    });
    if (proxy.pid !== undefined) guard?.registerServer(proxy.pid);
    this.proxy = proxy;
  }

  private async createDatabase(): Promise<void> {
    const client = this.superuser();
    await client.connect();
    try {
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [OWNER]);
      if (rowCount !== 0) return;
      await client.query(`create role ${OWNER} login createdb password '${PASSWORD}'`);
      await client.query(`create role ${SERVER} login password '${PASSWORD}'`);
      await client.query(`grant pg_read_all_stats to ${SERVER}`);
      await client.query(`create database ${DATABASE} owner ${OWNER}`);
    } finally {
      await client.end();
    }
  }
}

function isComplete(members: readonly PatroniMember[]): boolean {
  const copies = members.filter(({ role }) => role !== 'leader');
  return (
    members.length === NAMES.length &&
    members.some(({ role, state }) => role === 'leader' && state === 'running') &&
    copies.filter(({ role }) => role === 'sync_standby').length === 1 &&
    copies.every(
      ({ state, lag }) => (state === 'running' || state === 'streaming') && typeof lag === 'number',
    )
  );
}

/** The environment of a machine's programs. Variables of this process, e.g. `PGSSLMODE`, would change Patroni. */
function patroniEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    PATRONI_REPLICATION_PASSWORD: PASSWORD,
    PATRONI_REWIND_PASSWORD: PASSWORD,
  };
}

function makeCertificate(
  folder: string,
  { openssl }: DatabasePrograms,
  identity: { readonly uid?: number; readonly gid?: number },
): void {
  const key = join(folder, 'server.key');
  const certificate = join(folder, 'server.crt');
  const parameters = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '3650',
    '-subj',
    '/CN=database',
  ];
  const { status, stderr } = spawnSync(openssl, [...parameters, '-keyout', key, '-out', certificate], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`no certificate could be made: ${stderr}`);
  chmodSync(key, 0o600);
  own(key, identity);
  own(certificate, identity);
}

function own(path: string, { uid, gid }: { readonly uid?: number; readonly gid?: number }): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
