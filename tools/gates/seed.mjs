/**
 * `node tools/gates/seed.mjs FOLDER`: lets the built server make its demo data once and stops it, so that tests start on
 * copies of FOLDER: making the database and its first market anew takes three times as long as starting on it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url));
const folder = process.argv[2];
if (folder === undefined) throw new Error('Which folder?');

const making = `${folder}.making`;
mkdirSync(making, { recursive: true, mode: 0o755 });
const server = spawn(process.execPath, [main], {
  env: {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: '0',
    CONSOLE_PORT: '0',
    DATA_DIR: making,
    MODE: 'demo',
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(server, 'exit');
let said = '';
let isMade = false;
for await (const text of server.stdout.setEncoding('utf8')) {
  said += text;
  if (isMade || !/The demo data are (?:in)?complete/.test(said)) continue;
  isMade = true;
  server.kill('SIGTERM');
}
const [exitCode] = await ended;
if (exitCode !== 0) throw new Error(`The server ended with ${exitCode}:\n${said}`);
if (!said.includes('The demo data are complete')) throw new Error(`The demo data are incomplete:\n${said}`);
renameSync(making, folder);
