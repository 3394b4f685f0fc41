import { invalidChoice } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/desk.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import type { SourceSwitches } from './source-switches.ts';

/** Minimum number of price sources for an index that decisions may use. */
const SOURCES_MIN = 3;

/**
 * Console operations for the price sources of the index: list them, and switch a source off and on.
 */
export function sourceOperations(switches: SourceSwitches): Operation[] {
  return [
    serveList(described.sources, () =>
      Promise.resolve({
        list: switches.list().map(({ id, willBeOn, change, effectiveFrom }) => ({
          source: id,
          state: willBeOn ? 'on' : 'off',
          inForceAt: change === undefined ? undefined : effectiveFrom,
          at: change?.at,
          by: change?.by,
          reason: change?.reason,
          note: change?.note?.['en-US'],
        })),
      }),
    ),
    serveAction(described.switchSourceOff, {
      secondPerson: {
        isNeeded: ({ parameters }) =>
          switches.remainingCountWithout(parameters['source'] ?? '') < SOURCES_MIN,
        evidence: (call) => sourceEvidence(switches, call),
      },
      run: async (call) => {
        const source = call.parameters['source'] ?? '';
        const note = new FieldValues(call.fields).byLocale('note');
        return { source, state: 'off', inForceAt: await switches.switchOff(source, note, whyOf(call)) };
      },
    }),
    serveAction(described.switchSourceOn, {
      secondPerson: { evidence: (call) => sourceEvidence(switches, call) },
      run: async (call) => {
        const source = call.parameters['source'] ?? '';
        return { source, state: 'on', inForceAt: await switches.switchOn(source, whyOf(call)) };
      },
    }),
  ];
}

/**
 * Evidence for the second operator who approves a switch: the price source's current state, its
 * last switch, and how many sources remain without it.
 */
function sourceEvidence(
  switches: SourceSwitches,
  { parameters }: OperatorCall,
): EvidenceOf<typeof described.switchSourceOn> {
  const source = parameters['source'] ?? '';
  const switched = switches.list().find(({ id }) => id === source);
  if (switched === undefined) throw invalidChoice('source', source);
  return {
    facts: {
      source,
      stateNow: switched.willBeOn ? 'on' : 'off',
      switchedBy: switched.change?.by,
      switchedBecause: switched.change?.reason,
      countingWithoutIt: switches.remainingCountWithout(source),
    },
  };
}
