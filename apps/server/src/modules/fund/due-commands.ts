import { Decimal } from '@exchange/core/decimal.ts';
import { BUY_TIMEOUT_MS } from '@exchange/core/fund.ts';
import type { UserId } from '@exchange/core/ids.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { Ledger } from '../ledger/index.ts';
import { chargeDay, type Position } from './domain.ts';
import { ValueJudgement, publishChange } from './judging.ts';
import type { FundPosts } from './posts.ts';
import { findFund, insertCosts, openSells, positionsByIds, savePositions, type Cost } from './repository.ts';

const id = idOf<string>();
const owner = idOf<UserId>();
const positionKeys = z.readonly(z.array(z.object({ id, owner })));

interface Parts {
  readonly ledger: Ledger;
  readonly post: FundPosts;
}

/** The commands that process fund positions when a new unit value or a new day requires it. */
export function dueCommands(parts: Parts) {
  return { ...judgeCommand(parts), ...expireCommand(parts), ...chargeCommand(parts) };
}

function judgeCommand({ ledger, post }: Parts) {
  return {
    /**
     * Charges fund positions the daily costs that are due up to the second of a unit value, then does what that unit
     * value requires. Positions for which nothing is due are left out, and so are positions in halted coins and those
     * for which the unit value of a due day is missing.
     */
    judge: sqlCommand({
      name: 'fund.judge',
      input: z.object({
        fund: id,
        t: instantField,
        value: decimal,
        positions: positionKeys,
        /**
         * The unit values at 00:00 UTC of the days whose costs are charged before `value` is applied;
         * undefined in older journal steps, which charge no costs.
         */
        days: z.optional(z.readonly(z.array(z.object({ day: instantField, value: decimal })))),
      }),
      prepare: ({ positions }) => ledger.prepareAll(positions.map(({ owner: holder }) => holder)),
      run: async (step, { fund: fundId, t, value, positions, days }) => {
        const fund = await findFund(step.sql, { id: fundId });
        const ids = positions.map((position) => position.id);
        const stored = (await positionsByIds(step.sql, ids)).filter((position) => position.fund === fundId);
        const sells = await openSells(step.sql, ids);
        const isClosed = fund?.closedAt !== undefined && fund.closedAt < t;
        const chunk = new ValueJudgement(step, {
          ledger,
          post,
          at: { t, value },
          days: days && new Map(days.map(({ day, value: dayValue }) => [day, dayValue])),
        });
        for (const position of stored) chunk.judge(position, sells, isClosed);
        const changed = await chunk.save(fundId);
        for (const position of changed) publishChange(step, position);
        return { done: changed.length };
      },
    }),
  };
}

function expireCommand({ ledger, post }: Parts) {
  return {
    /**
     * Refunds the margins of fund purchases that no unit value has executed within `BUY_TIMEOUT_MS` of their
     * acceptance; positions in halted coins are left out.
     */
    expire: sqlCommand({
      name: 'fund.expire',
      input: z.object({ positions: positionKeys }),
      prepare: ({ positions }) => ledger.prepareAll(positions.map(({ owner: holder }) => holder)),
      run: async (step, { positions }) => {
        const stored = await positionsByIds(
          step.sql,
          positions.map((position) => position.id),
        );
        const overdue = stored.filter(
          ({ status, acceptedAt, asset }) =>
            status === 'pending' && step.now - acceptedAt > BUY_TIMEOUT_MS && !ledger.isHalted(asset),
        );
        for (const position of overdue) {
          const at = { t: step.now, value: Decimal.zero };
          const chunk = new ValueJudgement(step, { ledger, post, at, days: undefined });
          chunk.refund(position);
          await chunk.save(position.fund);
          publishChange(step, { ...position, status: 'cancelled' });
        }
        return { done: overdue.length };
      },
    }),
  };
}

function chargeCommand({ ledger, post }: Parts) {
  return {
    /**
     * Charges fund positions the cost of one day, at the unit value of that day's 00:00 UTC; the cost is taken from
     * their margins. Each day is charged once. Positions that are not open, and those in halted coins, are left out.
     */
    charge: sqlCommand({
      name: 'fund.charge',
      input: z.object({ fund: id, day: instantField, value: decimal, positions: positionKeys }),
      prepare: ({ positions }) => ledger.prepareAll(positions.map(({ owner: holder }) => holder)),
      run: async (step, { fund: fundId, day, value, positions }) => {
        const stored = await positionsByIds(
          step.sql,
          positions.map((position) => position.id),
        );
        const due = stored.filter(
          ({ status, fund, costAt, asset }) =>
            status === 'holding' &&
            fund === fundId &&
            costAt === day &&
            day <= step.now &&
            !ledger.isHalted(asset),
        );
        const costs: Cost[] = [];
        const charged = due.map((position): Position => {
          const { cost, charged: changed } = chargeDay(position, day, value);
          post.chargeCost(step, position, cost.amount);
          costs.push(cost);
          return changed;
        });
        await insertCosts(step.sql, costs, step.now);
        await savePositions(step.sql, charged, { fund: fundId, change: Decimal.zero });
        for (const position of charged) publishChange(step, position);
        return { done: charged.length };
      },
    }),
  };
}
