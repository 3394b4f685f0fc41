import { LOCALES } from '@exchange/core/locale.ts';
import { getSupportedLocales } from 'klinecharts';
import { expect, it } from 'vitest';
import { registerChartLocales } from './use-candles.ts';

it('WEB-038 the chart knows every language that a page can have', () => {
  registerChartLocales();
  expect(getSupportedLocales()).toEqual(expect.arrayContaining([...LOCALES]));
});
