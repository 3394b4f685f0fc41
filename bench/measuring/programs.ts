import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';

export const repositoryRoot: string = resolve(import.meta.dirname, '../..');

/** Folder of the bundled programs. They are bundled because the helper code of a loader would be measured too. */
const outDirectory = join(repositoryRoot, 'node_modules/.bench');

/**
 * Path of the source file of the thread that computes the index price. If a benchmark program runs the
 * exchange, this file must be bundled with it under the name `index-worker`.
 */
export const INDEX_WORKER = '../apps/server/src/modules/market/index-worker.ts';

/** Settings of a measured server in live mode, on free ports, besides its database and its data folder. */
export const LIVE_SERVER: Readonly<Record<string, string>> = {
  MODE: 'live',
  PUBLIC_URL: 'https://bench.example',
  // In live mode the server starts only with the address of a mail server. No mail is sent.
  SMTP_URL: 'smtp://127.0.0.1:9',
  HOST: '127.0.0.1',
  PORT: '0',
  CONSOLE_PORT: '0',
  LOG_LEVEL: 'error',
};

/** Bundles programs of `bench/`. Returns the file of each program, which Node can run without a loader. */
export async function buildPrograms<Name extends string>(
  name: string,
  sources: Readonly<Record<Name, string>>,
): Promise<Readonly<Record<Name, string>>> {
  const outDir = join(outDirectory, name);
  const input = Object.fromEntries(
    Object.entries<string>(sources).map(([key, source]) => [key, join(repositoryRoot, 'bench', source)]),
  );
  await build({
    root: repositoryRoot,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: [/^@exchange\//] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rolldownOptions: { input, output: { format: 'es', entryFileNames: '[name].js' } },
    },
  });
  const files = Object.keys(sources).map((key) => [key, join(outDir, `${key}.js`)]);
  return Object.fromEntries(files) as Record<Name, string>;
}

/** Runs a program to its end. Returns the parsed JSON of its last line of output. Throws if the program fails. */
export async function runProgram<T>(file: string, parameters: readonly (string | number)[]): Promise<T> {
  const child = spawnProgram(file, parameters);
  let last = '';
  for await (const line of createInterface({ input: child.stdout! })) last = line;
  const code = child.exitCode ?? ((await once(child, 'exit')) as [number])[0];
  if (code !== 0) throw new Error(`${file} ${parameters.join(' ')} ended with ${code}`);
  return JSON.parse(last) as T;
}

/** A program that runs until it is stopped. */
export interface RunningProgram<Ready> {
  readonly child: ChildProcess;
  /** The parsed JSON of the program's first line of output. */
  readonly ready: Ready;
  /** Sends a message to the program and returns its answer. */
  request<Answer>(message: string): Promise<Answer>;
  /** Stops the program and waits for its end. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a program and waits for its first line of output. */
export async function startProgram<Ready>(
  file: string,
  parameters: readonly (string | number)[],
  options: StartOptions = {},
): Promise<RunningProgram<Ready>> {
  const child = spawnProgram(file, parameters, options);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout! });
  const first = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    ended.then(([code]) =>
      Promise.reject(new Error(`${file} ended with ${String(code)} before it was ready`)),
    ),
  ]);
  return {
    child,
    ready: JSON.parse(first) as Ready,
    request: async (message) => {
      child.send(message);
      const [answer] = (await once(child, 'message')) as [never];
      return answer;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function spawnProgram(
  file: string,
  parameters: readonly (string | number)[],
  { nodeOptions = [], environment = {} }: StartOptions = {},
): ChildProcess {
  return spawn(
    process.execPath,
    [...SERVER_OPTIONS, ...profiling(), ...nodeOptions, file, ...parameters.map(String)],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, ...environment },
    },
  );
}

/** The Node options of `npm start`. */
const SERVER_OPTIONS: readonly string[] = ['--max-semi-space-size=32', '--heap-growing-percent=300'];

/**
 * Returns the Node options with which a program writes a CPU profile to the folder PROFILE_DIR, or none if the variable
 * is not set.
 */
function profiling(): string[] {
  const directory = process.env['PROFILE_DIR'];
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}

/** Creates a temporary folder that PostgreSQL's own account may enter. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'exchange-bench-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
