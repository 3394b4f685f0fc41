import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { createOrder, orderRecords } from '@exchange/wire/spot.ts';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { ReplicaBehind } from '../database/current-replica.ts';
import type { IdentifiedCall } from '../http/identified-call.ts';
import { Metrics } from '../metrics/metrics.ts';
import { StateNotLoaded } from '../state-not-loaded.ts';
import { callNameOf } from './executed-commands.ts';
import { LocalReads } from './local-reads.ts';

const ANSWER = { status: 200, code: 1, body: '{"code":1}' };
const NAME = callNameOf({ endpoint: orderRecords });

function callOf(session: IdentifiedCall['session']): IdentifiedCall {
  return {
    session,
    locale: 'en-US',
    address: '203.0.113.7',
    userAgent: '',
    traceId: 'test',
    traceparent: undefined,
    sentKey: undefined,
    fields: {},
    file: undefined,
  };
}

const VISITOR = callOf(undefined);

/** The reads of a node with one call, which the given function serves. */
function localReads(serve: () => typeof ANSWER = () => ANSWER, isConnected: () => boolean = () => true) {
  const clock = new FakeClock();
  const log = recordingLog();
  const reads = new LocalReads({
    clock,
    log,
    isConnected,
    metrics: new Metrics(),
    replica: { reading: (work) => work((continued) => continued()) },
    calls: [{ endpoint: orderRecords, serve: async () => serve() }],
  });
  return {
    clock,
    log,
    reads,
    read: (call: IdentifiedCall = VISITOR) => reads.serving(NAME)!(call),
  };
}

function throwing(cause: Error) {
  return () => {
    throw cause;
  };
}

/** Returns a function that throws at its first call and then gives the answer. */
function throwingOnce(cause: Error) {
  const causes = [cause];
  return () => {
    const next = causes.pop();
    if (next !== undefined) throw next;
    return ANSWER;
  };
}

describe('calls that a node answers itself', () => {
  it('CLU-108 only the calls of the list are answered here', async () => {
    const { reads, read } = localReads();
    expect(reads.serving(callNameOf({ endpoint: createOrder }))).toBeUndefined();
    expect(await read()).toBe(ANSWER);
  });

  it('CLU-110 without a connection to NATS nothing is answered here, because ended sessions would be unknown', async () => {
    let isConnected = false;
    const { read } = localReads(undefined, () => isConnected);
    expect(await read()).toBeUndefined();
    isConnected = true;
    expect(await read()).toBe(ANSWER);
  });

  it('CLU-110 a refusal is an answer, also of a call that the writer would refuse', async () => {
    const unknown = new Refused(refusal('generic', 'l.not_found'));
    await expect(localReads(throwing(unknown)).read()).rejects.toBe(unknown);
  });

  it('CLU-110 the writer serves a call that needs state in memory, and the next call is tried here', async () => {
    const { read, log } = localReads(throwingOnce(new StateNotLoaded('the open orders')));
    expect(await read()).toBeUndefined();
    expect(await read()).toBe(ANSWER);
    expect(log.lines).toEqual([]);
  });

  it('CLU-110 the writer serves all calls for a second after the replica was behind', async () => {
    const { clock, read, log } = localReads(throwingOnce(new ReplicaBehind('behind')));
    expect(await read()).toBeUndefined();
    clock.advance(999);
    expect(await read()).toBeUndefined();
    clock.advance(1);
    expect(await read()).toBe(ANSWER);
    expect(log.lines).toEqual([]);
  });

  it('CLU-110 after a failure the writer serves calls of that name for five seconds, and the health says why', async () => {
    const { clock, log, reads, read } = localReads(throwing(new Error('connection refused')));
    expect(reads.health()).toEqual({ isUp: true });
    expect(await read()).toBeUndefined();
    expect(await read()).toBeUndefined();
    expect(log.lines.map(({ event }) => event)).toEqual(['node.read_failed']);
    expect(reads.health()).toMatchObject({
      isUp: false,
      reason: expect.stringContaining('connection refused'),
    });
    clock.advance(5_000);
    expect(reads.health()).toEqual({ isUp: true });
    await read();
    expect(log.lines).toHaveLength(2);
  });

  it('CLU-110 a part that refuses with maintenance is no answer', async () => {
    const paused = new Refused(refusal('maintenance', 'l.maintenance'));
    expect(await localReads(throwing(paused)).read()).toBeUndefined();
  });

  it('CLU-109 every part of a file is read under the condition of the call', async () => {
    const resumed: string[] = [];
    const parts = (async function* () {
      for (const part of ['b', 'c']) yield part;
    })();
    const reads = new LocalReads({
      clock: new FakeClock(),
      log: recordingLog(),
      metrics: new Metrics(),
      isConnected: () => true,
      replica: {
        reading: (work) =>
          work((continued) => {
            resumed.push('part');
            return continued();
          }),
      },
      calls: [
        {
          endpoint: orderRecords,
          serve: async () => ({
            status: 200,
            code: 1,
            file: { name: 'a.csv', type: 'text/csv', first: 'a', rest: parts },
            about: { route: orderRecords.path, traceId: 'test' },
          }),
        },
      ],
    });
    const answer = await reads.serving(NAME)!(VISITOR);
    if (answer === undefined || 'body' in answer) throw new Error('no file');
    const text: string[] = [String(answer.file.first)];
    for await (const part of answer.file.rest) text.push(String(part));
    expect(text).toEqual(['a', 'b', 'c']);
    expect(resumed).toHaveLength(3);
  });

  it('CLU-111 every 30 seconds the writer serves a call of the session, and records its use', async () => {
    const { clock, read } = localReads();
    const call = callOf({ id: 'one', userId: '01890000-0000-7000-8000-000000000001' as UserId });
    expect(await read(call)).toBeUndefined();
    expect(await read(call)).toBe(ANSWER);
    clock.advance(29_999);
    expect(await read(call)).toBe(ANSWER);
    clock.advance(1);
    expect(await read(call)).toBeUndefined();
    expect(await read(call)).toBe(ANSWER);
  });
});
