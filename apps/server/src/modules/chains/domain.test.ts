import { expect, it } from 'vitest';
import { approverOf } from './domain.ts';

it('WDR-1210 a payment whose approver is not known is requested from the signer all the same, which refuses an empty name', () => {
  expect(approverOf({})).toBe('nobody');
  expect(approverOf({ approvedBy: '' })).toBe('nobody');
  expect(approverOf({ approvedBy: 'ann, bob' })).toBe('ann, bob');
});
