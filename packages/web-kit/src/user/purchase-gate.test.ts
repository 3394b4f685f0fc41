import { expect, it } from 'vitest';
import { purchaseGate } from './purchase-gate.ts';

const READY = { purchase: '1', kycStatus: 2, assetsPwd: 1 } as const;

it.each([
  ['a visitor', false, undefined, 'needsLogin'],
  ['a user whose data is loading', true, undefined, undefined],
  ['an unverified user', true, { ...READY, kycStatus: 1, assetsPwd: 0 as const }, 'needsVerification'],
  ['a user without a trade password', true, { ...READY, assetsPwd: 0 as const }, 'needsPassword'],
  ['a user without permission', true, { ...READY, purchase: '0' }, 'notPermitted'],
  ['a user without obstacles', true, READY, undefined],
])('FIN-205 %s gets the first missing requirement', (_, isSignedIn, info, gate) => {
  expect(purchaseGate(isSignedIn, info)).toBe(gate);
});
