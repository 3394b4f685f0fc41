import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import {
  addressProblem,
  receivedAmount,
  EVERY_COIN_NETWORK,
  expectedMinutes,
  findCoinNetwork,
  mostWithdrawable,
  nextRequestAt,
  requestsProblem,
  usdtValue,
  withdrawalLimits,
  withdrawalProblem,
} from './network.ts';
import { DAY_MS, instant, untilText } from './time.ts';

const d = (text: string) => Decimal.parse(text);
const BTC = findCoinNetwork('BTC', 'BTC')!;
const XRP = findCoinNetwork('XRP', 'XRP')!;
const state = {
  available: d('2'),
  limits: withdrawalLimits(2),
  dayUsed: d('35000'),
  monthUsed: d('35000'),
  price: d('50000'),
  holdUntil: instant(0),
};
const NOW = instant(1_000);

describe('coins on networks', () => {
  it('WDR-002 on every network the smallest withdrawal exceeds the fee and fits the chain’s decimals', () => {
    for (const coin of EVERY_COIN_NETWORK) {
      expect(receivedAmount(coin, coin.minWithdrawal).isPositive()).toBe(true);
      expect(coin.maxWithdrawal.isMore(coin.minWithdrawal)).toBe(true);
      for (const amount of [coin.minWithdrawal, coin.fee, coin.minDeposit])
        expect(amount.fits(coin.digits)).toBe(true);
    }
    expect(receivedAmount(BTC, d('0.5')).toString()).toBe('0.4999');
    expect(receivedAmount(BTC, d('0.00001')).toString()).toBe('0');
  });

  it('WDR-010 the greatest withdrawal respects balance, network and limits, and a larger amount is refused', () => {
    const most = mostWithdrawable(BTC, state);
    expect(most.toString()).toBe('0.3');
    expect(withdrawalProblem(BTC, most, state, NOW)).toBeUndefined();
    expect(withdrawalProblem(BTC, d('0.30000001'), state, NOW)).toMatchObject({
      key: 'l.withdraw_day',
      parameters: { limit: '15000', value: '15000.0005' },
    });
    const used = { ...state, dayUsed: d('0'), monthUsed: d('740000') };
    expect(withdrawalProblem(BTC, d('0.21'), used, NOW)).toMatchObject({ key: 'l.withdraw_month' });
    expect(mostWithdrawable(BTC, { ...state, dayUsed: d('60000') }).toString()).toBe('0');
  });

  it('WDR-003 the value in USDT is never rounded down', () => {
    expect(usdtValue(d('0.00000001'), d('0.00000001')).toString()).toBe('0.00000001');
  });

  it('ADDR-001 a tag of the XRP Ledger is a number of 32 bits', () => {
    const address = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
    expect(addressProblem(XRP, { address, memo: '4294967295' })).toBeUndefined();
    expect(addressProblem(XRP, { address, memo: '4294967296' })).toMatchObject({ key: 'l.memo_invalid' });
    expect(addressProblem(XRP, { address, memo: 'me' })).toMatchObject({ key: 'l.memo_invalid' });
    expect(addressProblem(XRP, { address })).toMatchObject({ key: 'l.memo_required' });
  });

  it('DEP-002 expected minutes are confirmations times block time', () => {
    expect(expectedMinutes(BTC.network)).toBe(20);
    expect(expectedMinutes(findCoinNetwork('ETH', 'ERC20')!.network)).toBe(2);
    // The time until the deposit is credited is twenty minutes until a block is final, plus five seconds for
    // twenty blocks of a quarter of a second.
    expect(expectedMinutes({ ...findCoinNetwork('ETH', 'ARBITRUM')!.network, finalitySeconds: 1_200 })).toBe(
      20,
    );
    expect(expectedMinutes({ ...findCoinNetwork('USDT', 'POLYGON')!.network, finalitySeconds: 5 })).toBe(1);
  });

  it('WDR-033 a request beyond the limit is refused with the limit and the time of the next request', () => {
    const firstAt = instant(90_001);
    expect(nextRequestAt({ count: 0, firstAt: undefined }, 20)).toBeUndefined();
    expect(requestsProblem({ count: 19, firstAt }, 20)).toBeUndefined();
    expect(nextRequestAt({ count: 20, firstAt }, 20)).toBe(90_001 + DAY_MS);
    expect(requestsProblem({ count: 20, firstAt }, 20)?.parameters).toEqual({
      limit: '20',
      value: '20',
      nextAt: String(90_001 + DAY_MS),
      until: '1970-01-02 00:02',
    });
  });

  it('WDR-014 the end of a waiting time is rounded up to the minute', () => {
    expect([0, 1, 60_000, 60_001].map((at) => untilText(instant(at)))).toEqual([
      '1970-01-01 00:00',
      '1970-01-01 00:01',
      '1970-01-01 00:01',
      '1970-01-01 00:02',
    ]);
  });
});
