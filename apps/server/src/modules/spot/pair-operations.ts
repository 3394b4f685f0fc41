import type { PairStatus } from '@exchange/core/pair.ts';
import { invalidChoice, Refused, refusal } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/desk.ts';
import { serveAction, serveList, whyOf, type Operation } from '../../platform/console/operation.ts';
import type { PairStatuses } from './pair-statuses.ts';

const STATUSES: ReadonlySet<string> = new Set<PairStatus>(['open', 'cancelOnly', 'closed']);

/** The operations on pairs: list them, and open, halt or close one with a reason. */
export function pairOperations({ statuses }: { readonly statuses: PairStatuses }): Operation[] {
  return [
    serveList(described.pairs, async () => ({ list: await statuses.list() })),
    serveAction(described.setPairStatus, {
      check: ({ fields: { status = '' } }) => {
        if (!isStatus(status))
          throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'status' }));
      },
      secondPerson: {
        isNeeded: ({ fields: { status } }) => status === 'open',
        evidence: async ({ parameters: { symbol = '' }, fields: { status = '' } }) => {
          const current = (await statuses.list()).find((pair) => pair.symbol === symbol);
          if (current === undefined) throw invalidChoice('symbol', symbol);
          return {
            facts: {
              symbol,
              statusNow: current.status,
              statusNext: status,
              setBy: current.by,
              setBecause: current.reason,
            },
          };
        },
      },
      run: async (call) => {
        const { status = '' } = call.fields;
        if (!isStatus(status))
          throw new Refused(refusal('invalidField', 'l.field_choice', { field: 'status' }));
        const symbol = call.parameters['symbol'] ?? '';
        await statuses.set(symbol, status, whyOf(call));
        return { symbol, status };
      },
    }),
  ];
}

function isStatus(text: string): text is PairStatus {
  return STATUSES.has(text);
}
