import { MINUTE_MS, type Instant } from '@exchange/core/time.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import { coveragePercent, isShort, type Cover } from './coverage-domain.ts';

/** What was found at a moment. */
export interface Coverage {
  readonly at: Instant;
  readonly covers: readonly Cover[];
}

/** It is looked every few minutes: several looks in a row may fail. */
const OVERDUE_MS = 30 * MINUTE_MS;
const NOT_YET = 'not yet';

/** Not up while less than users are owed is there, or nobody has been able to look. `trouble` is why the last look failed. */
export function coverageHealth(
  last: Coverage | undefined,
  { now, trouble }: { readonly now: Instant; readonly trouble: string | undefined },
): ComponentHealth {
  const why = trouble === undefined ? '' : `: ${trouble}`;
  if (last === undefined)
    return trouble === undefined
      ? { isUp: true, isUnmeasured: true, facts: { looked: NOT_YET } }
      : { isUp: false, reason: `what is held cannot be read${why}`, facts: { looked: NOT_YET } };
  const { covers, at } = last;
  const known = covers.filter(({ held }) => held !== undefined);
  const short = covers.filter(isShort);
  const least = known
    .flatMap((cover) => {
      const percent = coveragePercent(cover);
      return percent === undefined ? [] : [{ asset: cover.asset, percent }];
    })
    .toSorted((one, other) => one.percent.compare(other.percent))[0];
  const facts = {
    looked: new Date(at).toISOString(),
    covered: `${known.length - short.length} of ${covers.length} coins`,
    ...(least === undefined ? {} : { least: `${least.asset} ${least.percent} %` }),
    ...(known.length === covers.length ? {} : { unknown: covers.length - known.length }),
  };
  const rows = covers.toSorted((one, other) => rankOf(one) - rankOf(other)).map(rowOf);
  const reasons = [
    ...short.map(
      ({ asset, owed, held }) => `${asset}: ${held} held for ${owed} owed, ${owed.minus(held!)} missing`,
    ),
    ...(now - at > OVERDUE_MS
      ? [`what is held has not been read since ${new Date(at).toISOString()}${why}`]
      : []),
  ];
  return reasons.length === 0
    ? { isUp: true, facts, rows }
    : { isUp: false, reason: reasons.join('; '), facts, rows };
}

/** What is missing first, then what nobody knows. */
function rankOf(cover: Cover): number {
  if (isShort(cover)) return 0;
  return cover.held === undefined ? 1 : 2;
}

function rowOf(cover: Cover): Record<string, string> {
  const { asset, owed, own, held, unknown } = cover;
  return {
    ...{ asset, state: ['short', 'not known', 'covered'][rankOf(cover)]! },
    ...{ coveragePercent: coveragePercent(cover)?.toString() ?? '', owedToUsers: owed.toString() },
    ...{ held: held?.toString() ?? '', difference: held?.minus(owed).toString() ?? '' },
    ...{ ownedByHouse: own.toString(), ...(unknown === '' ? {} : { note: unknown }) },
  };
}
