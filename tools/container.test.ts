import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { serverApp } from './vite-shared.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('LIVE-030 the image contains the files that the server reads and runs it as an unprivileged user', () => {
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n');
  const copied = lines.flatMap((line) => /^COPY --from=build \/build\/(\S+)/.exec(line)?.[1] ?? []);
  for (const needed of ['server/dist', 'desktop/dist', 'mobile/dist', 'console/dist', 'server/migrations'])
    expect(copied).toContain(`apps/${needed}`);
  expect(copied).toContain('apps/server/src/platform/children');
  for (const path of copied)
    expect(/dist|node_modules/.test(path) || existsSync(join(root, path)), path).toBe(true);
  expect(lines.findIndex((line) => line === 'USER node')).toBeLessThan(
    lines.findIndex((line) => line.startsWith('CMD')),
  );
  expect(lines).toContain('USER node');
  const ignored = read('.dockerignore').split('\n');
  for (const path of ['.git', 'data', '**/node_modules', '**/*.key', '**/.env*'])
    expect(ignored).toContain(path);
});

/** Returns the lines of a service in `compose.yaml`. */
function service(name: string): string {
  const [, after = ''] = read('compose.yaml').split(`\n  ${name}:\n`);
  return after.split(/\n(?=\S|  \S)/)[0]!;
}

const NAMED = /^ {6}([A-Z_]+):/gm;

it('LIVE-030 both stages pin their base image, and the image has a health check and a stop signal', () => {
  const lines = read('Dockerfile').split('\n');
  const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]!);
  expect(bases).toHaveLength(2);
  for (const base of bases) expect(base).toMatch(/^node:\d+-[a-z]+-slim$/);
  for (const word of ['HEALTHCHECK', 'STOPSIGNAL SIGTERM', 'VOLUME /data /backups'])
    expect(lines.filter((line) => line.startsWith(word))).toHaveLength(1);
  const image = lines.slice(lines.findIndex((line) => line.startsWith('FROM ')) + 1);
  const last = image.slice(image.findIndex((line) => line.startsWith('FROM ')));
  expect(last.filter((line) => /^(ADD|COPY (?!--from=build))/.test(line))).toEqual([]);
  // The Dockerfile must set the owner of the data folders before it declares them as volumes, because Docker
  // may discard later changes of a volume's folder.
  const owned = last.findIndex((line) => line.includes('chown node:node /data /backups'));
  expect(owned).toBeGreaterThan(0);
  expect(owned).toBeLessThan(last.findIndex((line) => line.startsWith('VOLUME')));
});

it('LIVE-028 every command is built as a program beside the server', () => {
  const commands = readdirSync(join(root, 'apps/server/src/commands')).filter((file) => file.endsWith('.ts'));
  const { build } = serverApp(join(root, 'apps/server'));
  const { input, output } = build!.rolldownOptions!;
  const names = commands.map((file) => file.replace('.ts', ''));
  expect(Object.keys(input as object).toSorted()).toEqual([...names, 'index-worker', 'main'].toSorted());
  expect(output).toMatchObject({ entryFileNames: '[name].js' });
  expect(names).toEqual(expect.arrayContaining(['backup', 'restore', 'drill']));
});

it('LIVE-031 services are restricted, have time to stop, and use only settings that the server knows', () => {
  const exchange = service('exchange');
  const settings = read('apps/server/src/config.ts');
  const names = [...exchange.matchAll(NAMED)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name) => !settings.includes(`  ${name}:`))).toEqual([]);
  for (const restriction of [
    'read_only: true',
    'no-new-privileges:true',
    '- ALL',
    'condition: service_healthy',
  ])
    expect(exchange).toContain(restriction);
  const stopMs = Number(
    /STOP_AFTER_FAILURE_MS = ([\d_]+)/.exec(read('apps/server/src/main.ts'))![1]!.replace('_', ''),
  );
  for (const name of ['database', 'exchange']) {
    const seconds = Number(/stop_grace_period: (\d+)s/.exec(service(name))?.[1]);
    expect([name, seconds * 1_000 > stopMs]).toEqual([name, true]);
    expect(service(name)).toContain('restart: unless-stopped');
  }
  expect(service('database')).toMatch(/image: postgres:\d+-[a-z]+\n/);
});

it('LIVE-031 LIVE-891 the server uses a role that does not own its tables, and data is stored in volumes', () => {
  const text = read('compose.yaml');
  const roleIn = (name: string) =>
    new RegExp(`  ${name}: postgres://(?:\\$\\{\\w+:-)?(\\w+)\\}?:`).exec(service('exchange'))?.[1];
  const superuser = /POSTGRES_USER: (\w+)/.exec(text)![1];
  expect(text).toContain(`CREATE ROLE ${roleIn('DATABASE_URL')} LOGIN PASSWORD`);
  // LIVE-891: the database role that owns the tables is not a superuser, and each role has its own password.
  expect(roleIn('DATABASE_OWNER_URL')).not.toBe(superuser);
  expect(text).toContain(`CREATE ROLE ${roleIn('DATABASE_OWNER_URL')} LOGIN CREATEDB PASSWORD`);
  expect(text).toContain(`CREATE DATABASE exchange OWNER ${roleIn('DATABASE_OWNER_URL')}`);
  const passwords = [...text.matchAll(/PASSWORD '?\$\{(\w+)\}|POSTGRES_PASSWORD: \$\{(\w+)/g)].map(
    ([, quoted, admin]) => quoted ?? admin ?? '',
  );
  expect(passwords.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'DATABASE_ADMIN_PASSWORD',
    'DATABASE_OWNER_PASSWORD',
    'DATABASE_PASSWORD',
  ]);
  expect(service('exchange')).not.toContain('DATABASE_ADMIN_PASSWORD');
  expect(roleIn('DATABASE_URL')).not.toBe(roleIn('DATABASE_OWNER_URL'));
  const mounted = [...text.matchAll(/^ {6}- ([a-z]+):\//gm)].map(([, volume]) => volume!);
  const volumes = text.slice(text.lastIndexOf('\nvolumes:'));
  expect(mounted).toEqual(['database', 'data', 'backups']);
  for (const volume of mounted) expect(volumes).toContain(`\n  ${volume}:`);
});

it('LIVE-031 the compose file requires every secret and publishes ports on the loopback only', () => {
  const text = read('compose.yaml');
  for (const name of [
    'DATABASE_PASSWORD',
    'DATABASE_OWNER_PASSWORD',
    'DATABASE_ADMIN_PASSWORD',
    'SERVER_SECRET',
    'SMTP_URL',
    'MAIL_FROM',
    'PUBLIC_URL',
  ])
    expect(text).toContain(`\${${name}:?`);
  const ports = [...text.matchAll(/- '([^']*:\d+:\d+)'/g)].map(([, port]) => port!);
  expect(ports.length).toBeGreaterThan(0);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});
