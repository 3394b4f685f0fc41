import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A proxy in front of a node of the Bitcoin family. It answers like nodes that are built on Bitcoin Core 0.14. */
export interface OldNodeProxy {
  readonly url: string;
  /** Number of requests in each JSON-RPC batch that was passed to the node. */
  readonly batches: readonly number[];
  /** The transactions in hex that `sendrawtransaction` was called with, oldest first. */
  readonly broadcasts: readonly string[];
  /**
   * Transactions in hex, by id, with which the proxy itself answers `getrawtransaction` calls for the hex of a
   * transaction.
   */
  readonly previous: Map<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts a proxy that refuses what Dogecoin Core 1.14 refuses: a number as the second parameter of
 * `getblock`, and the method `getindexinfo`. Like Dogecoin Core, it answers -1 for a fee rate that cannot be
 * estimated; it gives this answer to every fee request. If `genesis` is given, it reports it as the hash of
 * the first block, so that the node seems to belong to another network. It answers requests for the
 * transactions in `previous` itself. It passes all other requests and every batch unchanged to the node at
 * `url`. It records the sizes of the batches, and the transactions that are broadcast outside of batches.
 */
export async function anOldNodeProxy(
  url: string,
  { genesis }: { readonly genesis?: string } = {},
): Promise<OldNodeProxy> {
  const batches: number[] = [];
  const broadcasts: string[] = [];
  const previous = new Map<string, string>();
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
      if (!Array.isArray(parsed) && parsed.method === 'estimatesmartfee') {
        response.end(JSON.stringify({ result: { feerate: -1, blocks: 3 }, error: null, id: parsed.id }));
        return;
      }
      const planted = Array.isArray(parsed) ? undefined : plantedFor(parsed, previous);
      if (planted !== undefined && !Array.isArray(parsed)) {
        response.end(JSON.stringify({ result: planted, error: null, id: parsed.id }));
        return;
      }
      if (genesis !== undefined && !Array.isArray(parsed) && isFirstHash(parsed)) {
        response.end(JSON.stringify({ result: genesis, error: null, id: parsed.id }));
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
    previous,
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

function plantedFor({ method, params }: Request, previous: ReadonlyMap<string, string>): string | undefined {
  return method === 'getrawtransaction' && params.length === 1 ? previous.get(String(params[0])) : undefined;
}

function isFirstHash({ method, params }: Request): boolean {
  return method === 'getblockhash' && params[0] === 0;
}

function refusalOf({ id, method, params }: Request) {
  const refuse = (code: number, message: string) => ({ result: null, error: { code, message }, id });
  if (method === 'getblock' && typeof params[1] === 'number')
    return refuse(-1, 'JSON value is not a boolean as expected');
  return method === 'getindexinfo' ? refuse(-32_601, 'Method not found') : undefined;
}
