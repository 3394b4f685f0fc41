import { expect, it } from 'vitest';
import { socketRequestOf } from './socket-calls.ts';

it('PAPI-143 a request on a connection is an object with a method, and at most an id and named parameters', () => {
  const method = 'order.place';
  const params = { symbol: 'BTCUSDT', quantity: 1 };
  expect(socketRequestOf({ id: 7, method, params })).toEqual({ id: 7, method, params });
  expect(socketRequestOf({ id: 'a-1', method })).toEqual({ id: 'a-1', method, params: {} });
  expect(socketRequestOf({ method, params, more: true })).toEqual({ id: null, method, params });
  const malformed: readonly unknown[] = [
    undefined,
    null,
    [],
    'text',
    {},
    { method: 7 },
    { method: 'm'.repeat(61) },
    { method, id: 1.5 },
    { method, id: 2 ** 53 },
    { method, id: 'i'.repeat(37) },
    { method, id: {} },
    { method, params: null },
    { method, params: [] },
    { method, params: 'symbol=BTCUSDT' },
    { method, params: { ['n'.repeat(61)]: 1 } },
  ];
  for (const json of malformed) expect([json, socketRequestOf(json)]).toEqual([json, undefined]);
});
