import { ceilingProblem } from '@exchange/core/ceilings.ts';
import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import { dealingSecond, fundBuyProblem, fundSellProblem, thresholdOf } from '@exchange/core/fund.ts';
import { shortOf } from '@exchange/core/funds.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { termsVersionProblem } from '@exchange/core/agreements.ts';
import * as z from 'zod/mini';
import { requireRoom } from '../../platform/console/field-values.ts';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField, textByLocale } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { Coin, ListedPair } from '../assets/index.ts';
import type { Ledger } from '../ledger/index.ts';
import {
  changeProblem,
  liquidationPrice,
  termsProblem,
  warnedAfterMargin,
  type Fund,
  type FundTerms,
  type Position,
} from './domain.ts';
import { tell } from './judging.ts';
import { dueCommands } from './due-commands.ts';
import { FundPosts, HOUSE, spotOf } from './posts.ts';
import {
  endSells,
  everyFund,
  findFund,
  findSell,
  insertSell,
  openNotional,
  openSells,
  positionOfOrigin,
  positionsByIds,
  saveFund,
  savePositions,
  termsOf,
} from './repository.ts';

/** Orders to sell that one position may have waiting. */
export const SELLS_MOST = 10;

const id = idOf<string>();
const owner = idOf<UserId>();
const terms = z.object({
  code: z.string(),
  name: textByLocale,
  asset: z.string(),
  divisor: decimal,
  documents: z.readonly(z.array(z.object({ title: textByLocale, text: textByLocale }))),
  constituents: z.readonly(z.array(z.object({ symbol: z.string(), weight: decimal }))),
  leverages: z.readonly(z.array(z.int())),
  minAmount: decimal,
  step: decimal,
  manageRate: decimal,
  financeRate: decimal,
  mmr: decimal,
  liqFee: decimal,
  isOpen: z.boolean(),
});
const who = { by: z.string(), reason: z.string() };

export interface FundScope {
  readonly ledger: Ledger;
  readonly pairs: readonly ListedPair[];
  readonly coins: readonly Coin[];
}

type Parts = FundScope & { readonly post: FundPosts };

/** What funds may do. A value in an input is a point of the tape; nothing makes one. */
export function fundCommands(scope: FundScope) {
  const parts = { ...scope, post: new FundPosts(scope.ledger) };
  return {
    ...houseCommands(parts),
    ...buyCommand(parts),
    ...marginCommand(parts),
    ...sellCommands(parts),
    ...dueCommands(parts),
  };
}

