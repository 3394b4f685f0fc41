import { expect, it } from 'vitest';
import { purchaseGate } from './purchase-gate.ts';

const READY = { purchase: '1', kycStatus: 2, assetsPwd: 1 } as const;

it.each([
  ['nobody', false, undefined, 'needsLogin'],
  ['somebody not known yet', true, undefined, undefined],
  ['somebody not verified', true, { ...READY, kycStatus: 1, assetsPwd: 0 as const }, 'needsVerification'],
  ['somebody without a trade password', true, { ...READY, assetsPwd: 0 as const }, 'needsPassword'],
  ['somebody not permitted', true, { ...READY, purchase: '0' }, 'notPermitted'],
  ['somebody with all of it', true, READY, undefined],
])('FIN-205 %s is asked for the first thing that is missing', (_, isSignedIn, info, gate) => {
  expect(purchaseGate(isSignedIn, info)).toBe(gate);
});
