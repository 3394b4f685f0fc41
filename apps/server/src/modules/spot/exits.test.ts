import { beforeEach, describe, expect, it } from 'vitest';
import type { SpotOrder } from './domain/order.ts';
import { BareExchange, refusalOf, userOf, type OrderText } from './testing/bare-exchange.ts';

describe('take-profit and stop-loss attached to a buy', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.tradeAt('50000');
  });

  const EXITS = { takeProfit: '52000', stopLoss: '48000' };
  const buy = (more: Partial<OrderText> = {}) =>
    bare.place(0, { side: 'buy', price: '50000', amount: '0.1', exits: EXITS, ...more });
  const sellTo = (price: string, amount: string) => bare.place(1, { side: 'sell', price, amount });
  const exitsOf = (entry: SpotOrder) =>
    [...bare.exchange.orders].filter(({ entryId }) => entryId === entry.id);
  const refused = (more: Partial<OrderText>) => refusalOf(() => buy(more));

  it('SPOT-290 after the fill the coins less the fee are offered at both prices, each leg cancelling the other', () => {
    const entry = buy();
    expect(entry.exits).toMatchObject({ status: 'waiting' });
    sellTo('50000', '0.1');
    expect([...bare.exchange.owedExits.inOrder()]).toEqual([entry]);
    bare.placeExits();
    expect(entry).toMatchObject({ state: 'filled', exits: { status: 'placed' } });
    const [limit, stop] = exitsOf(entry);
    // The 0.1 % fee is deducted from the coins, and the remainder is rounded down to the pair's amount step.
    expect(`${limit!.type} ${limit!.price} ${limit!.amount}`).toBe('limit 52000 0.0999');
    expect(`${stop!.type} ${stop!.stop!.price} ${stop!.amount}`).toBe('stopMarket 48000 0.0999');
    expect(limit!.groupId).toBe(stop!.groupId);
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0.0999');
    bare.place(1, { side: 'buy', price: '52000', amount: '0.0999' });
    expect(stop).toMatchObject({ state: 'cancelled', reason: 'oco' });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-290 a single exit price becomes a single order, and the stop-loss may have a limit price', () => {
    const profit = buy({ exits: { takeProfit: '52000' } });
    const loss = buy({ exits: { stopLoss: '48000', stopLossLimit: '47900' } });
    sellTo('50000', '0.2');
    bare.placeExits();
    bare.placeExits();
    expect(exitsOf(profit)).toMatchObject([{ type: 'limit', groupId: '', state: 'open' }]);
    expect(exitsOf(loss)).toMatchObject([{ type: 'stopLimit', stop: { status: 'waiting' } }]);
    expect(String(exitsOf(loss)[0]!.price)).toBe('47900');
  });

  it('SPOT-291 a buy that ends after partial fills gets exits for the bought amount; a buy without fills gets none', () => {
    const part = buy();
    const none = buy({ price: '49000' });
    sellTo('50000', '0.04');
    expect([...bare.exchange.owedExits.inOrder()]).toEqual([]);
    bare.cancel(0, part);
    bare.cancel(0, none);
    bare.placeExits();
    expect(exitsOf(part).map(({ amount }) => String(amount))).toEqual(['0.03996', '0.03996']);
    expect(none.exits?.status).toBe('unfilled');
    expect(bare.placeExits()).toBeUndefined();
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-292 a stop-loss reached in the meantime sells at once; a take-profit reached in the meantime sells to the bids', () => {
    const lost = buy();
    sellTo('50000', '0.1');
    bare.tradeAt('47000');
    bare.place(1, { side: 'buy', price: '46900', amount: '1' });
    bare.placeExits();
    expect(exitsOf(lost)).toEqual([]);
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
    bare.tradeAt('50000');
    const won = buy();
    sellTo('50000', '0.1');
    bare.place(1, { side: 'buy', price: '53000', amount: '0.05' });
    bare.placeExits();
    const [rest] = exitsOf(won);
    expect(`${rest!.type} ${rest!.price} ${rest!.filledAmount}`).toBe('limit 52000 0.05');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-293 exits that cannot be placed are abandoned with their reason, and nothing else changes', () => {
    const small = buy({ amount: '0.0002', exits: { takeProfit: '52000', stopLoss: '48000' } });
    sellTo('50000', '0.0001');
    bare.cancel(0, small);
    bare.placeExits();
    expect(small.exits?.status).toBe('tooSmall');
    const spent = buy({ amount: '0.5' });
    sellTo('50000', '0.5');
    bare.place(0, { side: 'sell', price: '59000', amount: '99.99' });
    bare.place(0, { side: 'sell', price: '59000', amount: '0.3' });
    bare.placeExits();
    expect(spent.exits?.status).toBe('balanceShort');
    const closed = bare.place(3, { side: 'buy', price: '50000', amount: '0.1', exits: EXITS });
    sellTo('50000', '0.1');
    bare.setStatus('cancelOnly');
    bare.placeExits();
    expect(closed.exits?.status).toBe('pairClosed');
    expect([small, spent, closed].flatMap(exitsOf)).toEqual([]);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-293 an eleventh stop exceeds the limit, and the entry shows the reason', () => {
    for (let count = 0; count < 10; count += 1)
      bare.place(0, { side: 'sell', type: 'stopMarket', stopPrice: '40000', amount: '0.01' });
    const entry = buy();
    sellTo('50000', '0.1');
    bare.placeExits();
    expect(entry.exits?.status).toBe('tooMany');
    expect(exitsOf(entry)).toEqual([]);
  });

  it('SPOT-294 the take-profit lies above the entry and the stop-loss below it, on the grid, for buys that go to the book', () => {
    expect(refused({ exits: { takeProfit: '50000' } })).toMatchObject({
      key: 'l.take_profit_side',
      field: 'takeProfitPrice',
      limit: '50000.00',
    });
    expect(refused({ exits: { takeProfit: '60000.01' } })).toMatchObject({ key: 'l.price_band_high' });
    expect(refused({ exits: { takeProfit: '52000.001' } })).toMatchObject({ key: 'l.price_decimals' });
    expect(refused({ exits: { stopLoss: '50000' } })).toMatchObject({
      key: 'l.stop_loss_side',
      field: 'stopLossPrice',
      limit: '50000.00',
    });
    // The last price of 50,000 is below the stop-loss price, so the stop-loss would trigger at once.
    expect(refused({ price: '55000', exits: { stopLoss: '51000' } })).toMatchObject({
      key: 'l.stop_loss_side',
      limit: '50000.00',
    });
    expect(refused({ exits: { takeProfit: '52000', stopLossLimit: '47900' } })).toMatchObject({
      key: 'l.stop_price_required',
    });
    expect(refused({ exits: {} })).toMatchObject({ key: 'l.exits_required' });
    expect(refused({ exits: { stopLoss: '48000', stopLossLimit: '30000' } })).toMatchObject({
      key: 'l.price_band_low',
      field: 'stopLossLimitPrice',
    });
    expect(refused({ amount: '0.0001', exits: { stopLoss: '45000' } })).toMatchObject({ key: 'l.total_min' });
    expect(refused({ side: 'sell' })).toMatchObject({ key: 'l.take_profit_side_sell' });
    expect(refused({ type: 'stopLimit', stopPrice: '51000' })).toMatchObject({ key: 'l.exits_order' });
    expect(bare.balanceText(0, 'USDT')).toBe('1000000 + 0');
  });

  it('SPOT-294 the exits of a market buy are checked against the best offer, by amount and by total', () => {
    sellTo('50100', '1');
    const market = { type: 'market', price: undefined } as unknown as Partial<OrderText>;
    expect(refused({ ...market, exits: { takeProfit: '50100' } })).toMatchObject({
      key: 'l.take_profit_side',
      limit: '50100.00',
    });
    const byTotal = bare.place(0, { side: 'buy', type: 'market', total: '5010', exits: EXITS });
    bare.placeExits();
    expect(exitsOf(byTotal).map(({ amount }) => String(amount))).toEqual(['0.0999', '0.0999']);
  });

  it('SPOT-295 an amended buy keeps its exits, and a price beyond them is refused', () => {
    const entry = buy({ price: '49000' });
    expect(refusalOf(() => bare.amend(0, entry, { price: '47999' }))).toMatchObject({
      key: 'l.stop_loss_side',
    });
    bare.amend(0, entry, { price: '49500', amount: '0.05' });
    sellTo('49500', '0.05');
    bare.placeExits();
    expect(exitsOf(entry).map(({ amount }) => String(amount))).toEqual(['0.04995', '0.04995']);
  });

  it('SPOT-296 an entry that expired in a refused step owes no exits', () => {
    const entry = buy({ timeInForce: 'GTT', expireAt: bare.now + 1_000 });
    sellTo('50000', '0.04');
    bare.now = (bare.now + 1_000) as typeof bare.now;
    bare.reference = entry.price;
    expect(refusalOf(() => bare.place(1, { side: 'buy', price: '1', amount: '6' }))).toMatchObject({
      key: 'l.price_band_low',
    });
    expect(entry).toMatchObject({ state: 'open', exits: { status: 'waiting' } });
    expect([...bare.exchange.owedExits.inOrder()]).toEqual([]);
    bare.expire();
    expect([...bare.exchange.owedExits.inOrder()]).toEqual([entry]);
    bare.placeExits();
    expect(exitsOf(entry)).toHaveLength(2);
    expect(exitsOf(entry).every(({ owner }) => owner === userOf(0))).toBe(true);
  });
});

