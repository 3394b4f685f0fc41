import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { guardedFolder, ServerProcess } from './server-process.ts';

export interface BusyStartSettings {
  /** Endless loops on the one processor that the server gets. */
  readonly loops: number;
  readonly say: (line: string) => void;
}

/** A first start on a quarter of a processor takes minutes; what hangs is ended after this. */
const PATIENCE_MS = 20 * 60_000;
const COMPLETE = 'The demo data are complete.';
const INCOMPLETE = 'The demo data are incomplete';
const PROCESSOR = '0';

/**
 * EDGE-624: a first start of a demo beside endless loops that share its processor. It has to open its ports and to make its
 * demo data, however long that takes, and to end in order; gives every broken promise.
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
    const beganMs = performance.now();
    server.launch();
    // What the server starts, its database too, stays on the processor with it.
    pin(server.pid);
    await server.ready(PATIENCE_MS);
    openMs = performance.now() - beganMs;
    say(`open after ${Math.round(openMs / 1_000)} s beside ${loops} loops on its processor`);
    const ended = server.ended(PATIENCE_MS).then((code) => {
      throw new Error(`the server ended by itself with ${code}:\n${server.output.join('\n')}`);
    });
    await Promise.race([server.says([COMPLETE, INCOMPLETE], PATIENCE_MS), ended]);
    ended.catch(() => undefined);
    completeMs = performance.now() - beganMs;
    if (server.output.some((line) => line.includes(INCOMPLETE))) problems.push(server.output.join('\n'));
    const { exitCode } = await server.stop();
    if (exitCode !== 0) problems.push(`it ended with ${exitCode}`);
  } catch (cause) {
    problems.push(String(cause));
  } finally {
    for (const loop of busy) loop.kill('SIGKILL');
    await server.close();
    await guard.act();
  }
  return { problems, openMs, completeMs };
}

function pinnedLoop(): ChildProcess {
  const loop = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  pin(loop.pid);
  return loop;
}

/** Keeps a process, and what it starts from now on, on one processor; throws where the system has no means to. */
function pin(pid: number | undefined): void {
  if (pid === undefined) throw new Error('the process was not started');
  const { status, error } = spawnSync('taskset', ['-a', '-p', '-c', PROCESSOR, String(pid)]);
  if (status !== 0) throw new Error(`taskset could not pin ${pid}: ${String(error ?? status)}`);
}
