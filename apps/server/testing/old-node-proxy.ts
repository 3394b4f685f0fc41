import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A proxy before a node of the Bitcoin family that answers as nodes built on Bitcoin Core 0.14 do. */
export interface OldNodeProxy {
  readonly url: string;
  /** Number of requests in each JSON-RPC batch that was passed to the node. */
  readonly batches: readonly number[];
  /** The transactions in hex that `sendrawtransaction` was called with, oldest first. */
  readonly broadcasts: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts a proxy that refuses what Dogecoin Core 1.14 refuses: a number as the second parameter of `getblock`, and the
 * method `getindexinfo`. It passes everything else to the node at `url`, and records the sizes of the batches and the
 * broadcast transactions.
 */
export async function anOldNodeProxy(url: string): Promise<OldNodeProxy> {
  const batches: number[] = [];
  const broadcasts: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const parsed = JSON.parse(body) as Request | Request[];
      if (Array.isArray(parsed)) batches.push(parsed.length);
      else if (parsed.method === 'sendrawtransaction') broadcasts.push(String(parsed.params[0]));
      const refused = Array.isArray(parsed) ? undefined : refusalOf(parsed);
      if (refused !== undefined) {
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify(refused));
        return;
      }
      const answer = await fetch(url, {
        method: 'POST',
        headers: { authorization: request.headers.authorization ?? '' },
        body,
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches,
    broadcasts,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function refusalOf({ id, method, params }: Request) {
  const refuse = (code: number, message: string) => ({ result: null, error: { code, message }, id });
  if (method === 'getblock' && typeof params[1] === 'number')
    return refuse(-1, 'JSON value is not a boolean as expected');
  return method === 'getindexinfo' ? refuse(-32_601, 'Method not found') : undefined;
}
