/**
 * Runs Node's bare HTTP server, which answers each path with fixed bytes. Its speed is the upper limit for servers that
 * are built on it. The argument is a file with a JSON object of bodies by path. Prints the port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerProcessorTime } from './processor-time.ts';

const bodies = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Readonly<Record<string, string>>;
const responses = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]));

const server = createServer((request, response) => {
  const body = responses.get(request.url ?? '');
  request.resume();
  response.writeHead(body === undefined ? 404 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body?.length ?? 0,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
answerProcessorTime();
process.once('SIGTERM', () => process.exit(0));
