import { createHmac } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { SECOND_MS } from '@exchange/core/time.ts';
import { createApiKey } from '@exchange/wire/api-key.ts';
import { CODE_TYPES, sendEmailCode } from '@exchange/wire/user.ts';
import { WebSocket } from 'ws';
import type { ApiKey, ApiKeys } from '../../api-keys/index.ts';
import { eventually } from '../../../../testing/eventually.ts';
import type { TestExchange, TestTrader } from '../../../../testing/exchange.ts';

export type Json = Readonly<Record<string, unknown>>;

/** An API key with the secret or private key that signs its requests. */
export interface TestKey {
  readonly key: string;
  readonly sign: (text: string) => string;
}

/**
 * Creates an API key that may trade and transfer, and confirms it with the mailed code. Advances the
 * exchange's time by 61 seconds first, because codes of one purpose are mailed to an address at most once a
 * minute.
 */
export async function makeTestKey(
  exchange: TestExchange,
  owner: TestTrader,
  publicKey = '',
): Promise<Omit<TestKey, 'sign'> & { readonly secret: string }> {
  const fields = {
    name: 'Bot',
    trade: '1',
    transfer: '1',
    addresses: '',
    expireTime: '0',
    publicKey,
  } as const;
  await exchange.advanceTime(61 * SECOND_MS);
  await owner.request(sendEmailCode, {
    email: owner.email,
    type: CODE_TYPES.bind,
    act: createApiKey.path,
    about: new URLSearchParams(fields).toString(),
  });
  const mail = await fetch(`${exchange.url}/dev/mail.json?to=${owner.email}`);
  const { list } = (await mail.json()) as { list: readonly { code?: string }[] };
  return owner.request(createApiKey, { ...fields, code: list[0]!.code! });
}

/** Creates an API key with a shared secret. */
export async function makeHmacKey(exchange: TestExchange, owner: TestTrader): Promise<TestKey> {
  const { key, secret } = await makeTestKey(exchange, owner);
  return { key, sign: (text) => createHmac('sha256', secret).update(text).digest('hex') };
}

type KeyTerms = Parameters<ApiKeys['create']>[1];

/**
 * Adds an API key with a shared secret (HMAC) to an account or sub-account, without a mailed code. The key may not
 * withdraw and is valid from every address. Unless `terms` differs, it may only read and never expires.
 */
export function addKey(
  exchange: TestExchange,
  account: UserId,
  terms: Partial<Pick<KeyTerms, 'name' | 'mayTrade' | 'mayTransfer' | 'expiresAt'>> = {},
): Promise<{ apiKey: ApiKey; secret: string }> {
  return exchange.doors.apiKeys.keys.create(
    account,
    {
      name: terms.name ?? 'Bot',
      mayTrade: terms.mayTrade ?? false,
      mayTransfer: terms.mayTransfer ?? false,
      withdrawalLimit: undefined,
      addresses: [],
      expiresAt: terms.expiresAt,
      publicKey: undefined,
    },
    { caller: { address: '', userAgent: '' }, submission: undefined },
  );
}

/** A test client that signs its requests with an API key. */
export class Bot {
  readonly key: string;
  private readonly secret: string;
  private readonly exchange: TestExchange;

  constructor(exchange: TestExchange, { key, secret }: { key: string; secret: string }) {
    this.exchange = exchange;
    this.key = key;
    this.secret = secret;
  }

  sign(text: string): string {
    return createHmac('sha256', this.secret).update(text).digest('hex');
  }

  async send(
    method: string,
    path: string,
    values: Readonly<Record<string, string>> = {},
  ): Promise<Json & { readonly code?: number }> {
    const query = new URLSearchParams({
      timestamp: String(this.exchange.clock.now()),
      recvWindow: '60000',
      ...values,
    });
    const url = `${this.exchange.url}${path}?${query.toString()}&signature=${this.sign(query.toString())}`;
    const answer = await fetch(url, { method, headers: { 'x-mbx-apikey': this.key } });
    return (await answer.json()) as Json;
  }

  async balances(): Promise<Readonly<Record<string, string>>> {
    const { balances } = await this.send('GET', '/api/v3/account', { omitZeroBalances: 'true' });
    const rows = balances as readonly { asset: string; free: string }[];
    return Object.fromEntries(rows.map(({ asset, free }) => [asset, free]));
  }
}

/** A WebSocket connection of a program, with the messages that it has received. */
export class ProgramSocket {
  readonly received: Json[] = [];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  private readonly socket: WebSocket;
  private requests = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (bytes: Buffer) => this.received.push(JSON.parse(bytes.toString()) as Json));
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on('error', () => undefined);
  }

  static async open(
    exchange: Pick<TestExchange, 'url'>,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ProgramSocket> {
    const socket = new WebSocket(`${exchange.url.replace('http', 'ws')}${path}`, { headers });
    const program = new ProgramSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return program;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends a request with the next id and resolves to its answer. */
  async request(method: string, params?: unknown): Promise<Json> {
    this.requests += 1;
    const id = this.requests;
    this.send({ id, method, ...(params !== undefined && { params }) });
    return this.message((message) => message['id'] === id);
  }

  /**
   * Resolves to the first received message that matches, waiting for it if necessary; throws if none arrives in time.
   */
  message(matches: (message: Json) => boolean): Promise<Json> {
    return eventually(() => {
      const message = this.received.find(matches);
      if (message === undefined) throw new Error(`none of ${this.received.length} messages matches`);
      return message;
    });
  }

  /**
   * The received events of a type, without the wrapping object if the event was in the field `data` or `event` of a
   * message.
   */
  events(type: string): Json[] {
    return this.received
      .map((message) => (message['data'] ?? message['event'] ?? message) as Json)
      .filter(({ e }) => e === type);
  }

  close(): void {
    this.socket.close();
  }
}
