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
import { publishChange } from './judging.ts';
import { dueCommands } from './due-commands.ts';
import { FundPosts, ACCOUNTS, spotOf } from './posts.ts';
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

/** Greatest number of open sell orders per fund position. Each purchase of a fund creates a position of its own. */
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
const author = { by: z.string(), reason: z.string() };

export interface FundScope {
  readonly ledger: Ledger;
  readonly pairs: readonly ListedPair[];
  readonly coins: readonly Coin[];
}

type Parts = FundScope & { readonly post: FundPosts };

/** The commands of leveraged funds. Unit values are part of the commands' inputs; the commands compute none. */
export function fundCommands(scope: FundScope) {
  const parts = { ...scope, post: new FundPosts(scope.ledger) };
  return {
    ...operatorCommands(parts),
    ...buyCommand(parts),
    ...marginCommand(parts),
    ...sellCommands(parts),
    ...dueCommands(parts),
  };
}

function operatorCommands({ ledger, pairs, post }: Parts) {
  return {
    /**
     * Publishes a fund, or the next version of its terms; open positions keep the terms of their purchase. Publishing
     * the current terms again changes nothing. Refuses terms that are invalid or exceed the highest values that the
     * rules permit, a changed basket, coin, divisor or quantity step, a closed fund, and a new fund when `most` funds
     * exist.
     */
    publish: sqlCommand({
      name: 'fund.publish',
      input: z.object({
        terms,
        ...author,
        /**
         * True if the terms must not exceed the highest values that the rules permit; undefined in journal steps that
         * are older than this rule.
         */
        underCeilings: z.optional(z.literal(true)),
        /** Greatest number of funds including a new one; undefined in journal steps that are older than this limit. */
        most: z.optional(z.int()),
      }),
      run: async (step, { terms, by, reason, underCeilings, most }) => {
        const ceilingRefusal = underCeilings === true ? ceilingProblem('fund', terms) : undefined;
        if (ceilingRefusal !== undefined) throw new Refused(ceilingRefusal);
        const problem = termsProblem(terms, (symbol) =>
          pairs.some(({ pair }) => pair.symbol === symbol && pair.quote === terms.asset),
        );
        if (problem !== undefined) throw new Refused(problem);
        const published = await findFund(step.sql, { code: terms.code });
        if (published !== undefined) {
          if (textOf(termsOf(published)) === textOf(terms)) return fundAnswer(published);
          const changeRefusal = changeProblem(published, terms);
          if (changeRefusal !== undefined) throw new Refused(changeRefusal);
        } else if (most !== undefined) requireRoom((await everyFund(step.sql)).length, most);
        const fund: Fund = {
          ...terms,
          id: published?.id ?? step.newId(),
          version: (published?.version ?? 0) + 1,
          closedAt: undefined,
          openNotional: published?.openNotional ?? Decimal.zero,
        };
        await saveFund(step.sql, fund, { by, reason, now: step.now });
        return fundAnswer(fund);
      },
    }),

    /**
     * Closes a fund permanently: at its next unit value, open positions are sold and pending purchases are refunded.
     * Closing it again changes nothing; an unknown fund is refused.
     */
    close: sqlCommand({
      name: 'fund.close',
      input: z.object({ code: z.string(), ...author }),
      run: async (step, { code, by, reason }) => {
        const fund = await findFund(step.sql, { code });
        if (fund === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        if (fund.closedAt !== undefined) return fundAnswer(fund);
        const closed = { ...fund, version: fund.version + 1, isOpen: false, closedAt: step.now };
        await saveFund(step.sql, closed, { by, reason, now: step.now });
        return fundAnswer(closed);
      },
    }),

    /**
     * Raises the balance of the account that pays profits, or of the insurance pool, to `wanted`; does nothing if the
     * balance is not lower. Refuses if the amount comes from the collected fees and these are too low.
     */
    fund: sqlCommand({
      name: 'fund.fund',
      input: z.object({
        account: z.enum(['fund', 'insurance']),
        asset: z.string(),
        wanted: decimal,
        from: z.enum(['demo', 'fees']),
      }),
      run: (step, { account, asset, wanted, from }) => {
        const missing = wanted.minus(ledger.balance(ACCOUNTS[account], asset));
        const collectedFees = ledger.balance(ACCOUNTS.fees, asset);
        const shortage =
          from === 'fees'
            ? shortOf({ needed: missing, available: collectedFees, asset, field: 'amount' })
            : undefined;
        if (shortage !== undefined) throw new Refused(shortage);
        if (missing.isPositive()) post.fund(step, account, asset, missing, from);
        return Promise.resolve({
          asset,
          account,
          funded: ledger.balance(ACCOUNTS[account], asset).toString(),
        });
      },
    }),
  };
}

function buyCommand({ ledger, coins, post }: Parts) {
  return {
    /**
     * Accepts a purchase: reserves the margin until the purchase executes at the fund's next unit value. Returns the
     * existing position of a known `origin`. Refuses an unknown fund, another version of the terms than the one shown,
     * and what `fundBuyProblem` refuses.
     */
    buy: sqlCommand({
      name: 'fund.buy',
      input: z.object({
        owner,
        fund: id,
        margin: decimal,
        leverage: z.int(),
        /**
         * Version of the fund's terms that the buyer saw; the purchase is refused if another one is in force. Undefined
         * if the client did not send it, which is not checked.
         */
        version: z.optional(z.int()),
        /**
         * Set only for fund positions of the demo; undefined for users. `origin` is the unique key of the position, and
         * `since` an earlier time at which the purchase is to count as accepted.
         */
        house: z.optional(z.object({ origin: z.string(), since: instantField })),
      }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: buyer, fund: fundId, margin, leverage, version, house }) => {
        const previous = house && (await positionOfOrigin(step.sql, house.origin));
        if (previous !== undefined) return buyAnswer(previous);
        const fund = await findFund(step.sql, { id: fundId });
        if (fund === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        const versionRefusal = termsVersionProblem(version, fund.version);
        if (versionRefusal !== undefined) throw new Refused(versionRefusal);
        const { asset } = fund;
        const used = await openNotional(step.sql, asset);
        const digits = coins.find(({ code }) => code === asset)!.digits;
        const coverable = ledger.balance(ACCOUNTS.fund, asset).minus(used);
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
        post.hold(step, position);
        await savePositions(step.sql, [position], { fund: fund.id, change: position.notional });
        publishChange(step, position);
        return buyAnswer(position);
      },
    }),
  };
}

function marginCommand({ ledger, coins, post }: Parts) {
  return {
    /**
     * Adds margin to a fund position, which lowers the unit value at which the position is liquidated.
     * Refuses a position that is not open or belongs to another user, a position with leverage 1, a position
     * that `value` liquidates, and an amount that has too many decimals or that the owner's balance cannot
     * pay.
     */
    addMargin: sqlCommand({
      name: 'fund.addMargin',
      /**
       * `value` is the latest unit value before the step. It decides whether margin may be added and which warnings
       * still count as sent; no order executes at it. Undefined if no unit value is known.
       */
      input: z.object({
        owner,
        position: id,
        amount: decimal,
        value: z.optional(decimal),
        /**
         * By how much at least the new margin ratio must exceed the ratio of a warning, so that the same
         * warning is sent again later; undefined in older journal steps.
         */
        warnsAnewAbove: z.optional(decimal),
      }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: holder, position: positionId, amount, value, warnsAnewAbove }) => {
        const position = await requireHolding(step, holder, positionId);
        const { asset } = position;
        const digits = coins.find(({ code }) => code === asset)!.digits;
        if (position.leverage === 1) throw new Refused(refusal('closed', 'l.fund_no_borrowing'));
        const liqPrice = liquidationPrice(position);
        if (value !== undefined && liqPrice !== undefined && value.isLess(liqPrice)) {
          const details = { limit: liqPrice.rounded(8, 'up').toString(), value: value.toString() };
          throw new Refused(refusal('closed', 'l.fund_liquidating', details));
        }
        const details = { field: 'amount', value: amount.toString(), unit: asset };
        if (!amount.fits(digits))
          throw new Refused(
            refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(digits) }),
          );
        const available = ledger.balance(spotOf(holder), asset);
        const shortage = shortOf({ needed: amount, available, asset, field: 'amount' });
        if (shortage !== undefined) throw new Refused(shortage);
        post.addMargin(step, position, amount);
        const withMargin = { ...position, margin: position.margin.plus(amount) };
        const updated = { ...withMargin, warned: warnedAfterMargin(withMargin, value, warnsAnewAbove) };
        await savePositions(step.sql, [updated], { fund: position.fund, change: Decimal.zero });
        publishChange(step, updated);
        const newLiqPrice = thresholdOf(updated, updated.mmr);
        return {
          margin: updated.margin.toString(),
          ...(newLiqPrice === undefined ? {} : { liqPrice: newLiqPrice.rounded(8, 'up').toString() }),
        };
      },
    }),
  };
}

