import { LOCALES } from '@exchange/core/locale.ts';
import { getSupportedLocales } from 'klinecharts';
import { expect, it } from 'vitest';
import { registerChartLocales } from './use-candles.ts';

it('WEB-038 the chart library has words for every language of the page', () => {
  registerChartLocales();
  expect(getSupportedLocales()).toEqual(expect.arrayContaining([...LOCALES]));
});