describe('take-profit and stop-loss attached to a sale', () => {
  let bare: BareExchange;

  beforeEach(async () => {
    bare = await BareExchange.open();
    bare.tradeAt('50000');
  });

  const EXITS = { takeProfit: '48000', stopLoss: '52000' };
  const sell = (more: Partial<OrderText> = {}) =>
    bare.place(0, { side: 'sell', price: '50000', amount: '0.1', exits: EXITS, ...more });
  const buyAt = (price: string, amount: string) => bare.place(1, { side: 'buy', price, amount });
  const exitsOf = (entry: SpotOrder) =>
    [...bare.exchange.orders].filter(({ entryId }) => entryId === entry.id);
  const refused = (more: Partial<OrderText>) => refusalOf(() => sell(more));

  it('SPOT-1030 buys back with its proceeds at both prices, each leg cancelling the other, and changes nothing else', () => {
    const before = bare.balanceText(0, 'USDT');
    const entry = sell();
    buyAt('50000', '0.1');
    bare.placeExits();
    expect(entry).toMatchObject({ state: 'filled', exits: { status: 'placed' } });
    const [limit, stop] = exitsOf(entry);
    // 4,995 USDT buy 0.09148 BTC at the guard price, which is 5 % above the stop price of 52,000.
    expect(`${limit!.side} ${limit!.type} ${limit!.price} ${limit!.amount}`).toBe('buy limit 48000 0.09148');
    expect(`${stop!.side} ${stop!.type} ${stop!.stop!.price} ${stop!.amount}`).toBe(
      'buy stopMarket 52000 0.09148',
    );
    expect(stop!.stop!.direction).toBe('gte');
    expect(limit!.groupId).toBe(stop!.groupId);
    expect(before).toBe('1000000 + 0');
    expect(bare.balanceText(0, 'USDT')).toBe('1000000.192 + 4994.808');
    bare.place(1, { side: 'sell', price: '48000', amount: '0.09148' });
    expect(limit).toMatchObject({ state: 'filled' });
    expect(stop).toMatchObject({ state: 'cancelled', reason: 'oco' });
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-1030 a single exit price becomes a single order: as a limit order at most the sold amount, at market all proceeds', () => {
    const profit = sell({ exits: { takeProfit: '48000' } });
    const loss = sell({ exits: { stopLoss: '52000' } });
    const limited = sell({ exits: { stopLoss: '52000', stopLossLimit: '52100' } });
    buyAt('50000', '0.3');
    for (let count = 0; count < 3; count += 1) bare.placeExits();
    const shown = (entry: SpotOrder) =>
      exitsOf(entry).map(({ type, price, amount, total }) => [type, price, amount, total].join(' '));
    expect(shown(profit)).toEqual(['limit 48000 0.1 ']);
    expect(shown(loss)).toEqual(['stopMarket   4995']);
    expect(shown(limited)).toEqual(['stopLimit 52100 0.09587 ']);
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-1031 a stop-loss reached before its order is placed buys at once', () => {
    const entry = sell();
    buyAt('50000', '0.1');
    bare.place(2, { side: 'sell', price: '52000', amount: '1' });
    bare.place(3, { side: 'buy', price: '52000', amount: '0.01' });
    bare.placeExits();
    expect(entry.exits).toMatchObject({ status: 'placed' });
    expect(exitsOf(entry)).toEqual([]);
    // 4,995 USDT buy 0.09605 BTC at 52,000; the 0.1 % fee is deducted from the bought coins.
    expect(bare.balanceText(0, 'BTC')).toBe('99.99595395 + 0');
    expect(bare.problems()).toEqual([]);
  });

  it('SPOT-1031 a take-profit that is already offered buys at once and goes alone', () => {
    const entry = sell();
    buyAt('50000', '0.1');
    bare.place(2, { side: 'sell', price: '47500', amount: '0.02' });
    bare.placeExits();
    expect(exitsOf(entry)).toMatchObject([{ type: 'limit', groupId: '', state: 'open' }]);
    expect(String(exitsOf(entry)[0]!.filledAmount)).toBe('0.02');
  });

  it('SPOT-1032 the take-profit lies below the entry and the stop-loss above it, on the grid, within the band', () => {
    expect(refused({ exits: { takeProfit: '50000' } })).toMatchObject({
      key: 'l.take_profit_side_sell',
      field: 'takeProfitPrice',
      limit: '50000.00',
    });
    expect(refused({ exits: { takeProfit: '39999.99' } })).toMatchObject({ key: 'l.price_band_low' });
    expect(refused({ exits: { stopLoss: '50000' } })).toMatchObject({
      key: 'l.stop_loss_side_sell',
      field: 'stopLossPrice',
      limit: '50000.00',
    });
    // The last price of 50,000 is above the stop-loss price, so the stop-loss would trigger at once.
    expect(refused({ price: '45000', exits: { stopLoss: '49000' } })).toMatchObject({
      key: 'l.stop_loss_side_sell',
      limit: '50000.00',
    });
    expect(refused({ exits: { takeProfit: '48000', stopLossLimit: '52100' } })).toMatchObject({
      key: 'l.stop_price_required',
    });
    expect(refused({ amount: '0.0001', exits: { takeProfit: '45000' } })).toMatchObject({
      key: 'l.total_min',
      field: 'takeProfitPrice',
    });
    expect(refused({ type: 'stopLimit', stopPrice: '49000' })).toMatchObject({ key: 'l.exits_order' });
    expect(bare.balanceText(0, 'BTC')).toBe('100 + 0');
  });

  it('SPOT-1033 its exits are changed, added and removed while it is open', () => {
    const entry = bare.place(0, { side: 'sell', price: '51000', amount: '0.1' });
    bare.amend(0, entry, { exits: { takeProfit: '49000', stopLoss: '53000' } });
    expect(entry.exits).toMatchObject({ status: 'waiting' });
    expect(refusalOf(() => bare.amend(0, entry, { exits: { takeProfit: '51000' } }))).toMatchObject({
      key: 'l.take_profit_side_sell',
    });
    bare.amend(0, entry, { exits: { stopLoss: '0' } });
    buyAt('51000', '0.1');
    bare.placeExits();
    expect(exitsOf(entry)).toMatchObject([{ side: 'buy', type: 'limit', groupId: '' }]);
  });

  it('SPOT-1034 exits that cannot be placed are abandoned, and the sale shows the reason', () => {
    const entry = sell();
    buyAt('50000', '0.0001');
    bare.cancel(0, entry);
    bare.placeExits();
    expect(entry.exits?.status).toBe('tooSmall');
    expect(exitsOf(entry)).toEqual([]);
    expect(bare.problems()).toEqual([]);
  });
});
