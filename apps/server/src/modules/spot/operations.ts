import type { PairStatus } from '@exchange/core/pair.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Operation } from '../../platform/console/operation.ts';
import type { PairStatuses } from './pair-statuses.ts';

const STATUSES: ReadonlySet<string> = new Set<PairStatus>(['open', 'cancelOnly', 'closed']);

/** What an operator may do with pairs: see how they stand, and open, halt or close one, with a reason. */
export function pairOperations({ statuses }: { readonly statuses: PairStatuses }): Operation[] {
  return [
    { method: 'GET', path: '/ops/pairs', run: async () => ({ pairs: await statuses.list() }) },
    {
      method: 'POST',
      path: '/ops/pairs/:symbol/status',
      run: async ({ parameters, fields }) => {
        const { status = '', reason = '', by } = fields;
        if (!isStatus(status))
          throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'status' }));
        const symbol = parameters['symbol'] ?? '';
        // One token for all operators: whom it was is what he says, and that it was one of them is certain.
        const who = by === undefined ? 'operator' : `operator ${by}`;
        await statuses.set(symbol, status, { by: who, reason });
        return { symbol, status };
      },
    },
  ];
}

function isStatus(text: string): text is PairStatus {
  return STATUSES.has(text);
}