function houseCommands({ ledger, pairs, post }: Parts) {
  return {
    /** Publishes a fund, or the next version of its terms; positions keep theirs. The same terms again change nothing. */
    publish: sqlCommand({
      name: 'fund.publish',
      input: z.object({
        terms,
        ...who,
        /** Whether the ceilings of the rules hold; not set in steps from before there were any. */
        underCeilings: z.optional(z.literal(true)),
        /** How many funds there may be, a new one included; not set in steps from before the step itself counted them. */
        most: z.optional(z.int()),
      }),
      run: async (step, { terms, by, reason, underCeilings, most }) => {
        const above = underCeilings === true ? ceilingProblem('fund', terms) : undefined;
        if (above !== undefined) throw new Refused(above);
        const problem = termsProblem(terms, (symbol) =>
          pairs.some(({ pair }) => pair.symbol === symbol && pair.quote === terms.asset),
        );
        if (problem !== undefined) throw new Refused(problem);
        const present = await findFund(step.sql, { code: terms.code });
        if (present !== undefined) {
          if (textOf(termsOf(present)) === textOf(terms)) return fundAnswer(present);
          const change = changeProblem(present, terms);
          if (change !== undefined) throw new Refused(change);
        } else if (most !== undefined) requireRoom((await everyFund(step.sql)).length, most);
        const fund: Fund = {
          ...terms,
          id: present?.id ?? step.newId(),
          version: (present?.version ?? 0) + 1,
          closedAt: undefined,
          openNotional: present?.openNotional ?? Decimal.zero,
        };
        await saveFund(step.sql, fund, { by, reason, now: step.now });
        return fundAnswer(fund);
      },
    }),

    /** Closes a fund for good: everybody leaves it at the next unit value. */
    close: sqlCommand({
      name: 'fund.close',
      input: z.object({ code: z.string(), ...who }),
      run: async (step, { code, by, reason }) => {
        const fund = await findFund(step.sql, { code });
        if (fund === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        if (fund.closedAt !== undefined) return fundAnswer(fund);
        const closed = { ...fund, version: fund.version + 1, isOpen: false, closedAt: step.now };
        await saveFund(step.sql, closed, { by, reason, now: step.now });
        return fundAnswer(closed);
      },
    }),

    /** Fills the account that profits are paid from, or the insurance pool, up to an amount. */
    fund: sqlCommand({
      name: 'fund.fund',
      input: z.object({
        account: z.enum(['fund', 'insurance']),
        asset: z.string(),
        wanted: decimal,
        from: z.enum(['demo', 'fees']),
      }),
      run: (step, { account, asset, wanted, from }) => {
        const missing = wanted.minus(ledger.balance(HOUSE[account], asset));
        const there = ledger.balance(HOUSE.fees, asset);
        const short =
          from === 'fees'
            ? shortOf({ needed: missing, available: there, asset, field: 'amount' })
            : undefined;
        if (short !== undefined) throw new Refused(short);
        if (missing.isPositive()) post.funded(step, account, asset, missing, from);
        return Promise.resolve({ asset, account, funded: ledger.balance(HOUSE[account], asset).toString() });
      },
    }),
  };
}

function buyCommand({ ledger, coins, post }: Parts) {
  return {
    /** Freezes a margin until the next unit value. */
    buy: sqlCommand({
      name: 'fund.buy',
      input: z.object({
        owner,
        fund: id,
        margin: decimal,
        leverage: z.int(),
        /** Of the terms that the buyer was shown. */
        version: z.optional(z.int()),
        /** The house alone: the position's own name, and an earlier moment. */
        house: z.optional(z.object({ origin: z.string(), since: instantField })),
      }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: buyer, fund: fundId, margin, leverage, version, house }) => {
        const before = house && (await positionOfOrigin(step.sql, house.origin));
        if (before !== undefined) return buyAnswer(before);
        const fund = await findFund(step.sql, { id: fundId });
        if (fund === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        const outdated = termsVersionProblem(version, fund.version);
        if (outdated !== undefined) throw new Refused(outdated);
        const { asset } = fund;
        const used = await openNotional(step.sql, asset);
        const digits = coins.find(({ code }) => code === asset)!.digits;
        const coverable = ledger.balance(HOUSE.fund, asset).minus(used);
        const problem = fundBuyProblem(
          { ...fund, digits, status: saleStatus(fund), coverable },
          { margin, leverage },
          ledger.balance(spotOf(buyer), asset),
        );
        if (problem !== undefined) throw new Refused(problem);
        const { manageRate, financeRate, mmr, liqFee } = fund;
        const position: Position = {
          id: step.newId(),
          owner: buyer,
          fund: fund.id,
          fundVersion: fund.version,
          asset,
          leverage,
          manageRate,
          financeRate,
          mmr,
          liqFee,
          step: fund.step,
          quantity: Decimal.zero,
          buyPrice: Decimal.zero,
          margin,
          costs: Decimal.zero,
          warned: 0,
          status: 'pending',

          notional: margin.times(Decimal.ofWhole(leverage), 'up'),
          acceptedAt: house?.since ?? step.now,
          openedAt: undefined,
          closedAt: undefined,
          endedAt: undefined,
          costAt: undefined,
          salePrice: undefined,
          sellType: undefined,
          payout: undefined,
          fee: undefined,
          shortfall: undefined,
          parent: undefined,
          origin: house?.origin,
        };
        post.held(step, position);
        await savePositions(step.sql, [position], { fund: fund.id, change: position.notional });
        tell(step, position);
        return buyAnswer(position);
      },
    }),
  };
}

function marginCommand({ ledger, coins, post }: Parts) {
  return {
    /** Moves more margin into a position, which lowers the value at which it is liquidated. */
    addMargin: sqlCommand({
      name: 'fund.addMargin',
      /** `value`: the newest unit value as it stood before the step; nothing is dealt at it. */
      input: z.object({
        owner,
        position: id,
        amount: decimal,
        value: z.optional(decimal),
        /** How far above a warning's ratio margin has to lift, before it is told again; older entries have none. */
        warnsAnewAbove: z.optional(decimal),
      }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: by, position: asked, amount, value, warnsAnewAbove }) => {
        const position = await heldBy(step, by, asked);
        const { asset } = position;
        const digits = coins.find(({ code }) => code === asset)!.digits;
        if (position.leverage === 1) throw new Refused(refusal('closed', 'l.fund_no_borrowing'));
        const least = liquidationPrice(position);
        if (value !== undefined && least !== undefined && value.isLess(least)) {
          const about = { limit: least.rounded(8, 'up').toString(), value: value.toString() };
          throw new Refused(refusal('closed', 'l.fund_liquidating', about));
        }
        const about = { field: 'amount', value: amount.toString(), unit: asset };
        if (!amount.fits(digits))
          throw new Refused(
            refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(digits) }),
          );
        const available = ledger.balance(spotOf(by), asset);
        const short = shortOf({ needed: amount, available, asset, field: 'amount' });
        if (short !== undefined) throw new Refused(short);
        post.marginAdded(step, position, amount);
        const filled = { ...position, margin: position.margin.plus(amount) };
        const more = { ...filled, warned: warnedAfterMargin(filled, value, warnsAnewAbove) };
        await savePositions(step.sql, [more], { fund: position.fund, change: Decimal.zero });
        tell(step, more);
        const lower = thresholdOf(more, more.mmr);
        return {
          margin: more.margin.toString(),
          ...(lower === undefined ? {} : { liqPrice: lower.rounded(8, 'up').toString() }),
        };
      },
    }),
  };
}

