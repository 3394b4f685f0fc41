import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('LIVE-030 the image holds what the server reads, and runs it as an ordinary user', () => {
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
  const kept = read('.dockerignore').split('\n');
  for (const left of ['.git', 'data', '**/node_modules', '**/*.key', '**/.env*'])
    expect(kept).toContain(left);
});

it('LIVE-031 the compose file demands every secret and opens ports to this machine only', () => {
  const text = read('compose.yaml');
  for (const name of ['DATABASE_PASSWORD', 'SERVER_SECRET', 'SMTP_URL', 'PUBLIC_URL'])
    expect(text).toContain(`\${${name}:?`);
  const ports = [...text.matchAll(/- '([^']*:\d+:\d+)'/g)].map(([, port]) => port!);
  expect(ports.length).toBeGreaterThan(0);
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});
