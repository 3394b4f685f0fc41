import { Decimal } from '@exchange/core/decimal.ts';
import { expect, it } from 'vitest';
import type { FeeRaise } from '../chains/index.ts';
import { raiseNeighbours } from './fee-neighbours.ts';

const amount = (text: string) => Decimal.parse(text);
const raise: FeeRaise = {
  unit: 'Gwei',
  present: amount('100'),
  least: amount('112.500000001'),
  automatic: amount('100'),
  suggested: amount('601.5'),
  coin: 'ETH',
  presentCost: amount('0.0021'),
  raisedCost: amount('0.0105'),
  payments: 1,
};

it('TRE-128 beside a raised fee stand the fee now, the one that the node suggests, the bounds, and the cost', () => {
  expect(raiseNeighbours(raise, { fees: amount('3'), price: amount('2000') })).toEqual([
    {
      field: 'gwei',
      market: '601.5 Gwei, suggested by the node; the transaction offers 100 Gwei',
      ceiling: '100 Gwei without operators; a replacement needs at least 112.500000001 Gwei',
      cost: 'up to 0.0105 ETH (21 USDT) instead of up to 0.0021 ETH; the fees account holds 3 ETH',
    },
  ]);
  expect(raiseNeighbours(raise, undefined, 'child')[0]?.ceiling).toBe(
    '100 Gwei without operators; transaction and child together need at least 112.500000001 Gwei',
  );
});

it('TRE-128 beside the fee of a batch stands how many payments it makes; a coin off the books has no worth', () => {
  const [{ cost } = {}] = raiseNeighbours({ ...raise, coin: 'BNB', payments: 12 }, undefined);
  expect(cost).toBe('up to 0.0105 BNB instead of up to 0.0021 BNB, for 12 payments in one transaction');
});
