/**
 * `npm run dev` runs the exchange for development. The server is rebuilt and restarted after every change of its
 * sources. It uses the same data and settings as `npm start` (`DATA_DIR`, `PORT`, `CONSOLE_PORT`). Each app has a Vite
 * server that replaces changed modules in the open page and forwards API calls to the exchange. Another Vite server
 * serves a page that shows every component of the user interface. Ctrl-C stops everything.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stampOf } from './bootstrap/fingerprint.mjs';
import { ensureInstalled, requireNode, StartFailed } from './bootstrap/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The development pages: their names, their folders, the ports of their Vite servers, and the paths at which they are
 * served.
 */
const PAGES = [
  { name: 'mobile', folder: 'apps/mobile', port: 5173, path: '/' },
  { name: 'desktop', folder: 'apps/desktop', port: 5174, path: '/pc/' },
  { name: 'console', folder: 'apps/console', port: 5175, path: '/ops/app/' },
  // The page with every component of the user interface in all its states; no build contains the page.
  { name: 'parts', folder: 'packages/web-kit/testing/parts', port: 5176, path: '/' },
];

/** The process of the built server; it is restarted after each build. */
class ServerProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} the process that runs the server */
  #child;
  /** @type {Promise<void>} resolves when all calls of `replace` so far have stopped and started the server */
  #replaced = Promise.resolve();
  #isEnding = false;

  /**
   * Stops the server if it is running, then starts the newest build. During an earlier call of this method, it does so
   * only after that call has ended. Returns without waiting.
   */
  replace() {
    this.#replaced = this.#replaced.then(() => this.#stop()).then(() => this.#start());
  }

  /** Stops the server; builds that are completed later do not start it again. */
  async end() {
    this.#isEnding = true;
    await this.#replaced;
    await this.#stop();
  }

  #start() {
    if (this.#isEnding) return;
    const program = join(root, 'apps/server/dist/main.js');
    const { NODE_ENV: _, ...env } = process.env;
    const child = spawn(process.execPath, ['--enable-source-maps', program], {
      cwd: root,
      env,
      stdio: 'inherit',
    });
    child.once('exit', (code) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      console.log(`The server ended (exit code ${code}); it starts again after the next change.`);
    });
    this.#child = child;
  }

  async #stop() {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

async function develop() {
  requireNode(process.versions.node);
  ensureInstalled(root, (line) => console.log(line));
  // Vite reads `NODE_ENV` once, for all its servers. It is set here, because a build that starts first would
  // set it to `production`.
  process.env['NODE_ENV'] = 'development';
  // Vite is imported here, because its package may have been installed only by `ensureInstalled`.
  const { build, createServer } = await import('vite');
  // Deletes the fingerprint of the server's build. The build for development replaces the built files, so the next `npm
  // start` must build the server again.
  rmSync(stampOf(root, 'server'), { force: true });
  const server = new ServerProcess();
  const watcher = await build({
    configFile: join(root, 'apps/server/vite.config.ts'),
    logLevel: 'warn',
    build: { watch: {} },
  });
  if (!('on' in watcher)) throw new StartFailed('The server is not being watched.');
  watcher.on('event', (event) => {
    if (event.code === 'END') server.replace();
    if (event.code === 'ERROR') console.error(`The server was not built: ${event.error.message}`);
  });
  const pages = await Promise.all(
    PAGES.map(async ({ folder, port }) => {
      const page = await createServer({
        configFile: join(root, folder, 'vite.config.ts'),
        logLevel: 'warn',
        server: { port, host: '127.0.0.1' },
      });
      return page.listen();
    }),
  );
  for (const [index, { name, path }] of PAGES.entries())
    console.log(`${name.padEnd(8)} http://127.0.0.1:${pages[index]?.config.server.port}${path}`);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      void Promise.all([watcher.close(), server.end(), ...pages.map((page) => page.close())]).then(() =>
        process.exit(0),
      );
    });
}

try {
  await develop();
} catch (error) {
  if (!(error instanceof StartFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
