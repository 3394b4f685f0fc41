import { Decimal } from '@exchange/core/decimal.ts';
import { BUY_WAITS_MS } from '@exchange/core/fund.ts';
import type { UserId } from '@exchange/core/ids.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { Ledger } from '../ledger/index.ts';
import { chargedDay, type Position } from './domain.ts';
import { JudgedChunk, tell } from './judging.ts';
import type { FundPosts } from './posts.ts';
import { findFund, insertCosts, openSells, positionsByIds, savePositions, type Cost } from './repository.ts';

const id = idOf<string>();
const owner = idOf<UserId>();
const named = z.readonly(z.array(z.object({ id, owner })));

interface Parts {
  readonly ledger: Ledger;
  readonly post: FundPosts;
}

/** What values and days make due. */
export function dueCommands(parts: Parts) {
  return { ...judgeCommand(parts), ...expireCommand(parts), ...chargeCommand(parts) };
}

function judgeCommand({ ledger, post }: Parts) {
  return {
    /**
     * Charges the days of positions that are due up to a second, then does to them what the unit value of that second
     * demands; leaves alone what it does not concern, and a position of which the value of a due day is not given.
     */
    judge: sqlCommand({
      name: 'fund.judge',
      input: z.object({
        fund: id,
        t: instantField,
        value: decimal,
        positions: named,
        /** The official values of the days that are charged before anything is decided; older entries have none. */
        days: z.optional(z.readonly(z.array(z.object({ day: instantField, value: decimal })))),
      }),
      prepare: ({ positions }) => ledger.prepareAll(positions.map((one) => one.owner)),
      run: async (step, { fund: fundId, t, value, positions, days }) => {
        const fund = await findFund(step.sql, { id: fundId });
        const ids = positions.map((one) => one.id);
        const found = (await positionsByIds(step.sql, ids)).filter((one) => one.fund === fundId);
        const sells = await openSells(step.sql, ids);
        const isClosed = fund?.closedAt !== undefined && fund.closedAt < t;
        const chunk = new JudgedChunk(step, {
          ledger,
          post,
          at: { t, value },
          days: days && new Map(days.map((one) => [one.day, one.value])),
        });
        for (const position of found) chunk.judge(position, sells, isClosed);
        const changed = await chunk.save(fundId);
        for (const position of changed) tell(step, position);
        return { done: changed.length };
      },
    }),
  };
}

function expireCommand({ ledger, post }: Parts) {
  return {
    /** Gives back margins that found no unit value in time. */
    expire: sqlCommand({
      name: 'fund.expire',
      input: z.object({ positions: named }),
      prepare: ({ positions }) => ledger.prepareAll(positions.map((one) => one.owner)),
      run: async (step, { positions }) => {
        const found = await positionsByIds(
          step.sql,
          positions.map((one) => one.id),
        );
        const late = found.filter(
          ({ status, acceptedAt, asset }) =>
            status === 'pending' && step.now - acceptedAt > BUY_WAITS_MS && !ledger.isHalted(asset),
        );
        for (const position of late) {
          const at = { t: step.now, value: Decimal.zero };
          const chunk = new JudgedChunk(step, { ledger, post, at, days: undefined });
          chunk.giveBack(position);
          await chunk.save(position.fund);
          tell(step, { ...position, status: 'cancelled' });
        }
        return { done: late.length };
      },
    }),
  };
}

function chargeCommand({ ledger, post }: Parts) {
  return {
    /** Takes the cost of a day off margins, at the value of its 00:00 UTC; a day is paid for once. */
    charge: sqlCommand({
      name: 'fund.charge',
      input: z.object({ fund: id, day: instantField, value: decimal, positions: named }),
      prepare: ({ positions }) => ledger.prepareAll(positions.map((one) => one.owner)),
      run: async (step, { fund: fundId, day, value, positions }) => {
        const found = await positionsByIds(
          step.sql,
          positions.map((one) => one.id),
        );
        const due = found.filter(
          ({ status, fund, costAt, asset }) =>
            status === 'holding' &&
            fund === fundId &&
            costAt === day &&
            day <= step.now &&
            !ledger.isHalted(asset),
        );
        const costs: Cost[] = [];
        const after = due.map((position): Position => {
          const { cost, charged } = chargedDay(position, day, value);
          post.cost(step, position, cost.amount);
          costs.push(cost);
          return charged;
        });
        await insertCosts(step.sql, costs, step.now);
        await savePositions(step.sql, after, { fund: fundId, change: Decimal.zero });
        for (const position of after) tell(step, position);
        return { done: after.length };
      },
    }),
  };
}