function sellCommands({ ledger }: Parts) {
  return {
    /** Offers units for sale. */
    sell: sqlCommand({
      name: 'fund.sell',
      input: z.object({
        owner,
        position: id,
        quantity: decimal,
        price: z.optional(decimal),
        isLimit: z.boolean(),
        /** The house alone: an earlier moment. */
        since: z.optional(instantField),
      }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: by, position: asked, quantity, price, isLimit, since }) => {
        const position = await heldBy(step, by, asked);
        const waiting = await openSells(step.sql, [position.id]);
        if (waiting.length >= SELLS_MOST)
          throw new Refused(refusal('aboveMaximum', 'l.fund_sells_max', { limit: String(SELLS_MOST) }));
        const free = position.quantity.minus(sum(waiting.map((one) => one.quantity)));
        const problem = fundSellProblem({ quantity, price }, { free, step: position.step, isLimit });
        if (problem !== undefined) throw new Refused(problem);
        const sell = {
          id: step.newId(),
          position: position.id,
          owner: by,
          fund: position.fund,
          quantity,
          price: isLimit ? price : undefined,
          acceptedAt: since ?? step.now,
        };
        await insertSell(step.sql, sell);
        tell(step, position);
        return { sellId: sell.id };
      },
    }),

    /** Takes back one order to sell, or all of a position. */
    cancelSell: sqlCommand({
      name: 'fund.cancelSell',
      input: z.object({ owner, id }),
      run: async (step, { owner: by, id: asked }) => {
        const one = await findSell(step.sql, asked);
        const [position] = await positionsByIds(step.sql, [one?.position ?? asked]);
        if (position === undefined || position.owner !== by)
          throw new Refused(refusal('generic', 'l.not_found'));
        const open = one === undefined ? await openSells(step.sql, [position.id]) : one.isOpen ? [one] : [];
        await endSells(
          step.sql,
          open.map((sell) => sell.id),
          'cancelled',
          step.now,
        );
        if (open.length > 0) tell(step, position);
        return { cancelled: open.length };
      },
    }),
  };
}

export type FundCommands = ReturnType<typeof fundCommands>;

/** Whether a fund takes purchases. */
export function saleStatus({ closedAt, isOpen }: Fund): 'open' | 'stopped' | 'closed' {
  return closedAt !== undefined ? 'closed' : isOpen ? 'open' : 'stopped';
}

async function heldBy(step: SqlStep, owner_: UserId, asked: string): Promise<Position> {
  const [position] = await positionsByIds(step.sql, [asked]);
  if (position === undefined || position.owner !== owner_)
    throw new Refused(refusal('generic', 'l.not_found'));
  if (position.status !== 'holding') throw new Refused(refusal('closed', 'l.fund_not_holding'));
  return position;
}

function fundAnswer({ id: fund, code, version }: Fund) {
  return { id: fund, code, version };
}

function buyAnswer({ id: orderId, acceptedAt }: Position) {
  return { orderId, acceptTime: acceptedAt, navTime: dealingSecond(acceptedAt) };
}

function textOf(of: FundTerms): string {
  return canonicalText(JSON.parse(JSON.stringify(of)));
}

/** Funds without their service, for a replay: their commands and what they have to make again. */
export function fundReplay(scope: FundScope) {
  return { commands: Object.values(fundCommands(scope)), state: STATE };
}

const STATE = {
  funds: 'select p::text as row, p.id as turn from fund_product p',
  fundVersions: 'select v::text as row, (v.product, v.version) as turn from fund_product_version v',
  fundPositions: 'select p::text as row, p.id as turn from fund_position p',
  fundSells: 'select s::text as row, s.id as turn from fund_sell s',
  fundCosts: 'select c::text as row, (c.position, c.day) as turn from fund_cost c',
};
