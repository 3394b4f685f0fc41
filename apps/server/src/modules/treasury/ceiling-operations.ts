import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/treasury.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type CallOf,
  type Operation,
} from '../../platform/console/operation.ts';
import { serveVersions } from '../../platform/console/versions.ts';
import type { Market } from '../market/index.ts';
import type { Ceilings } from './ceilings.ts';
import { roleCeilingNeighbours } from './neighbours.ts';

/**
 * Returns the console operations on the ceilings of operators' roles. A ceiling is the highest value in USDT
 * that a role may decide about in one operation. A change needs a second operator.
 */
export function ceilingOperations(ceilings: Ceilings, market: Pick<Market, 'usdtPrice'>): Operation[] {
  return [
    serveList(described.ceilings, async () => ({
      list: (await ceilings.list()).map(({ role, most, version }) => ({
        role,
        state: most === undefined ? 'no ceiling' : 'ceiling',
        most,
        version,
      })),
    })),
    serveVersions(described.ceilingVersions, {
      read: ({ parameters }, range) => ceilings.versions(parameters['role'] ?? '', range),
    }),
    serveAction(described.setCeiling, {
      check: async (call) => {
        mostOf(call);
        await ceilings.requireRole(roleOf(call));
      },
      versionOf: async (call) => (await ceilings.requireRole(roleOf(call))).version,
      secondPerson: {
        evidence: async (call) => {
          const { role, most } = await ceilings.requireRole(roleOf(call));
          return {
            facts: {
              role,
              mostNow: textOf(most),
              mostNext: textOf(mostOf(call)),
            },
          };
        },
      },
      neighbours: async (call) => {
        const { role } = await ceilings.requireRole(roleOf(call));
        const proposed = { role, most: mostOf(call) };
        return roleCeilingNeighbours(proposed, await ceilings.list(), (asset) => market.usdtPrice(asset));
      },
      run: async (call) => {
        const { role } = await ceilings.requireRole(roleOf(call));
        return ceilings.set({ role, most: mostOf(call) }, whyOf(call));
      },
    }),
  ];
}

function roleOf({ parameters }: CallOf<typeof described.setCeiling>): string {
  return parameters['role'] ?? '';
}

/**
 * Returns the ceiling in USDT that an operator entered in a form; undefined if the field is empty. Refuses
 * text that is no number, a negative number, and a number that the database cannot store.
 */
function mostOf({ fields }: CallOf<typeof described.setCeiling>): Decimal | undefined {
  const text = (fields.most ?? '').trim();
  if (text === '') return undefined;
  const most = Decimal.tryParse(text);
  if (most?.isStorable() === true && !most.isNegative()) return most;
  throw new Refused(refusal('invalidField', 'l.field_number', { field: 'most', value: text }));
}

function textOf(most: Decimal | undefined): string {
  return most?.toString() ?? 'no ceiling';
}
