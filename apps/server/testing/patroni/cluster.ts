import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { identityFor, serverAccount } from '../../src/platform/database/embedded/account.ts';
import type { Guard } from '../guard.ts';
import { DatabaseMachine, MACHINE_FILES } from './machine.ts';
import type { DatabasePrograms } from './programs.ts';

const DEPLOY = fileURLToPath(new URL('../../../../deploy', import.meta.url));
const NAMES = ['database1', 'database2', 'database3'] as const;
/** Addresses of the three machines in the files of `deploy/`, which are replaced by loopback addresses. */
const DEPLOYED_ADDRESSES = ['10.0.0.5', '10.0.0.6', '10.0.0.7'] as const;
const DEPLOYED_NETWORK = '10.0.0.0/24';
const LOOPBACK_NETWORK = '127.0.0.0/8';
/** Last parts of the loopback addresses of the database proxy and of the three machines. */
const PROXY_HOST = 10;
const FIRST_HOST = 11;
const PRIMARY_PORT = 5_000;
const REPLICAS_PORT = 5_001;
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

interface PatroniMember {
  readonly name: string;
  /** `leader`, `sync_standby` or `replica`. */
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
 * the cache are replaced. Clients have to use TLS without checking the certificate (`PGSSLMODE=no-verify`).
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
      const replaced = { addresses, index, folder, machineFolder, programs };
      writeFileSync(join(machineFolder, MACHINE_FILES.etcd), etcdFile(replaced));
      writeFileSync(join(machineFolder, MACHINE_FILES.patroni), patroniFile(replaced));
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
    writeFileSync(join(folder, 'haproxy-database.cfg'), this.proxyFile());
  }

  /** Starts all machines and the proxy, and creates the exchange's roles and database if they are missing. */
  static async start(options: DatabaseClusterOptions): Promise<DatabaseCluster> {
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
    const { host } = this.connection;
    return `postgres://${role}:${PASSWORD}@${host}:${PRIMARY_PORT}/${DATABASE}`;
  }

  /** Returns the URL of the exchange's database at the replicas, through the proxy, for a role. */
  replicaUrl(role: string): string {
    return this.url(role).replace(`:${PRIMARY_PORT}/`, `:${REPLICAS_PORT}/`);
  }

  /** Returns the machine with a role in Patroni's list; undefined if Patroni lists none. */
  async machineOf(role: 'leader' | 'sync_standby' | 'replica'): Promise<DatabaseMachine | undefined> {
    const member = (await this.members()).find((listed) => listed.role === role);
    return this.machines.find(({ name }) => name === member?.name);
  }

  /** Hands the primary over to the synchronous standby, like an operator before maintenance. */
  async switchOver(): Promise<void> {
    const leader = await this.machineOf('leader');
    if (leader === undefined) throw new Error('there is no primary that could hand over');
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
      ssl: { rejectUnauthorized: false },
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

  private proxyFile(): string {
    const { network } = this.options;
    return replaced('haproxy-database.cfg', [
      [`bind 127.0.0.1:${PRIMARY_PORT}`, `bind ${network}.${PROXY_HOST}:${PRIMARY_PORT}`],
      [`bind 127.0.0.1:${REPLICAS_PORT}`, `bind ${network}.${PROXY_HOST}:${REPLICAS_PORT}`],
      [`server primary 127.0.0.1:${PRIMARY_PORT}`, `server primary ${network}.${PROXY_HOST}:${PRIMARY_PORT}`],
    ]);
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

interface Replaced {
  readonly addresses: readonly string[];
  readonly index: number;
  readonly folder: string;
  readonly machineFolder: string;
  readonly programs: DatabasePrograms;
}

/** Replacements of the machines' addresses in lists, e.g. of etcd's members, which name all three. */
function addressReplacements({ addresses }: Replaced, port: number): readonly [string, string][] {
  return addresses.map((address, index) => [`${DEPLOYED_ADDRESSES[index]}:${port}`, `${address}:${port}`]);
}

function etcdFile(machine: Replaced): string {
  const { addresses, index, machineFolder } = machine;
  const own = addresses[index]!;
  return replaced('etcd.conf.yml', [
    ['name: database1\n', `name: ${NAMES[index]}\n`],
    ['data-dir: /var/lib/etcd/default', `data-dir: ${join(machineFolder, 'etcd')}`],
    ['listen-peer-urls: http://10.0.0.5', `listen-peer-urls: http://${own}`],
    [
      'listen-client-urls: http://10.0.0.5:2379,http://127.0.0.1:2379',
      `listen-client-urls: http://${own}:2379`,
    ],
    ['initial-advertise-peer-urls: http://10.0.0.5', `initial-advertise-peer-urls: http://${own}`],
    ['advertise-client-urls: http://10.0.0.5', `advertise-client-urls: http://${own}`],
    ...addressReplacements(machine, 2_380),
  ]);
}

function patroniFile(machine: Replaced): string {
  const { addresses, index, folder, machineFolder, programs } = machine;
  const own = addresses[index]!;
  return replaced('patroni.yml', [
    ['name: database1\n', `name: ${NAMES[index]}\n`],
    ['listen: 10.0.0.5:8008', `listen: ${own}:8008`],
    ['connect_address: 10.0.0.5:8008', `connect_address: ${own}:8008`],
    ['listen: 10.0.0.5,127.0.0.1:5432', `listen: ${own}:5432`],
    ['connect_address: 10.0.0.5:5432', `connect_address: ${own}:5432`],
    ...addressReplacements(machine, 2_379),
    [DEPLOYED_NETWORK, LOOPBACK_NETWORK],
    // The account of this computer that runs PostgreSQL may have another name than the superuser.
    ['local all all peer', 'local all all scram-sha-256'],
    ['shared_buffers: 2GB', 'shared_buffers: 128MB'],
    // The default folder of the socket is shared by all machines of this computer.
    ["ssl: 'on'", `ssl: 'on'\n    unix_socket_directories: ${machineFolder}`],
    ['/var/lib/postgresql/15/exchange', join(machineFolder, MACHINE_FILES.database)],
    ['/usr/lib/postgresql/15/bin', programs.postgresFolder],
    ['/var/lib/postgresql/.pgpass_patroni', join(machineFolder, 'pgpass')],
    ['/etc/patroni/server.crt', join(folder, 'server.crt')],
    ['/etc/patroni/server.key', join(folder, 'server.key')],
  ]);
}

/** Returns a file of `deploy/` with texts replaced everywhere. Throws if the file does not contain one of them. */
function replaced(name: string, replacements: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(DEPLOY, name), 'utf8');
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`deploy/${name} does not contain “${from}”`);
    text = text.replaceAll(from, to);
  }
  return text;
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
