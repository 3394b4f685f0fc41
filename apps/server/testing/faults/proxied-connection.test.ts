import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ProxiedConnection, type FaultSource } from './proxied-connection.ts';

const UNBROKEN: FaultSource = { faultFor: () => undefined, injected: () => undefined };

describe('a connection through the proxy', () => {
  it('is closed by a cut also while its client is closing', async () => {
    const listener = createServer();
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const accepted = once(listener, 'connection') as Promise<[Socket]>;
    const remote = connect((listener.address() as AddressInfo).port, '127.0.0.1');
    const [client] = await accepted;
    const server = connect((listener.address() as AddressInfo).port, '127.0.0.1');
    const connection = new ProxiedConnection(client, server, UNBROKEN);
    const closed = once(client, 'close');
    client.once('finish', () => expect.unreachable('the goodbye was over before the cut'));

    client.prependOnceListener('end', () => {
      // Node answers the peer's end one tick later. The proxy cuts the connection another tick later, at which a reset
      // could fail.
      process.nextTick(() => process.nextTick(() => connection.cut()));
    });
    remote.end();

    await closed;
    expect(connection.isOpen).toBe(false);
    listener.close();
  });
});
