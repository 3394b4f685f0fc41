import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ServerProcess } from './server-process.ts';

const readerProgram = fileURLToPath(new URL('stream-readers.ts', import.meta.url));
/** Number of pairs whose streams are read. */
const PAIRS = 5;
const READER_PROCESSES = 2;
const REPORT_EVERY_MS = 60_000;
const KIB_PER_MIB = 1_024;

/** The task of a reader process: the server, the pairs, and the numbers of connections. */
export interface ReaderTask {
  readonly url: string;
  /** Index of the process; each process has its own IP addresses. */
  readonly place: number;
  readonly symbols: readonly string[];
  /** Number of connections. Each subscribes to ten streams. The first `slowSockets` connections read nothing. */
  readonly sockets: number;
  readonly slowSockets: number;
  /** Whether the process also builds the books of all pairs and compares them with snapshots. */
  readonly comparesBooks: boolean;
}

/** What a reader process has read since its start. */
export interface ReaderReport {
  opened: number;
  /** Number of reading connections that have ended. */
  ended: number;
  /** Number of connections that read nothing and that the server has ended. */
  slowEnded: number;
  events: number;
  /** Number of comparisons of a book with a snapshot. */
  compared: number;
  readonly problems: string[];
}

export interface StreamsOptions {
  readonly sockets: number;
  readonly slowSockets: number;
  readonly forMs: number;
  readonly say: (line: string) => void;
}

export interface StreamsFigures extends ReaderReport {
  /** Resident memory of the server in MiB with all connections open, and its maximum afterwards. */
  readonly firstMib: number;
  readonly mostMib: number;
}

/**
 * Reads ten streams on each of many connections of a demo with a moving market. No connection that reads may miss an
 * event or be ended, and books built from the streams must equal snapshots. The figures contain the server's memory,
 * because connections that read nothing may increase it.
 */
export async function runStreams({
  sockets,
  slowSockets,
  forMs,
  say,
}: StreamsOptions): Promise<StreamsFigures> {
  const server = await ServerProcess.prepare({ settings: { TRUSTED_PROXY: 'none', LOG_LEVEL: 'warn' } });
  const readers: ChildProcess[] = [];
  try {
    await server.start();
    const symbols = await tradedSymbols(server.url);
    for (let place = 0; place < READER_PROCESSES; place += 1) {
      const task: ReaderTask = {
        url: server.url,
        place,
        symbols,
        sockets: sockets / READER_PROCESSES,
        slowSockets: slowSockets / READER_PROCESSES,
        comparesBooks: place === 0,
      };
      const reader = fork(readerProgram, [JSON.stringify(task)], { execArgv: ['--import', 'tsx'] });
      readers.push(reader);
      await opened(reader);
    }
    const firstMib = memoryOf(server.pid!);
    let mostMib = firstMib;
    const untilMs = performance.now() + forMs;
    for (let saidMs = performance.now(); performance.now() < untilMs;) {
      await sleep(1_000);
      mostMib = Math.max(mostMib, memoryOf(server.pid!));
      if (performance.now() - saidMs < REPORT_EVERY_MS) continue;
      saidMs = performance.now();
      say(lineOf(await reportOf(readers), mostMib));
    }
    return { ...(await reportOf(readers)), firstMib, mostMib };
  } finally {
    for (const reader of readers) reader.kill('SIGKILL');
    await server.close();
  }
}

function lineOf({ opened, ended, slowEnded, events, compared, problems }: ReaderReport, mib: number): string {
  return (
    `${opened} connections, ${ended} ended, ${slowEnded} slow ones ended, ${events} events, ` +
    `${compared} books compared, ${problems.length} problems, server ${mib} MiB`
  );
}

/** Returns the symbols of the first `PAIRS` pairs that are open for trading, in lower case. */
async function tradedSymbols(url: string): Promise<string[]> {
  const { symbols } = (await (await fetch(`${url}/api/v3/exchangeInfo`)).json()) as {
    readonly symbols: readonly { readonly symbol: string; readonly status: string }[];
  };
  const open = symbols.filter(({ status }) => status === 'TRADING');
  return open.slice(0, PAIRS).map(({ symbol }) => symbol.toLowerCase());
}

/** Resolves once all connections of a reader process are open. Throws if the process ends first. */
async function opened(reader: ChildProcess): Promise<void> {
  const ended = once(reader, 'exit').then(([code]) => {
    throw new Error(`a reader process ended with ${String(code)}`);
  });
  await Promise.race([once(reader, 'message'), ended]);
  ended.catch(() => undefined);
}

/** Returns the sum of the reports of all reader processes. */
async function reportOf(readers: readonly ChildProcess[]): Promise<ReaderReport> {
  const reports = await Promise.all(
    readers.map(async (reader) => {
      const answered = once(reader, 'message') as Promise<[ReaderReport]>;
      reader.send('report');
      return (await answered)[0];
    }),
  );
  const total = (count: (report: ReaderReport) => number) =>
    reports.reduce((sum, report) => sum + count(report), 0);
  return {
    opened: total((report) => report.opened),
    ended: total((report) => report.ended),
    slowEnded: total((report) => report.slowEnded),
    events: total((report) => report.events),
    compared: total((report) => report.compared),
    problems: reports.flatMap(({ problems }) => problems),
  };
}

/** Returns the resident memory of a process in MiB. */
function memoryOf(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / KIB_PER_MIB);
}
