import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TRON_GENESIS } from '@exchange/core/tron-network.ts';
import { TRON_TRANSFER_TOPIC } from '../src/modules/chains/tron-domain.ts';

/** The contract of USDT on the public network. */
export const TRON_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

const BASE_58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly results: Record<string, unknown>[];
}

/** A transfer of a token as a test describes it. */
interface FakeTransfer {
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  readonly contract?: string;
  /** Result of the transaction; `SUCCESS` without it. */
  readonly result?: string;
  /** Number of unrelated events that precede the transfer in its transaction. */
  readonly before?: number;
}

/**
 * A TRON node on a free port that simulates solidified blocks in the format of `java-tron`. Tests
 * plant faults through its fields.
 */
export class FakeTron {
  readonly blocks: Block[] = [];
  /** Changes an answer before it is sent. */
  distort: ((method: string, answer: unknown) => unknown) | undefined;
  private waiting: Record<string, unknown>[] = [];
  private count = 0;
  private salt = 'tron';
  private server: Server | undefined;

  constructor(chain = 'nile') {
    this.blocks.push({ number: 0, hash: TRON_GENESIS.get(chain)!, parentHash: '0'.repeat(64), results: [] });
    this.solidify(5);
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const fields = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
        const method = request.url!.replace('/walletsolidity/', '');
        const answer = this.answer(method, fields);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(this.distort === undefined ? answer : this.distort(method, answer)));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    await once(this.server!, 'close');
  }

  /** Adds a transaction with these transfers, in their order, to the next block; returns its id. */
  transfer(...transfers: FakeTransfer[]): string {
    this.count += 1;
    const id = digest(`transaction ${this.salt} ${this.count}`);
    const log = transfers.flatMap(({ from, to, units, contract = TRON_USDT, before = 0 }) => [
      ...Array.from({ length: before }, () => ({ address: hexOf(contract), topics: [digest('other')] })),
      {
        address: hexOf(contract),
        topics: [TRON_TRANSFER_TOPIC, hexOf(from).padStart(64, '0'), hexOf(to).padStart(64, '0')],
        data: units.toString(16).padStart(64, '0'),
      },
    ]);
    const { result = 'SUCCESS' } = transfers[0]!;
    this.waiting.push({
      id,
      fee: 345_000,
      contractResult: [''],
      receipt: { result, energy_usage_total: 31_895, net_usage: 345 },
      log,
    });
    return id;
  }

  /** Adds blocks; the first contains the transactions that wait. */
  solidify(count = 1): void {
    for (let added = 0; added < count; added += 1) {
      const { number: last, hash: parentHash } = this.blocks.at(-1)!;
      const number = last + 1;
      const results = this.waiting.map((result) => Object.assign({ blockNumber: number }, result));
      this.waiting = [];
      const hash = `${number.toString(16).padStart(16, '0')}${digest(`${this.salt} ${number}`).slice(16)}`;
      this.blocks.push({ number, hash, parentHash, results });
    }
  }

  /** Replaces the newest blocks by others, which no real node does with solidified ones. */
  replace(count: number): void {
    this.blocks.splice(-count);
    this.salt += ' again';
    this.solidify(count);
  }

  private answer(method: string, { num, value }: Record<string, unknown>): unknown {
    if (method === 'getnowblock') return blockAnswer(this.blocks.at(-1)!);
    const block = this.blocks[Number(num)];
    if (method === 'getblockbynum') return block === undefined ? {} : blockAnswer(block);
    if (method === 'gettransactioninfobyblocknum') return block?.results ?? [];
    if (method === 'gettransactioninfobyid')
      return this.blocks.flatMap(({ results }) => results).find(({ id }) => id === value) ?? {};
    return { Error: `class java.lang.IllegalArgumentException : ${method}` };
  }
}

function blockAnswer({ number, hash, parentHash, results }: Block) {
  return {
    blockID: hash,
    block_header: {
      // A zero is omitted, as in every message of the network.
      raw_data: { number: number === 0 ? undefined : number, parentHash, timestamp: number * 3_000 },
    },
    transactions: results.length === 0 ? undefined : results.map(({ id }) => ({ txID: id })),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The 40 hex digits of an address in base 58, without its first byte and its checksum. */
function hexOf(address: string): string {
  let number = 0n;
  for (const digit of address) number = number * 58n + BigInt(BASE_58.indexOf(digit));
  return number.toString(16).padStart(50, '0').slice(2, 42);
}
