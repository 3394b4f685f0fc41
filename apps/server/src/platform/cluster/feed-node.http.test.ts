import { logout } from '@exchange/wire/user.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { aFeedNode, FeedClient, LossyLink, type TestFeedNode } from '../../../testing/feed-node.ts';
import { hasNats, NatsServer } from '../../../testing/nats.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { depth, limit, place } from '../../modules/spot/testing/orders.ts';
import { makeHmacKey, ProgramSocket } from '../../modules/public-api/testing/programs.ts';
import { SUBJECTS } from './link.ts';
import { NatsLink } from './nats-link.ts';

const DEPTH = 'depth.btcusdt';
const TRADES = 'trade.btcusdt';

describe.skipIf(!hasNats)('a feed node', () => {
  let nats: NatsServer;
  let exchange: TestExchange;
  let feedNode: TestFeedNode;
  let link: LossyLink;
  let maker: TestTrader;
  let taker: TestTrader;
  const clients: FeedClient[] = [];
  const programs: ProgramSocket[] = [];

  async function openClient(topics: string[], token?: string): Promise<FeedClient> {
    const client = await FeedClient.open(feedNode.url);
    clients.push(client);
    if (token !== undefined) await client.signIn(token);
    client.send({ op: 'subscribe', topics });
    return client;
  }
  async function openProgram(path: string): Promise<ProgramSocket> {
    const socket = await ProgramSocket.open(feedNode, path);
    programs.push(socket);
    return socket;
  }
  const metric = async (url: string, name: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const health = async () => {
    const { status, components } = (await (await fetch(`${feedNode.consoleUrl}/health`)).json()) as {
      status: string;
      components: Record<string, { isUp: boolean; reason?: string }>;
    };
    return { status, ...components };
  };
  /** Waits until the client's copy of the order book equals the writer's order book. */
  const sameBook = (client: FeedClient) =>
    eventually(async () => {
      const { bids, asks } = await depth(exchange);
      expect(client.book(DEPTH)).toEqual({ bids, asks });
    });
  const trade = async (price: string) => {
    await place(maker, limit('sell', price, '0.3'));
    await place(taker, limit('buy', price, '0.1'));
  };

  beforeAll(async () => {
    nats = await NatsServer.start();
    const log = recordingLog();
    exchange = await anExchange({
      hasSystemClock: true,
      openLink: () => new NatsLink({ url: nats.url, name: 'writer', log }),
    });
    link = new LossyLink(new NatsLink({ url: nats.url, name: 'feed node', log: exchange.log }));
    feedNode = await aFeedNode(exchange.database, { link, natsUrl: nats.url });
    maker = await exchange.aUser({ BTC: '50', USDT: '900000' });
    taker = await exchange.aUser({ BTC: '50', USDT: '900000' });
  });
  afterEach(() => {
    link.loses = () => false;
    for (const socket of [...clients.splice(0), ...programs.splice(0)]) socket.close();
  });
  afterAll(async () => {
    await feedNode.close();
    await exchange.close();
    await nats.stop();
  });

  it('CLU-020 a trade on the writer arrives on the sockets of the feed node, public and private', async () => {
    const reader = await openClient([DEPTH, TRADES, 'tickers']);
    const own = await openClient(['order', 'asset'], taker.token);
    const other = await openClient(['order', 'asset'], maker.token);
    await eventually(() => {
      expect(
        [reader, own, other].map(
          (client) => client.received.filter(({ type }) => type === 'snapshot').length,
        ),
      ).toEqual([3, 2, 2]);
    });
    await place(taker, limit('buy', '40000', '0.5'));
    await trade('50000');
    await eventually(() => {
      expect(reader.of(TRADES).at(-1)).toMatchObject({
        type: 'update',
        data: [{ price: '50000', amount: '0.1' }],
      });
      expect(own.of('order').filter(({ type }) => type === 'update').length).toBeGreaterThanOrEqual(2);
      expect(own.of('asset').at(-1)?.data).toMatchObject([{ currency: expect.any(String) }]);
    });
    await sameBook(reader);
    const ownOrders = JSON.stringify(own.of('order'));
    expect(ownOrders).toContain('40000');
    expect(JSON.stringify(other.of('order'))).not.toContain('40000');
    expect(await health()).toMatchObject({ status: 'up', nats: { isUp: true }, writer: { isUp: true } });
  });

  it('CLU-021 a later subscriber gets the same state, and an unknown topic is refused', async () => {
    const first = await openClient([DEPTH]);
    await sameBook(first);
    await place(maker, limit('sell', '50500', '0.2'));
    await sameBook(first);
    const requests = await metric(feedNode.consoleUrl, 'cluster_requests_total');
    const second = await openClient([DEPTH]);
    await sameBook(second);
    expect(await metric(feedNode.consoleUrl, 'cluster_requests_total')).toBe(requests);
    second.send({ op: 'subscribe', topics: ['depth.nopenope', 'nonsense'] });
    await eventually(() => {
      const refused = second.received.filter(({ op }) => op === 'refused').map(({ topic }) => topic);
      expect(new Set(refused)).toEqual(new Set(['depth.nopenope', 'nonsense']));
    });
    const visitor = await openClient(['order']);
    await eventually(() =>
      expect(visitor.received).toMatchObject([{ op: 'refused', errKey: 'l.session_ended' }]),
    );
  });

  it('CLU-022 the writer sends a topic only while somebody listens to it', async () => {
    const own = await openClient(['order', 'asset'], taker.token);
    const reader = await openClient([DEPTH]);
    await eventually(async () =>
      expect(await metric(exchange.consoleUrl, 'cluster_followed_topics')).toBe(3),
    );
    reader.send({ op: 'unsubscribe', topics: [DEPTH] });
    own.close();
    await eventually(async () =>
      expect(await metric(exchange.consoleUrl, 'cluster_followed_topics')).toBe(0),
    );
  });

  it('CLU-023 messages that are missing lead to a snapshot on the same socket, for public and private topics', async () => {
    const reader = await openClient([DEPTH]);
    const own = await openClient(['asset'], maker.token);
    await sameBook(reader);
    await eventually(() => expect(own.snapshots('asset')).toBe(1));
    const lost = { public: 0, private: 0 };
    link.loses = (subject) => {
      const isFact = subject.startsWith('exchange.fact.');
      if (isFact) lost[subject === SUBJECTS.facts ? 'public' : 'private'] += 1;
      return isFact;
    };
    await place(maker, limit('sell', '51000', '0.4'));
    await eventually(() => expect(Math.min(lost.public, lost.private)).toBeGreaterThan(0));
    link.loses = () => false;
    await sameBook(reader);
    await eventually(() => expect([reader.snapshots(DEPTH), own.snapshots('asset')]).toEqual([2, 2]));
    expect([reader.isOpen, own.isOpen]).toEqual([true, true]);
    await place(maker, limit('sell', '51100', '0.1'));
    await sameBook(reader);
    expect(reader.of(DEPTH).at(-1)?.type).toBe('update');
  });

  it('CLU-024 a session that ends on the writer ends its connection on the feed node at once', async () => {
    const user = await exchange.aUser();
    const own = await openClient(['asset'], user.token);
    await eventually(() => expect(own.snapshots('asset')).toBe(1));
    await user.request(logout);
    expect(await own.closed).toBe(1008);
    expect(own.received.at(-1)).toMatchObject({ op: 'ended' });
    const again = await FeedClient.open(feedNode.url);
    clients.push(again);
    again.send({ op: 'auth', token: user.token });
    await eventually(() => expect(again.received).toMatchObject([{ op: 'refused' }]));
  });

  it('CLU-030 programs read streams of market data and of their user from a feed node', async () => {
    const { key } = await makeHmacKey(exchange, taker);
    const issued = await fetch(`${exchange.url}/api/v3/userDataStream`, {
      method: 'POST',
      headers: { 'X-MBX-APIKEY': key },
    });
    const { listenKey } = (await issued.json()) as { listenKey: string };
    const market = await openProgram('/stream?streams=btcusdt@trade/btcusdt@depth@100ms');
    const own = await openProgram(`/ws/${listenKey}`);
    const stranger = await openProgram(`/ws/${'x'.repeat(64)}`);
    await stranger.message(({ e }) => e === 'listenKeyExpired');
    await eventually(async () => expect(await metric(exchange.consoleUrl, 'api_user_streams')).toBe(1));
    await eventually(async () => expect(await metric(exchange.consoleUrl, 'api_streams')).toBe(2));
    await trade('52000');
    await eventually(() => {
      expect(market.received.map(({ stream }) => stream)).toContain('btcusdt@trade');
      expect(market.events('depthUpdate').length).toBeGreaterThan(0);
      expect(own.events('executionReport').map(({ x }) => x)).toEqual(['NEW', 'TRADE']);
      expect(own.events('outboundAccountPosition')).toHaveLength(1);
    });
    expect(market.events('executionReport')).toEqual([]);
    expect((await market.request('SUBSCRIBE', ['nopenope@trade']))['error']).toMatchObject({ code: 2 });
    await exchange.restart();
    expect((await own.closed).reason).toContain('connect again');
    const before = market.events('trade').length;
    await eventually(async () => expect(await metric(exchange.consoleUrl, 'api_streams')).toBe(2));
    await trade('52100');
    await eventually(() => expect(market.events('trade').length).toBeGreaterThan(before));
  });

  it('CLU-025 sockets outlive their writer: the next one sends a snapshot, and the books are equal', async () => {
    const reader = await openClient([DEPTH]);
    const own = await openClient(['order', 'asset'], maker.token);
    await sameBook(reader);
    await eventually(() => expect(own.snapshots('asset')).toBe(1));
    const writer = await metric(feedNode.consoleUrl, 'cluster_epoch');
    await exchange.restart();
    await place(maker, limit('sell', '53000', '0.7'));
    await eventually(() => expect(reader.snapshots(DEPTH)).toBe(2));
    await sameBook(reader);
    await eventually(() => {
      expect(own.snapshots('asset')).toBe(2);
      expect(JSON.stringify(own.of('order'))).toContain('53000');
    });
    expect(await metric(feedNode.consoleUrl, 'cluster_epoch')).toBe(writer + 1);
    expect([reader.isOpen, own.isOpen]).toEqual([true, true]);
  });

  it('CLU-113 while no writer is heard, clients learn that orders wait, also those that connect then', async () => {
    const waiting = { waitingSince: expect.any(Number) as number };
    const stateOf = (client: FeedClient) => client.of('execution').at(-1)?.data;
    const reader = await openClient(['execution']);
    await eventually(() => expect(stateOf(reader)).toEqual({ waitingSince: null }));
    const clientsLearnIt = async () => {
      await eventually(() => expect(stateOf(reader)).toEqual(waiting));
      const later = await openClient(['execution']);
      await eventually(() => expect(stateOf(later)).toEqual(waiting));
    };
    link.loses = () => true;
    await clientsLearnIt();
    link.loses = () => false;
    await eventually(() => expect(stateOf(reader)).toEqual({ waitingSince: null }));
    await exchange.restart(clientsLearnIt);
    await eventually(() => {
      const states = clients.map(stateOf);
      expect(states).toEqual(states.map(() => ({ waitingSince: null })));
    });
  });

  it('CLU-026 after an outage of NATS the feed equals the book, and nothing is missing or doubled', async () => {
    const reader = await openClient([DEPTH]);
    await sameBook(reader);
    await nats.stop();
    await eventually(async () =>
      expect(await health()).toMatchObject({
        status: 'down',
        nats: { isUp: false, reason: expect.stringContaining('NATS') },
      }),
    );
    await place(maker, limit('sell', '54000', '0.9'));
    await place(taker, limit('buy', '41000', '0.2'));
    await nats.start();
    await sameBook(reader);
    expect(reader.isOpen).toBe(true);
    await eventually(async () => expect((await health()).status).toBe('up'));
  });

  it('CLU-112 a feed node without NATS hands its clients over, and admits none until NATS is back', async () => {
    const reader = await openClient([DEPTH]);
    await nats.stop();
    expect(await reader.closed).toBe(1012);
    await expect(FeedClient.open(feedNode.url)).rejects.toThrow('503');
    await nats.start();
    const next = await eventually(() => openClient([DEPTH]));
    await sameBook(next);
    next.close();
  });

  it('CLU-027 messages of a writer that was replaced are ignored', async () => {
    const reader = await openClient([DEPTH]);
    await sameBook(reader);
    const messages = reader.received.length;
    const old = new NatsLink({ url: nats.url, name: 'old writer', log: exchange.log });
    await eventually(() => expect(old.isConnected).toBe(true));
    old.publish(SUBJECTS.writer, Buffer.from('1\t900'));
    old.publish(
      SUBJECTS.facts,
      Buffer.from('1\t901\t1\t0\t1\nupdate\tdepth.btcusdt\t\t{"bids":[["1","1"]]}'),
    );
    await old.close();
    await place(maker, limit('sell', '54100', '0.1'));
    await sameBook(reader);
    expect(reader.received.slice(messages).every(({ type }) => type === 'update')).toBe(true);
  });
});
