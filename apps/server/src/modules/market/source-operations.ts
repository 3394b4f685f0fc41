import { invalidChoice } from '@exchange/core/refusal.ts';
import type { ApprovalEvidence } from '../../platform/console/evidence.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  ROLES,
  textFields,
  whyOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { SWITCH_WAIT_MS, type SourceSwitches } from './source-switches.ts';

/** Minimum number of sources for an index that decisions may use. */
const SOURCES_MIN = 3;
const WAIT = `${SWITCH_WAIT_MS / MINUTE_MS} minutes`;

/** Console operations for the sources of the index: list them, and switch a source off and on. */
export function sourceOperations(switches: SourceSwitches): Operation[] {
  return [
    {
      method: 'GET',
      path: '/ops/sources',
      summary: 'Sources of the index, which of them count, and who switched one.',
      roles: ROLES,
      run: () =>
        Promise.resolve({
          sources: switches.list().map(({ id, willBeOn, change, effectiveFrom }) => ({
            source: id,
            state: willBeOn ? 'on' : 'off',
            ...(change === undefined
              ? {}
              : { inForceAt: effectiveFrom, at: change.at, by: change.by, reason: change.reason }),
            ...(change?.note === undefined ? {} : { note: change.note['en-US'] }),
          })),
        }),
    },
    {
      method: 'POST',
      path: '/ops/sources/:source/off',
      summary: `Leaves a source out of the index, with a note to everybody, once every position that is open now has ended: in ${WAIT}. Needs a second person where fewer than three would be left.`,
      roles: ['product', 'approver'],
      fields: textFields('note', 'Public note', 'longText'),
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
    },
    {
      method: 'POST',
      path: '/ops/sources/:source/on',
      summary: `Lets a source count again, in ${WAIT}. Needs a second person.`,
      roles: ['product', 'approver'],
      secondPerson: { evidence: (call) => sourceEvidence(switches, call) },
      run: async (call) => {
        const source = call.parameters['source'] ?? '';
        return { source, state: 'on', inForceAt: await switches.switchOn(source, whyOf(call)) };
      },
    },
  ];
}

/**
 * Facts for the second person: the source's current state, its last switch, and how many sources remain
 * without it.
 */
function sourceEvidence(switches: SourceSwitches, { parameters }: OperatorCall): ApprovalEvidence {
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
