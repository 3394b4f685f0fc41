import { COUNT, TEXT, amountIn, optional } from '@exchange/wire/console/columns.ts';
import { describeOperation } from '@exchange/wire/operation.ts';
import { describe, expect, it } from 'vitest';
import { serveAction, serveList, type EvidenceOf, type OperatorCall } from './operation.ts';

const GIFTS = describeOperation({
  method: 'GET',
  path: '/ops/gifts/open',
  name: 'Open',
  summary: 'Gifts that wait.',
  roles: ['finance'],
  fields: { query: { label: 'Name', kind: 'text' } },
  rows: {
    in: 'gifts',
    key: ['asset'],
    columns: {
      asset: TEXT,
      amount: amountIn('asset'),
      sent: optional(COUNT),
    },
  },
});
const SEND = describeOperation({
  method: 'POST',
  path: '/ops/gifts/open/:id/send',
  name: 'Send',
  summary: 'Sends a gift.',
  roles: ['finance'],
  concerns: ['/ops/gifts/open'],
  evidence: { facts: { asset: TEXT } },
});
const CALL: OperatorCall = {
  parameters: {},
  fields: { query: 'a', before: '7' },
  operator: { name: 'ada', roles: ['finance'] },
};
const ROW = { asset: 'BTC', amount: '1' };

describe('operations served by their description', () => {
  it('OPS-1120 a list answers its rows under the described name, with its bound and the next page', async () => {
    const operation = serveList(GIFTS, ({ fields: { query, before } }) =>
      Promise.resolve({
        list: [ROW],
        total: 5,
        hasMore: true,
        next: `${query} ${before}`,
      }),
    );
    expect(operation).toMatchObject({ path: '/ops/gifts/open', name: 'Open', roles: ['finance'] });
    expect(await operation.run(CALL)).toEqual({ gifts: [ROW], total: 5, hasMore: true, next: 'a 7' });
  });

  it('OPS-1121 the compiler refuses rows, fields and evidence that differ from the description', () => {
    const answers = [
      // @ts-expect-error -- The column `by` is not described.
      serveList(GIFTS, () => Promise.resolve({ list: [{ ...ROW, by: 'ada' }] })),
      // @ts-expect-error -- The column `amount` is missing.
      serveList(GIFTS, () => Promise.resolve({ list: [{ asset: 'BTC' }] })),
      // @ts-expect-error -- An amount is no JavaScript number.
      serveList(GIFTS, () => Promise.resolve({ list: [{ asset: 'BTC', amount: 1 }] })),
      // @ts-expect-error -- The field `coin` is not described.
      serveList(GIFTS, ({ fields: { coin } }) => Promise.resolve({ list: [{ ...ROW, asset: coin }] })),
      // @ts-expect-error -- The description announces evidence.
      serveAction(SEND, { run: () => Promise.resolve({}) }),
      serveAction(SEND, {
        // @ts-expect-error -- The fact `asset` is missing.
        secondPerson: { evidence: () => ({ facts: {} }) },
        run: () => Promise.resolve({}),
      }),
      serveAction(GIFTS, {
        // @ts-expect-error -- The description announces no evidence.
        secondPerson: { evidence: () => ({ facts: { asset: 'BTC' } }) },
        run: () => Promise.resolve({}),
      }),
    ];
    expect(answers).toHaveLength(7);
    const evidence = (): EvidenceOf<typeof SEND> => ({
      // @ts-expect-error -- The fact `owner` is not described.
      facts: { asset: 'BTC', owner: 'ada' },
    });
    expect(serveAction(SEND, { secondPerson: { evidence }, run: () => Promise.resolve({}) }).path).toBe(
      SEND.path,
    );
  });
});
