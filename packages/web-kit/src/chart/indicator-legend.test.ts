import { expect, it } from 'vitest';
import { chartAmount } from './indicator-legend.ts';

it('WEB-164 amounts on the chart are shortened in the words of the language', () => {
  expect(['2500000000', 1_234.5, '0.03860000', 0.4].map((value) => chartAmount(value, 'en-US'))).toEqual([
    '2.50B',
    '1.23K',
    '0.0386',
    '0.40',
  ]);
  expect(chartAmount('2500000000', 'zh-CN')).toBe('25.00亿');
});
