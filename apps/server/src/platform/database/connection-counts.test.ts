import { expect, it } from 'vitest';
import { serverArguments } from './embedded/settings.ts';
import { CONNECTIONS_MAX } from './connection-counts.ts';

it('CLU-078 the embedded database has room for a whole exchange, and for a cluster where it is told so', () => {
  const connectionsOf = (connectionsMax?: number) => {
    const places = { cluster: '/c', socketDirectory: '/s', logDirectory: '/l', connectionsMax };
    const text = serverArguments(places).find((argument) => argument.startsWith('max_connections='));
    return Number(text?.split('=')[1]);
  };
  expect(connectionsOf()).toBeGreaterThanOrEqual(CONNECTIONS_MAX.writer + 20);
  expect(connectionsOf(200)).toBe(200);
  expect(CONNECTIONS_MAX).toEqual({ writer: 51, node: 8, apiNode: 20, worker: 26 });
});
