import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { describe, expect, it } from 'vitest';
import { waitingRows } from './waiting-table.tsx';

const order = (id: string, groupId = ''): Order => ({ id, groupId }) as Order;
const rowsOf = (waiting: Order[], resting: Order[]) =>
  waitingRows(waiting, resting).map(({ order: { id }, leg }) => `${id} ${leg}`);

describe('stop orders', () => {
  it('DESK-120 list an OCO as two consecutive rows, its stop above its limit order', () => {
    const waiting = [order('trailing'), order('stop leg', 'g'), order('stop')];
    const resting = [order('limit'), order('limit leg', 'g')];
    expect(rowsOf(waiting, resting)).toEqual([
      'trailing alone',
      'stop leg first',
      'limit leg second',
      'stop alone',
    ]);
  });

  it('DESK-120 list a single leg while the other one is unknown', () => {
    expect(rowsOf([order('stop leg', 'g')], [order('other', 'h')])).toEqual(['stop leg alone']);
  });
});
