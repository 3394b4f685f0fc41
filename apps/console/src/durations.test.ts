import { expect, it } from 'vitest';
import { durationLines, durationRows, durationText, meaningOf } from './durations.ts';

it('OPS-1176 durations are rows with seconds, percent and minimum, and their text is what the field sends', () => {
  const rows = durationRows('30:80%:5  60:85.5%:10');
  expect(rows).toEqual([
    { second: '30', percent: '80', minimum: '5' },
    { second: '60', percent: '85.5', minimum: '10' },
  ]);
  expect(durationText(rows)).toBe('30:80%:5 60:85.5%:10');
  expect(durationText([{ second: '３０', percent: ' 80', minimum: '5' }])).toBe('30:80%:5');
  expect(durationText([...rows, { second: '', percent: '', minimum: '' }])).toBe('30:80%:5 60:85.5%:10');
});

it('OPS-1176 stored and typed durations are read line by line, never as 30:0.8:5', () => {
  expect(durationLines('30:0.8:5 60:0.855:10')).toBe('30 s: 80 %, from 5\n60 s: 85.5 %, from 10');
  expect(durationLines('30:80%:5')).toBe('30 s: 80 %, from 5');
});

it.each([
  ['80', { breakEven: '55.56', margin: '10' }],
  ['100', { breakEven: '50', margin: '0' }],
  ['120', { breakEven: '45.45', margin: '-10' }],
  ['', undefined],
  ['0', undefined],
  ['x', undefined],
])('OPS-1176 a rate of %s %% means %j', (percent, meaning) => {
  expect(meaningOf(percent)).toEqual(meaning);
});
