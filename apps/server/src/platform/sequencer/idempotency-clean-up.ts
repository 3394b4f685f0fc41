import { DAY_MS } from '@exchange/core/time.ts';
import { sql, type Kysely } from 'kysely';
import type { Clock } from '../clock.ts';

/** A key that was used for an order is known for so long. A replay needs none: the journal keeps what was asked. */
const KEPT_MS = 7 * DAY_MS;
const REMOVED_AT_ONCE = 5_000;

/**
 * Removes old answers of the operations that begin with `prefix`, some thousand at a time, resting in between for as
 * long as that took; gives how many. A key that is gone is a new one.
 */
export async function removeOldAnswers(
  store: Kysely<unknown>,
  prefix: string,
  clock: Clock,
): Promise<number> {
  const before = clock.now() - KEPT_MS;
  for (let removed = 0; ;) {
    const beganMs = clock.monotonicMs();
    const { numAffectedRows = 0n } = await sql`
      delete from idempotency where ctid = any(array(
        select ctid from idempotency where at < ${before} and starts_with(operation, ${prefix})
        order by at limit ${REMOVED_AT_ONCE}
      ))
    `.execute(store);
    removed += Number(numAffectedRows);
    if (numAffectedRows < REMOVED_AT_ONCE) return removed;
    await new Promise((resolve) => setTimeout(resolve, clock.monotonicMs() - beganMs));
  }
}
