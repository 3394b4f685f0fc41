import { ROLES, whyOf, type Operation, type OperatorCall } from '../../platform/console/operation.ts';
import type { Halting } from './halting.ts';

/** What an operator may do with assets: see which are halted and why, halt one, and lift a halt, with a reason. */
export function haltOperations(halting: Halting): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/assets',
      summary: 'Assets that are halted, and why.',
      roles: ROLES,
      run: () => halting.list(),
    },
    {
      method: 'POST',
      path: '/ops/assets/:asset/halt',
      summary: 'Halts an asset: nothing of it moves until the halt is lifted.',
      roles: ['finance', 'approver'],
      run: async (call) => {
        const asset = assetOf(call);
        await halting.haltByOperator(asset, whyOf(call));
        return { asset, isHalted: true };
      },
    },
    {
      method: 'POST',
      path: '/ops/assets/:asset/lift',
      summary: 'Lifts the halt of an asset.',
      roles: ['finance', 'approver'],
      needsApproval: () => true,
      run: async (call) => {
        const asset = assetOf(call);
        await halting.lift(asset, whyOf(call));
        return { asset, isHalted: false };
      },
    },
  ];
}

function assetOf({ parameters }: OperatorCall): string {
  return (parameters['asset'] ?? '').toUpperCase();
}
