import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';

export const repositoryRoot: string = resolve(import.meta.dirname, '../..');

/** Bundled like the server itself: what a loader adds to each function at run time would be measured too. */
const outDirectory = join(repositoryRoot, 'node_modules/.bench');

/** Bundles measuring programs of `bench/`; gives the file of each, to be run with plain node. */
export async function builtPrograms<Name extends string>(
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

/** Runs a program to its end; gives the JSON of its last line. */
export async function outcomeOf<T>(file: string, parameters: readonly (string | number)[]): Promise<T> {
  const child = started(file, parameters);
  let last = '';
  for await (const line of createInterface({ input: child.stdout! })) last = line;
  const code = child.exitCode ?? ((await once(child, 'exit')) as [number])[0];
  if (code !== 0) throw new Error(`${file} ${parameters.join(' ')} ended with ${code}`);
  return JSON.parse(last) as T;
}

/** A program that goes on until it is stopped. */
export interface RunningProgram<Ready> {
  readonly child: ChildProcess;
  /** The JSON of its first line. */
  readonly ready: Ready;
  /** Asks the program over its channel and gives its answer. */
  ask<Answer>(question: string): Promise<Answer>;
  /** Ends it in order and waits for that. */
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a program and waits for its first line. */
export async function runningProgram<Ready>(
  file: string,
  parameters: readonly (string | number)[],
  options: StartOptions = {},
): Promise<RunningProgram<Ready>> {
  const child = started(file, parameters, options);
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
    ask: async (question) => {
      child.send(question);
      const [answer] = (await once(child, 'message')) as [never];
      return answer;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function started(
  file: string,
  parameters: readonly (string | number)[],
  { nodeOptions = [], environment = {} }: StartOptions = {},
): ChildProcess {
  return spawn(
    process.execPath,
    [...AS_STARTED, ...profiling(), ...nodeOptions, file, ...parameters.map(String)],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { ...process.env, ...environment },
    },
  );
}

/** The options of `npm start`. */
const AS_STARTED: readonly string[] = ['--max-semi-space-size=32', '--heap-growing-percent=300'];

/** With PROFILE_DIR set, every program leaves a profile of its processor time there. */
function profiling(): string[] {
  const directory = process.env['PROFILE_DIR'];
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}

/** A folder for what a measurement leaves behind; PostgreSQL's own account may enter it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'exchange-bench-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
