import type { Order } from '@exchange/wire/feed.ts';
import { describe, expect, it } from 'vitest';
import { openOrdersAfter } from './live.ts';
import { isWaiting } from './shapes.ts';
import { order } from './testing/fixtures.ts';

const ids = (orders: readonly Order[]) => orders.map(({ id }) => id);

describe('open orders', () => {
  it('WEB-100 gain new orders at the top and lose finished ones', () => {
    const cached = [order('b', { createTime: 2 }), order('a')];
    expect(ids(openOrdersAfter(cached, [order('c', { createTime: 3 })], {}))).toEqual(['c', 'b', 'a']);
    for (const status of [2, 3, 4, 5]) {
      expect(ids(openOrdersAfter(cached, [order('b', { status, updateTime: 5 })], {}))).toEqual(['a']);
    }
    const partly = openOrdersAfter(
      cached,
      [order('a', { status: 1, filledAmount: '0.4', updateTime: 2 })],
      {},
    );
    expect(partly[1]).toMatchObject({ id: 'a', filledAmount: '0.4' });
  });

  it('WEB-100 accept only orders that match their filter, and nothing older than the cached state', () => {
    const ethOrder = order('x', { baseCoin: 'ETH', symbol: 'ethusdt' });
    expect(openOrdersAfter([], [ethOrder], { baseCoin: 'BTC', quoteCoin: 'USDT' })).toEqual([]);
    expect(openOrdersAfter([], [ethOrder], { tradeType: '2' })).toEqual([]);
    const late = openOrdersAfter(
      [order('a', { updateTime: 9, status: 1 })],
      [order('a', { updateTime: 3 })],
      {},
    );
    expect(late[0]).toMatchObject({ status: 1, updateTime: 9 });
  });

  it('WEB-102 lose both legs of an OCO in one message, and a triggered stop moves to the orders on the book', () => {
    const limit = order('limit', { groupId: 'g' });
    const stop = order('stop', {
      groupId: 'g',
      orderType: 'stopLimit',
      stopStatus: 'waiting',
      stopPrice: '90',
    });
    const ended = { status: 3, reason: 'oco', updateTime: 2 };
    const filled = { status: 2, filledAmount: '1', updateTime: 2 };
    expect(
      openOrdersAfter(
        [stop, limit],
        [
          { ...limit, ...filled },
          { ...stop, ...ended },
        ],
        {},
      ),
    ).toEqual([]);

    const updated = openOrdersAfter(
      [stop, limit],
      [
        { ...stop, stopStatus: 'triggered', updateTime: 2 },
        { ...limit, ...ended },
      ],
      {},
    );
    expect([stop, limit].filter(isWaiting).map(({ id }) => id)).toEqual(['stop']);
    expect(updated.map((order) => [order.id, isWaiting(order)])).toEqual([['stop', false]]);
  });

  it('WEB-102 with a filter stay within its type and period', () => {
    const news = [order('a', { createTime: 5 }), order('b', { createTime: 5, orderType: 'stopLimit' })];
    expect(ids(openOrdersAfter([], news, { orderType: 'stopLimit' }))).toEqual(['b']);
    expect(ids(openOrdersAfter([], news, { startTime: 6 }))).toEqual([]);
    expect(ids(openOrdersAfter([], news, { endTime: 4 }))).toEqual([]);
    expect(ids(openOrdersAfter([], news, { startTime: 5, endTime: 5 }))).toEqual(['a', 'b']);
  });
});
