import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { guardedFolder, ServerProcess } from './server-process.ts';

export interface BusyStartSettings {
  /** Number of processes in an endless loop on the server's processor core. */
  readonly loops: number;
  readonly say: (line: string) => void;
}

/** Timeout in milliseconds of the demo's first start, which takes minutes on a fraction of a processor. */
const START_TIMEOUT_MS = 20 * 60_000;
const COMPLETE = 'The demo data are complete.';
const INCOMPLETE = 'The demo data are incomplete';
const PROCESSOR = '0';

/**
 * EDGE-624: starts a new demo while endless loops use its processor core. The server must open its ports and create its
 * demo data, each within `START_TIMEOUT_MS`, and stop with a normal shutdown. Returns the problems, and the
 * milliseconds from the start until the ports were open and until the data were complete.
 */
export async function runBusyStart({ loops, say }: BusyStartSettings): Promise<{
  readonly problems: readonly string[];
  readonly openMs: number;
  readonly completeMs: number;
}> {
  const { folder, guard } = guardedFolder();
  const busy: ChildProcess[] = [];
  const server = await ServerProcess.prepare({ within: { dataDirectory: folder, guard } });
  const problems: string[] = [];
  let openMs = 0;
  let completeMs = 0;
  try {
    for (let count = 0; count < loops; count += 1) busy.push(pinnedLoop());
    const startMs = performance.now();
    server.launch();
    // The server's child processes, including its database, are restricted to the same processor core as the server.
    pin(server.pid);
    await server.waitUntilReady(START_TIMEOUT_MS);
    openMs = performance.now() - startMs;
    say(`open after ${Math.round(openMs / 1_000)} s beside ${loops} loops on its processor`);
    const ended = server.waitForExit(START_TIMEOUT_MS).then((code) => {
      throw new Error(`the server ended by itself with ${code}:\n${server.output.join('\n')}`);
    });
    await Promise.race([server.waitForLog([COMPLETE, INCOMPLETE], START_TIMEOUT_MS), ended]);
    ended.catch(() => undefined);
    completeMs = performance.now() - startMs;
    if (server.output.some((line) => line.includes(INCOMPLETE))) problems.push(server.output.join('\n'));
    const { exitCode } = await server.stop();
    if (exitCode !== 0) problems.push(`it ended with ${exitCode}`);
  } catch (cause) {
    problems.push(String(cause));
  } finally {
    for (const loop of busy) loop.kill('SIGKILL');
    await server.close();
    await guard.cleanUp();
  }
  return { problems, openMs, completeMs };
}

function pinnedLoop(): ChildProcess {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  pin(loop.pid);
  return loop;
}

/** Restricts a process and its future children to one processor core. Throws if the system does not support this. */
function pin(pid: number | undefined): void {
  if (pid === undefined) throw new Error('the process was not started');
  const { status, error } = spawnSync('taskset', ['-a', '-p', '-c', PROCESSOR, String(pid)]);
  if (status !== 0) throw new Error(`taskset could not pin ${pid}: ${String(error ?? status)}`);
}