function sellCommands({ ledger }: Parts) {
  return {
    /**
     * Creates an order to sell units of a fund position. Refuses a position that the user does not hold, a further
     * order when `SELLS_MOST` orders of the position are open, and what `fundSellProblem` refuses, such as more units
     * than the position has outside its open sell orders.
     */
    sell: sqlCommand({
      name: 'fund.sell',
      input: z.object({
        owner,
        position: id,
        quantity: decimal,
        price: z.optional(decimal),
        isLimit: z.boolean(),
        /** An earlier time at which a sell order of the demo is to count as accepted; undefined for orders of users. */
        since: z.optional(instantField),
      }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: holder, position: positionId, quantity, price, isLimit, since }) => {
        const position = await requireHolding(step, holder, positionId);
        const waiting = await openSells(step.sql, [position.id]);
        if (waiting.length >= SELLS_MOST)
          throw new Refused(refusal('aboveMaximum', 'l.fund_sells_max', { limit: String(SELLS_MOST) }));
        const free = position.quantity.minus(sum(waiting.map((sell) => sell.quantity)));
        const problem = fundSellProblem({ quantity, price }, { free, step: position.step, isLimit });
        if (problem !== undefined) throw new Refused(problem);
        const sell = {
          id: step.newId(),
          position: position.id,
          owner: holder,
          fund: position.fund,
          quantity,
          price: isLimit ? price : undefined,
          acceptedAt: since ?? step.now,
        };
        await insertSell(step.sql, sell);
        publishChange(step, position);
        return { sellId: sell.id };
      },
    }),

    /**
     * Cancels one sell order, or all sell orders of a fund position; `id` is the id of the order or of the position.
     * Refuses an unknown id and one of another user; an ended order is not changed.
     */
    cancelSell: sqlCommand({
      name: 'fund.cancelSell',
      input: z.object({ owner, id }),
      run: async (step, { owner: holder, id: cancelledId }) => {
        const sell = await findSell(step.sql, cancelledId);
        const [position] = await positionsByIds(step.sql, [sell?.position ?? cancelledId]);
        if (position === undefined || position.owner !== holder)
          throw new Refused(refusal('generic', 'l.not_found'));
        const open =
          sell === undefined ? await openSells(step.sql, [position.id]) : sell.isOpen ? [sell] : [];
        await endSells(
          step.sql,
          open.map(({ id: sellId }) => sellId),
          'cancelled',
          step.now,
        );
        if (open.length > 0) publishChange(step, position);
        return { cancelled: open.length };
      },
    }),
  };
}

export type FundCommands = ReturnType<typeof fundCommands>;

/**
 * The status of a fund's sale. `open`: users can buy the fund. `stopped`: it accepts no new purchases.
 * `closed`: it is closed permanently.
 */
export function saleStatus({ closedAt, isOpen }: Fund): 'open' | 'stopped' | 'closed' {
  return closedAt !== undefined ? 'closed' : isOpen ? 'open' : 'stopped';
}

async function requireHolding(step: SqlStep, holder: UserId, positionId: string): Promise<Position> {
  const [position] = await positionsByIds(step.sql, [positionId]);
  if (position === undefined || position.owner !== holder)
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

function textOf(fundTerms: FundTerms): string {
  return canonicalText(JSON.parse(JSON.stringify(fundTerms)));
}

/**
 * The commands of funds, and the queries of the state that a replay of the journal must reproduce, without the service.
 */
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
