import { once } from 'node:events';
import { createServer, get, request, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { csvEndpoint, ANYONE, publicRead } from '@exchange/wire/endpoint.ts';
import * as z from 'zod/mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { collectingLog, runningEdge, type RunningEdge } from '../../../testing/edge.ts';
import { Metrics } from '../metrics/metrics.ts';
import { FileSender, openFile } from './file-answer.ts';
import { route } from './route.ts';

const PART = `${'x'.repeat(65_534)}\r\n`;
const FORM_POST = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};
const BUFFERED = /http_file_buffered_bytes_max (\d+)/;

const exported = csvEndpoint({
  path: '/test/export',
  summary: 'Rows for tests.',
  access: ANYONE,
  charge: publicRead(1),
  fields: { parts: z.string(), fails: z.optional(z.enum(['refused', 'bug', 'database'])) },
});

/** Number of parts that the tests' generators have produced, and number of generators that have ended. */
const progress = { parts: 0, ended: 0 };

async function* rows(count: number, fails?: string): AsyncGenerator<string, void> {
  try {
    for (let n = 0; n < count; n += 1) {
      progress.parts += 1;
      await sleep(0);
      yield PART;
    }
    if (fails === 'refused') throw new Refused(refusal('generic', 'l.export_running'));
    if (fails === 'database') throw Object.assign(new Error('gone'), { code: '57P01' });
    if (fails === 'bug') throw new Error('secret-internal-detail');
  } finally {
    progress.ended += 1;
  }
}

describe('a call that answers with a file', () => {
  let edge: RunningEdge;
  beforeAll(async () => {
    edge = await runningEdge({
      routes: [
        route(exported, ({ parts, fails }) => ({ name: 'rows-1.csv', parts: rows(Number(parts), fails) })),
      ],
    });
  });
  afterAll(() => edge.app.close());

  const postForm = (form: string) =>
    fetch(`${edge.url}/bb/app${exported.path}`, { ...FORM_POST, body: form });

  it('SPOT-232 a file is sent in parts as a named attachment that is not cached and not interpreted as a page', async () => {
    const answer = await postForm('parts=3');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="rows-1.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'transfer-encoding': 'chunked',
    });
    expect(await answer.text()).toBe(PART.repeat(3));
  });

  it.each([
    ['refused', 200, 'l.export_running'],
    ['database', 200, 'l.maintenance'],
    ['bug', 500, 'l.error'],
  ])(
    'SPOT-233 the usual envelope is answered when %s fails before the first row',
    async (failure, status, key) => {
      const answer = await postForm(`parts=0&fails=${failure}`);
      expect(answer.status).toBe(status);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toBeNull();
      expect(await answer.json()).toMatchObject({ errKey: key });
      expect(await (await postForm('')).json()).toMatchObject({
        errKey: 'l.field_invalid',
        data: { field: 'parts' },
      });
    },
  );

  it.each(['bug', 'database'])(
    'SPOT-234 a later failure (%s) resets the connection, and the reader notices',
    async (failure) => {
      const before = edge.log.events.length;
      const answer = await postForm(`parts=4&fails=${failure}`);
      expect(answer.status).toBe(200);
      await expect(answer.text()).rejects.toThrow('terminated');
      const events = edge.log.events.slice(before);
      expect(events).toMatchObject([
        {
          event: 'http.file_cut',
          level: failure === 'bug' ? 'error' : 'warn',
          fields: { route: exported.path },
        },
      ]);
      expect(await edge.metrics.text()).toMatch(/http_files_cut_total [1-9]/);
    },
  );

  it('SPOT-234 the connection of an HTTP/1.0 reader, which takes its end as the file’s end, is reset', async () => {
    const socket = connect(edge.port, '127.0.0.1');
    const form = 'parts=4&fails=bug';
    socket.write(
      `POST /bb/app${exported.path} HTTP/1.0\r\ncontent-type: application/x-www-form-urlencoded\r\n` +
        `content-length: ${form.length}\r\n\r\n${form}`,
    );
    const received = (async () => {
      for await (const chunk of socket) void chunk;
    })();
    await expect(received).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('SPOT-235 no more rows are produced after the reader has disconnected', async () => {
    const { parts, ended } = { ...progress };
    const before = edge.log.events.length;
    const disconnecting = request(`${edge.url}/bb/app${exported.path}`, { ...FORM_POST, agent: false });
    disconnecting.end('parts=100000');
    const [answer] = (await once(disconnecting, 'response')) as [IncomingMessage];
    await once(answer, 'readable');
    disconnecting.destroy();
    await eventually(() => expect(progress.ended).toBe(ended + 1));
    const produced = progress.parts - parts;
    expect(produced).toBeLessThan(1_000);
    await sleep(30);
    expect(progress.parts - parts).toBe(produced);
    expect(edge.log.events.slice(before)).toEqual([]);
  });
});

describe('a file for a slow reader', () => {
  const TIMEOUT_MS = 150;
  const log = collectingLog();
  const metrics = new Metrics();
  const senders: Readonly<Record<string, FileSender>> = {
    lasting: new FileSender({ log, metrics }),
    strict: new FileSender({ log, metrics: new Metrics() }, TIMEOUT_MS),
  };
  let server: Server;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [, sender = '', parts] = request.url!.split('/');
      const source = parts === 'unclosable' ? unclosable() : rows(Number(parts));
      void openFile({ name: 'rows.csv', parts: source }).then((file) =>
        senders[sender]!.send(response, { file, headers: {}, about: { route: 'test', traceId: 't' } }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  const answerTo = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      get({ port, host: '127.0.0.1', path, agent: false }, resolve).on('error', reject);
    });

  it('SPOT-236 a file is produced no faster than it is read', async () => {
    const parts = 1_000;
    const before = progress.parts;
    const answer = await answerTo(`/lasting/${parts}`);
    for (let seen = -1; seen !== progress.parts; await sleep(100)) seen = progress.parts;
    // The operating system buffers some megabytes on both sides. When these buffers are full, no more parts are
    // produced.
    expect(progress.parts - before).toBeLessThan(parts / 2);
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(parts * PART.length);
    const most = Number(BUFFERED.exec(await metrics.text())?.[1]);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(2 * PART.length);
  });

  it('SPOT-237 a file is cut off when its reader stops reading', async () => {
    const { ended } = progress;
    const answer = await answerTo('/strict/2000');
    answer.pause();
    await eventually(() => expect(progress.ended).toBe(ended + 1));
    expect(log.events.at(-1)).toMatchObject({ level: 'warn', event: 'http.file_cut' });
    const rest = (async () => {
      for await (const chunk of answer) void chunk;
    })();
    await expect(rest).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('SPOT-235 a source that cannot be closed after its reader has disconnected is logged and ends nothing else', async () => {
    const answer = await answerTo('/lasting/unclosable');
    answer.destroy();
    await eventually(() => expect(log.events.at(-1)).toMatchObject({ event: 'http.file_not_closed' }));
    const next = await answerTo('/lasting/1');
    let bytes = 0;
    for await (const chunk of next) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(PART.length);
  });
});

/** Yields rows without end, and fails when it is closed: the source of a file that cannot be closed. */
async function* unclosable(): AsyncGenerator<string, void> {
  try {
    for (;;) {
      yield PART;
      await sleep(1);
    }
  } finally {
    // oxlint-disable-next-line no-unsafe-finally -- the failure under test
    throw new Error('the connection of the cursor is gone');
  }
}
