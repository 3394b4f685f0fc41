import type { Operation, OperatorCall } from '../../platform/console/operation.ts';
import type { Halting } from './halting.ts';

/** What an operator may do with assets: see which are halted and why, halt one, and lift a halt, with a reason. */
export function haltOperations(halting: Halting): Operation[] {
  return [
    { method: 'GET', path: '/ops/assets', run: () => halting.list() },
    {
      method: 'POST',
      path: '/ops/assets/:asset/halt',
      run: async (call) => {
        const asset = assetOf(call);
        await halting.haltByOperator(asset, whyOf(call));
        return { asset, isHalted: true };
      },
    },
    {
      method: 'POST',
      path: '/ops/assets/:asset/lift',
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

function whyOf({ fields: { reason = '', by } }: OperatorCall): { by: string; reason: string } {
  // One token for all operators: who it was is what they say, and that it was one of them is certain.
  return { by: by === undefined ? 'operator' : `operator ${by}`, reason };
}
