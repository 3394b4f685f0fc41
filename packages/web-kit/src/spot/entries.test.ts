import { isWaiting, type Order } from './shapes.ts';
import { describe, expect, it } from 'vitest';
import { countCancellable, entriesOf } from './entries.ts';

function order(id: string, changes: Partial<Order> = {}): Order {
  return { ...EMPTY, id, ...changes };
}

const EMPTY: Order = {
  id: '',
  clientId: '',
  symbol: 'btcusdt',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  tradeType: 1,
  orderType: 'limit',
  timeInForce: 'GTC',
  postOnly: 0,
  price: '100',
  stopPrice: '',
  direction: '',
  trailPct: '',
  ...({
    takeProfitPrice: '',
    stopLossPrice: '',
    stopLossLimitPrice: '',
    exitStatus: '',
    entryId: '',
    listRole: '',
    parentId: '',
  } as const),
  listId: '',
  activationPrice: '',
  activatedTime: 0,
  stopStatus: '',
  expireTime: 0,
  groupId: '',
  stp: 'cancelTaker',
  amount: '1',
  total: '',
  filledAmount: '0',
  filledTotal: '0',
  cancelledAmount: '0',
  avgPrice: '',
  fee: '0',
  feeCoin: 'BTC',
  status: 0,
  reason: '',
  createTime: 1,
  updateTime: 1,
};
const RESTING = [order('a'), order('leg', { groupId: 'g', tradeType: 2 }), order('b', { tradeType: 2 })];
const WAITING = [
  order('s', { stopStatus: 'waiting' }),
  order('stop', { groupId: 'g', tradeType: 2, stopStatus: 'waiting' }),
];

describe('open orders', () => {
  it('PAPI-142 list the pending orders of an OTOCO with the waiting ones, and its working order with those on the book', () => {
    const all = [
      order('working', { listId: 'l', listRole: 'working' }),
      order('profit', { listId: 'l', listRole: 'pending', groupId: 'g' }),
      order('loss', { listId: 'l', listRole: 'pending', groupId: 'g', stopStatus: 'waiting' }),
    ];
    const resting = all.filter((each) => !isWaiting(each));
    const { open, waiting } = entriesOf(resting, all.filter(isWaiting));
    expect(open.map(({ id }) => id)).toEqual(['working']);
    expect(waiting.map(({ id }) => id)).toEqual(['profit', 'loss']);
    expect(countCancellable({ open, waiting }, '')).toBe(1);
  });

  it('MOB-107 show both legs of an OCO as one waiting entry, and all others in their place', () => {
    const { open, waiting } = entriesOf(RESTING, WAITING);
    expect(open.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(waiting.map(({ kind, id }) => [kind, id])).toEqual([
      ['stop', 's'],
      ['oco', 'g'],
    ]);
    expect(waiting[1]).toMatchObject({ limit: { id: 'leg' }, stop: { id: 'stop' } });
  });

  it('MOB-107 lose nothing while one leg has not arrived', () => {
    expect(entriesOf(RESTING, []).open).toHaveLength(3);
    expect(entriesOf([], WAITING).waiting.map(({ kind }) => kind)).toEqual(['stop', 'stop']);
  });

  it('MOB-108 are counted by side for a cancellation, an OCO once', () => {
    const entries = entriesOf(RESTING, WAITING);
    expect((['', '1', '2'] as const).map((side) => countCancellable(entries, side))).toEqual([4, 2, 2]);
  });
});
