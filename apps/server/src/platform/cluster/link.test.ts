import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { hasNats, NatsServer } from '../../../testing/nats.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { FactReader, FactStream } from './facts.ts';
import { InProcessBroker } from './in-process-link.ts';
import { MESSAGE_BYTES_MAX, type Link } from './link.ts';
import { NatsLink } from './nats-link.ts';

const SUBJECT = 'exchange.test';
const bytes = (text: string) => Buffer.from(text);

const broker = new InProcessBroker();
let server: NatsServer | undefined;
const log = recordingLog();
const connectNats = () => new NatsLink({ url: server!.url, name: 'test', log });
const LINKS = [
  { name: 'within a process', connect: () => broker.connect() },
  ...(hasNats ? [{ name: 'over NATS', connect: connectNats }] : []),
];

beforeAll(async () => {
  if (hasNats) server = await NatsServer.start();
});
afterAll(() => server?.stop());

/** Tests of the guarantees that every implementation of a link must fulfill. */
describe.each<{ readonly name: string; readonly connect: () => Link }>(LINKS)(
  'a link $name',
  ({ connect }) => {
    const links: Link[] = [];
    afterEach(async () => {
      for (const link of links.splice(0)) await link.close();
    });

    async function connected(): Promise<Link> {
      const link = connect();
      links.push(link);
      await eventually(() => expect(link.isConnected).toBe(true));
      return link;
    }

    /** Subscribes a link to these subjects. Returns the array to which each message is added as `subject text`. */
    function received(link: Link, ...subjects: string[]): string[] {
      const texts: string[] = [];
      for (const subject of subjects)
        link.subscribe(subject, (payload) =>
          texts.push(`${subject} ${Buffer.from(payload).toString('utf8')}`),
        );
      return texts;
    }

    /**
     * Publishes probe messages until one has reached `link`, which proves that messages of `sender` reach the
     * subscriptions of `link`.
     */
    async function ready(sender: Link, link: Link): Promise<void> {
      const probes = received(link, 'exchange.probe');
      await eventually(() => {
        sender.publish('exchange.probe', bytes('probe'));
        expect(probes).not.toEqual([]);
      });
    }

    it('CLU-010 messages of a sender arrive in order across subjects, at all others and not at the sender', async () => {
      const [sender, first, second] = [await connected(), await connected(), await connected()];
      const at = [sender, first, second].map((link) => received(link, 'exchange.a', 'exchange.b'));
      for (const link of [first, second]) await ready(sender, link);
      for (let count = 0; count < 50; count += 1)
        sender.publish(count % 3 === 0 ? 'exchange.a' : 'exchange.b', bytes(String(count)));
      const expected = Array.from(
        { length: 50 },
        (_, count) => `exchange.${count % 3 === 0 ? 'a' : 'b'} ${count}`,
      );
      await eventually(() => expect(at.slice(1)).toEqual([expected, expected]));
      expect(at[0]).toEqual([]);
    });

    it('CLU-010 a subscription that has ended receives nothing, and a closed link sends nothing', async () => {
      const [sender, reader] = [await connected(), await connected()];
      const ended: string[] = [];
      const end = reader.subscribe(SUBJECT, (payload) => ended.push(Buffer.from(payload).toString('utf8')));
      await ready(sender, reader);
      sender.publish(SUBJECT, bytes('before'));
      await eventually(() => expect(ended).toEqual(['before']));
      end();
      const later = received(reader, 'exchange.later');
      await ready(sender, reader);
      sender.publish(SUBJECT, bytes('after'));
      sender.publish('exchange.later', bytes('last'));
      await eventually(() => expect(later).toEqual(['exchange.later last']));
      expect(ended).toEqual(['before']);
      await sender.close();
      expect(sender.isConnected).toBe(false);
      sender.publish(SUBJECT, bytes('lost'));
      expect(sender.dropped).toBe(1);
    });

    it('CLU-011 the longest message arrives unchanged, and a longer one is refused', async () => {
      const [sender, reader] = [await connected(), await connected()];
      const sizes: number[] = [];
      reader.subscribe(SUBJECT, (payload) => sizes.push(payload.length));
      await ready(sender, reader);
      sender.publish(SUBJECT, Buffer.alloc(MESSAGE_BYTES_MAX, 7));
      await eventually(() => expect(sizes).toEqual([MESSAGE_BYTES_MAX]));
      expect(() => sender.publish(SUBJECT, Buffer.alloc(MESSAGE_BYTES_MAX + 1))).toThrow(RangeError);
    });

    it('CLU-012 facts of one turn are one message, long batches arrive in parts, and numbers count facts', async () => {
      const [sender, reader] = [await connected(), await connected()];
      const lines: [number, number][] = [];
      let lost = 0;
      const facts = new FactReader({
        received: (line, position) => lines.push([position, line.length]),
        lost: () => (lost += 1),
      });
      facts.follow('7', 0);
      reader.subscribe(SUBJECT, (payload) => facts.receive(payload));
      await ready(sender, reader);
      const stream = new FactStream({ link: sender, subject: SUBJECT, generation: '7' });
      for (let count = 0; count < 100; count += 1) stream.append('x'.repeat(count + 1));
      await eventually(() => expect(lines).toHaveLength(100));
      expect(stream.messages).toBe(1);
      stream.append('y'.repeat(3 * MESSAGE_BYTES_MAX));
      await eventually(() => expect(lines).toHaveLength(101));
      expect(stream.messages).toBe(5);
      expect(lines.at(-1)).toEqual([101, 3 * MESSAGE_BYTES_MAX]);
      expect([lines[0], lost]).toEqual([[1, 1], 0]);
    });
  },
);

it('CLU-002 the client of NATS is loaded only where several processes form an exchange', () => {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
  const filesWith = (expression: RegExp) =>
    sources.flatMap(({ file, text }) => (expression.test(text) ? [file] : []));
  expect(filesWith(/'@nats-io\//)).toEqual(['platform/cluster/nats-link.ts']);
  expect(filesWith(/from '[^']*nats-link\.ts'/)).toEqual([]);
  expect(filesWith(/await import\('[^']*nats-link\.ts'\)/)).toEqual(['main.ts']);
});

describe.skipIf(!hasNats)('over NATS', () => {
  it('CLU-013 a link starts without a server, connects when there is one, and again after an outage', async () => {
    await server!.stop();
    const [sender, reader] = [connectNats(), connectNats()];
    const received: string[] = [];
    reader.subscribe(SUBJECT, (payload) => received.push(Buffer.from(payload).toString('utf8')));
    await eventually(() => expect(log.lines.map(({ event }) => event)).toContain('cluster.not_connected'));
    sender.publish(SUBJECT, bytes('lost'));
    expect([sender.isConnected, sender.dropped]).toEqual([false, 1]);
    for (const round of ['first', 'second']) {
      await server!.start();
      await eventually(() => {
        sender.publish(SUBJECT, bytes(round));
        expect(received).toContain(round);
      });
      if (round === 'first') await server!.stop();
    }
    expect(received).not.toContain('lost');
    await Promise.all([sender.close(), reader.close()]);
  });
});
