import { Decimal } from '@exchange/core/decimal.ts';
import { expect, it } from 'vitest';
import type { RoleCeiling } from './ceilings-domain.ts';
import {
  assignmentNeighbours,
  correctionNeighbours,
  paymentNeighbours,
  roleCeilingNeighbours,
  writeOffNeighbours,
} from './neighbours.ts';

const decimal = (text: string) => Decimal.parse(text);
const PRICE = decimal('4000');
const MOVEMENT = {
  account: 'fees',
  asset: 'ETH',
  amount: decimal('2'),
  holds: decimal('5.5'),
} as const;
const WORTH = '8000 USDT at 4000 USDT';
const HELD = '5.5 ETH, which fees holds';

it('TRE-122 beside money that leaves an account stand its worth, what the account holds, and what it holds afterwards', () => {
  const cost = '2 ETH; fees then holds 3.5 ETH';
  expect(paymentNeighbours(MOVEMENT, PRICE)).toEqual([
    { field: 'amount', market: WORTH },
    { field: 'amount', ceiling: HELD, cost },
  ]);
  expect(paymentNeighbours(MOVEMENT, undefined)).toEqual([{ field: 'amount', ceiling: HELD, cost }]);
  expect(writeOffNeighbours(MOVEMENT, 'world:ETH:ERC20')).toEqual([
    { field: 'account', ceiling: HELD, cost },
  ]);
  expect(writeOffNeighbours(MOVEMENT, 'house:interest')).toEqual([
    { field: 'account', cost: '2 ETH, which interest does not get; no account pays' },
  ]);
  expect(assignmentNeighbours(MOVEMENT, PRICE)).toEqual([
    { field: 'account', market: WORTH },
    { field: 'account', cost: 'nothing; fees then holds 7.5 ETH' },
  ]);
});

it('TRE-122 beside a debit stand the greatest amount without a debt and the debt, beside a credit what its account pays', () => {
  const available = decimal('1.5');
  const debit = { ...MOVEMENT, isCredit: false, available };
  expect(correctionNeighbours(debit, undefined)).toEqual([
    {
      field: 'amount',
      ceiling: '1.5 ETH without a debt',
      cost: 'nothing; the user then owes 0.5 ETH',
    },
    { field: 'account', cost: 'nothing; fees then holds 7 ETH' },
  ]);
  const covered = { ...debit, amount: available };
  expect(correctionNeighbours(covered, undefined)[0]).toMatchObject({ cost: 'nothing' });
  expect(correctionNeighbours({ ...debit, isCredit: true }, PRICE)).toEqual(
    paymentNeighbours(MOVEMENT, PRICE),
  );
});

it('TRE-123 beside the ceiling of a role stand the coins that it is worth and the ceilings of the other roles', () => {
  const ceilings: RoleCeiling[] = [
    { role: 'finance', version: 1, most: decimal('100000') },
    { role: 'approver', version: 0, most: decimal('1000000') },
    { role: 'owner', version: 0, most: undefined },
  ];
  const prices = new Map([['BTC', decimal('100000')]]);
  const proposed = { role: 'finance', most: decimal('50000') } as const;
  const ceiling = '1000000 USDT for approver, no ceiling for owner';
  expect(roleCeilingNeighbours(proposed, ceilings, (asset) => prices.get(asset))).toEqual([
    { field: 'most', market: '0.5 BTC', ceiling },
  ]);
  expect(roleCeilingNeighbours({ role: 'finance', most: undefined }, ceilings, () => PRICE)).toEqual([
    { field: 'most', market: undefined, ceiling },
  ]);
});
