import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns the recorded answers of a file in this folder. */
export function recordedAnswers(name: 'tron' | 'xrp'): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'));
}

/** A request to a node: the path of its address, and its body. */
interface NodeRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Starts an HTTP server on a free port of this machine, which simulates a node: it answers each request with
 * the result of `answerTo`, as JSON. Returns its address, and a function that stops it.
 */
export async function aRecordedNode(answerTo: (request: NodeRequest) => unknown) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as NodeRequest['body'];
      response.end(JSON.stringify(answerTo({ path: request.url!, body })));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
