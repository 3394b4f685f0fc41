import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf, formatFigure, maxDecimals, withUnit, type FigureKind } from './decimals.ts';

const KINDS: readonly FigureKind[] = ['exact', 'sum', 'fee', 'worth'];

describe('decimals of figures', () => {
  it.each([
    // Figures of kind `exact`, such as agreed amounts: all decimals up to the eighth.
    ['exact', 'USDT', '46', '46.00'],
    ['exact', 'USDT', '0.123456', '0.123456'],
    ['exact', 'BTC', '0.50000000', '0.5'],
    ['exact', 'SHIB', '426502741.00000000', '426,502,741'],
    // Figures of kind `sum`, such as balances and payments: USDT and USDC have two decimals, or two significant digits
    // when the figure is below 0.1.
    ['sum', 'USDT', '1499.264235', '1,499.26'],
    ['sum', 'USDT', '0.5', '0.50'],
    ['sum', 'USDT', '0.003456', '0.0034'],
    ['sum', 'USDT', '0', '0.00'],
    ['sum', 'USDT', '-0.003456', '−0.0034'],
    ['sum', 'USDC', '1.005', '1.00'],
    ['sum', 'BTC', '0.12345678', '0.12345678'],
    ['sum', 'BTC', '12.34567891', '12.34567891'],
    ['sum', 'ETH', '1234.56789012', '1,234.56789'],
    ['sum', 'SHIB', '426502741.12345678', '426,502,741.1'],
    ['sum', 'SHIB', '123456789012.5', '123,456,789,012'],
    // Figures of kind `fee` in USDT: four significant digits, because fees are small and users compare them.
    ['fee', 'USDT', '0.0468321', '0.04683'],
    ['fee', 'USDT', '1.23456', '1.234'],
    ['fee', 'USDT', '12.3456', '12.34'],
    ['fee', 'USDT', '0.1', '0.10'],
    ['fee', 'BTC', '0.00000047', '0.00000047'],
    // Figures of kind `worth`: always two decimals, because they appear in columns and totals.
    ['worth', 'BTC', '0.003', '0.00'],
    ['worth', undefined, '132.069', '132.06'],
  ] as const)('WEB-954 formats %s of %s, %s, as %s', (kind, coin, value, formatted) => {
    expect(formatFigure(value, 'en-US', kind, coin)).toBe(formatted);
  });

  it('WEB-954 never shows more than the value, nor more than eight decimals, for any kind', () => {
    const text = fc.tuple(
      fc.constantFrom('', '-'),
      fc.stringMatching(/^(?:0|[1-9]\d{0,14})$/),
      fc.stringMatching(/^\d{0,18}$/),
    );
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...KINDS),
        fc.constantFrom('USDT', 'BTC'),
        ([sign, whole, fraction], kind, coin) => {
          const value = fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
          const { minDigits, maxDigits } = decimalsOf(value, kind, coin);
          expect(minDigits).toBeLessThanOrEqual(maxDigits);
          expect(maxDigits).toBeLessThanOrEqual(8);
          const formatted = formatFigure(value, 'en-US', kind, coin).replace('−', '-').replaceAll(',', '');
          const [, decimals = ''] = formatted.split('.');
          expect(fraction.padEnd(8, '0').startsWith(decimals)).toBe(true);
          expect(decimals.length).toBeGreaterThanOrEqual(coin === 'USDT' ? 2 : 0);
        },
      ),
    );
  });

  it('WEB-954 the reserved width is that of the longest figure', () => {
    expect([maxDecimals('sum', 'SHIB'), maxDecimals('fee', 'USDT'), maxDecimals('worth', 'USDT')]).toEqual([
      8, 5, 2,
    ]);
  });

  it('WEB-955 a unit follows its figure and never starts a line', () => {
    expect(withUnit('46', 'USDT')).toBe('46\u00A0USDT');
    expect(withUnit('46', '')).toBe('46');
  });
});
