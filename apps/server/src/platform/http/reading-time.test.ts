import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitReading } from './reading-time.ts';

const STALLED_MS = 400;
const CHUNK = 'x'.repeat(200);

describe('bodies that arrive slowly', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer({ requestTimeout: 0 }, (request, response) => {
      request.resume();
      request.once('end', () => response.end('done'));
    });
    limitReading(server, { stalledMs: STALLED_MS, progressBytes: 100, uploadMs: 60_000 });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      socket.end(`HTTP/1.1 408 Request Timeout\r\n\r\n${error.code ?? ''}`),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /**
   * Sends an HTTP header and the first `chunks` of the body's ten chunks, with pauses between them. Resolves to the
   * answer.
   */
  const send = async (type: string, chunks: number): Promise<string> => {
    const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const received: string[] = [];
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('data', (bytes) => {
      received.push(String(bytes));
      socket.end();
    });
    socket.on('error', () => undefined);
    socket.write(
      `POST / HTTP/1.1\r\nHost: here\r\nContent-Type: ${type}\r\nContent-Length: ${CHUNK.length * 10}\r\n\r\n`,
    );
    for (let n = 0; n < chunks && received.length === 0; n += 1) {
      socket.write(CHUNK);
      await pause(STALLED_MS / 4);
    }
    await ended;
    return received.join('');
  };

  it('EDGE-811 an upload may take long while bytes keep arriving', async () => {
    expect(await send('multipart/form-data; boundary=x', 10)).toContain('200 OK');
  });

  it('EDGE-811 a stalled upload, and any other body that takes too long, is ended', async () => {
    expect(await send('multipart/form-data; boundary=x', 3)).toContain('ERR_HTTP_REQUEST_TIMEOUT');
    expect(await send('application/x-www-form-urlencoded', 10)).toContain('ERR_HTTP_REQUEST_TIMEOUT');
  });
});
