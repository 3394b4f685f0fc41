import { QUOTE_MAX_AGE_MS, type IndexPoint } from '@exchange/core/index-price.ts';
import { symbolOfName } from '@exchange/core/pair.ts';
import { SECOND_MS } from '@exchange/core/time.ts';
import { invalidChoice } from '@exchange/core/refusal.ts';
import * as described from '@exchange/wire/console/desk.ts';
import { sourcePrices, type SourcePrice } from './domain/source-prices.ts';
import { FieldValues } from '../../platform/console/field-values.ts';
import {
  serveAction,
  serveList,
  whyOf,
  type EvidenceOf,
  type Operation,
  type OperatorCall,
} from '../../platform/console/operation.ts';
import { SOURCES_MIN } from './live-venues.ts';
import type { SourceSwitches } from './source-switches.ts';

/** Explanation of each state of a source's price, shown to operators. */
const REASONS: Readonly<Record<SourcePrice['state'], string>> = {
  counts: 'Counts.',
  far: 'Counts, but is more than 2 % from the median, which tolerates it.',
  stale: `Does not count: older than ${QUOTE_MAX_AGE_MS / SECOND_MS} seconds, or from after its second.`,
  silent: 'Does not count: no price of this pair has arrived.',
  off: 'Does not count: an operator has switched the source off.',
};

/**
 * Functions of the market that these operations use: `pairs` returns the symbols of all pairs, `latestPoint`
 * the newest index point of a pair.
 */
interface PricedMarket {
  readonly pairs: () => readonly string[];
  readonly latestPoint: (symbol: string) => IndexPoint | undefined;
}

/**
 * Console operations for the price sources of the index: list them and their prices, and switch them off and
 * on.
 */
export function sourceOperations(switches: SourceSwitches, market: PricedMarket): Operation[] {
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
    serveList(described.sourcePrices, ({ fields: { symbol = '', state = '' } }) => {
      const wanted = symbol.trim() === '' ? undefined : symbolOfName(symbol.trim());
      const rows = market
        .pairs()
        .filter((pair) => wanted === undefined || pair === wanted)
        .flatMap((pair) => sourcePrices(pair, market.latestPoint(pair), switches.list()));
      const list = rows
        .filter((row) => state === '' || row.state === state)
        .map((row) => Object.assign(row, { because: REASONS[row.state] }));
      return Promise.resolve({ list });
    }),
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
 * Evidence for the second operator who approves a switch: the price source's state after its last switch, who made that
 * switch and why, and how many sources remain on without it. Refuses an unknown source.
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
