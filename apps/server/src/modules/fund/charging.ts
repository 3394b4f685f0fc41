import type { Decimal } from '@exchange/core/decimal.ts';
import { unitValue } from '@exchange/core/fund.ts';
import { MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { throughAll } from '../../platform/jobs/due-work.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Market } from '../market/index.ts';
import type { FundCommands } from './commands.ts';
import type { Fund } from './domain.ts';
import { candlesOf, costsDue, type DuePosition } from './records-repository.ts';
import { everyFund } from './repository.ts';

/** Greatest number of positions that one step charges or changes; measured in bench/fund.ts. */
export const CHUNK = 16;
const PAGE_SIZE = 2_000;

export interface ChargingParts {
  readonly bulkheads: Bulkheads;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly market: Pick<Market, 'latestPoint' | 'tapeReader'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly commands: Pick<FundCommands, 'charge'>;
}

type SaveCandles = () => Promise<void>;

/**
 * Charges fund positions their costs of each day (00:00 UTC) up to `until`, day by day. A position that cannot be
 * charged now waits and does not block others. `saveCandles` stores the unfinished candles of the unit values.
 */
export async function chargeDue(
  parts: ChargingParts,
  until: Instant,
  saveCandles: SaveCandles,
): Promise<void> {
  const { store } = parts.database;
  const funds = new Map((await everyFund(store)).map((fund) => [fund.id, fund]));
  await throughAll<DuePosition>(
    (behind) => costsDue(store, until, behind, PAGE_SIZE),
    async (due) => {
      const days = new Map<string, DuePosition[]>();
      for (const position of due) {
        const key = `${position.fund} ${position.at}`;
        days.set(key, [...(days.get(key) ?? []), position]);
      }
      let done = 0;
      await parts.bulkheads.bulkheadOf('fund days').each(
        [...days],
        ([key]) => key,
        async ([, positions]) => {
          done += await chargeDay(parts, funds, positions, saveCandles);
        },
      );
      return { done };
    },
  );
}

async function chargeDay(
  parts: ChargingParts,
  funds: ReadonlyMap<string, Fund>,
  positions: readonly DuePosition[],
  saveCandles: SaveCandles,
): Promise<number> {
  const { sequencer, commands, bulkheads } = parts;
  const { fund, at: day } = positions[0]!;
  const value = await officialValue(parts, funds.get(fund)!, day, saveCandles);
  if (value === undefined) return 0;
  let done = 0;
  for (let from = 0; from < positions.length; from += CHUNK) {
    const charged = await bulkheads.bulkheadOf('fund costs').together(
      positions.slice(from, from + CHUNK),
      ({ id }) => id,
      (due, actor) => {
        const chargedPositions = due.map(({ id, owner }) => ({ id, owner }));
        return sequencer.execute(
          commands.charge,
          { fund, day, value, positions: chargedPositions },
          { actor },
        );
      },
    );
    done += charged.done;
  }
  return done;
}

/**
 * The unit value of a fund at a 00:00 UTC. If the index tape lacks the price of a constituent for that
 * second, the function calls `saveCandles` and returns the last unit value that was stored before that
 * second. Undefined while prices of that second may still be added to the tape, and if no earlier unit value
 * is stored.
 */
export async function officialValue(
  { market, database, clock }: Pick<ChargingParts, 'market' | 'database' | 'clock'>,
  fund: Fund,
  day: Instant,
  saveCandles: SaveCandles,
): Promise<Decimal | undefined> {
  const points = new Map<string, Decimal | null>();
  for (const { symbol } of fund.constituents) {
    const latestAt = market.latestPoint(symbol)?.t ?? 0;
    // While the index tape has not reached this second, a price of the second may still be added, so the value is not
    // known yet. After a minute the price counts as missing.
    if (latestAt < day && clock.now() - day < MINUTE_MS) return undefined;
    points.set(symbol, (await market.tapeReader.points(symbol, [day])).get(day) ?? null);
  }
  const { value } = unitValue(fund, (symbol) => ({ price: points.get(symbol) ?? null, isDegraded: false }));
  if (value !== null) return value;
  await saveCandles();
  const [minuteCandle] = await candlesOf(database.store, fund.id, '1min', day / SECOND_MS, 1);
  if (minuteCandle !== undefined) return minuteCandle.close;
  const [hourCandle] = await candlesOf(database.store, fund.id, '60min', day / SECOND_MS, 1);
  return hourCandle?.close;
}
