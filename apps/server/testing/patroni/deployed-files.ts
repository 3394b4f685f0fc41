import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MACHINE_FILES } from './machine.ts';
import type { DatabasePrograms } from './programs.ts';

/**
 * The files of `deploy/` for a database of three machines, with the addresses and folders of machines on this
 * computer.
 */

const DEPLOY = fileURLToPath(new URL('../../../../deploy', import.meta.url));
/** Names of the machines in Patroni. */
export const NAMES = ['database1', 'database2', 'database3'] as const;
/** Ports of the database proxy: for the primary, and for its copies. */
export const PRIMARY_PORT = 5_000;
export const REPLICAS_PORT = 5_001;
/** Addresses of the three machines in the files, which are replaced by loopback addresses. */
const DEPLOYED_ADDRESSES = ['10.0.0.5', '10.0.0.6', '10.0.0.7'] as const;
const DEPLOYED_NETWORK = '10.0.0.0/24';
const LOOPBACK_NETWORK = '127.0.0.0/8';

/** What the files of a machine are made for. */
export interface DeployedMachine {
  /** Addresses of all three machines. */
  readonly addresses: readonly string[];
  /** Index of this machine, from 0. */
  readonly index: number;
  /** Folder of the certificate, which all machines share. */
  readonly folder: string;
  readonly machineFolder: string;
  readonly programs: DatabasePrograms;
}

/** Replacements of the machines' addresses in lists, e.g. of etcd's members, which name all three. */
function addressReplacements({ addresses }: DeployedMachine, port: number): readonly [string, string][] {
  return addresses.map((address, index) => [`${DEPLOYED_ADDRESSES[index]}:${port}`, `${address}:${port}`]);
}

/** Returns the configuration of etcd. */
export function etcdFile(machine: DeployedMachine): string {
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

/** Returns the configuration of Patroni. */
export function patroniFile(machine: DeployedMachine): string {
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

/** Returns the configuration of the database proxy, which listens on a loopback address. */
export function proxyFile(address: string): string {
  return replaced('haproxy-database.cfg', [
    [`bind 127.0.0.1:${PRIMARY_PORT}`, `bind ${address}:${PRIMARY_PORT}`],
    [`bind 127.0.0.1:${REPLICAS_PORT}`, `bind ${address}:${REPLICAS_PORT}`],
    [`server primary 127.0.0.1:${PRIMARY_PORT}`, `server primary ${address}:${PRIMARY_PORT}`],
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
