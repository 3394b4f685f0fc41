import { convertProblem, QUOTE_MS, termsForPayment, termsForReceipt } from '@exchange/core/convert.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import { houseAddress, worldAddress, type Ledger } from '../ledger/index.ts';
import { acceptProblem, fundsProblem, inventoryProblem, type Quote } from './domain.ts';
import { ExchangeSteps } from './exchange-steps.ts';
import { smallBalanceCommands } from './small-balances.ts';
import {
  quotedPayment,
  quotedOutflow,
  endQuotes,
  findQuote,
  insertQuotes,
  markAccepted,
} from './repository.ts';

const owner = idOf<UserId>();
const side = z.object({ asset: z.string(), digits: z.int(), index: decimal });
const quoteInput = z.object({
  owner,
  from: side,
  to: side,
  /** Whether `value` is the amount that the user pays (`from`) or receives (`to`). */
  amount: z.object({ of: z.enum(['from', 'to']), value: decimal }),
  /**
   * The fraction by which the rate is worse for the user than the index; if undefined, as in conversions that the demo
   * makes, `CONVERT_SPREAD` applies.
   */
  spread: z.optional(decimal),
  /**
   * Unique key of an exchange that the demo makes: the exchange is made only if no exchange with this key is stored.
   * Undefined for all other exchanges.
   */
  origin: z.optional(z.string()),
});
const acceptInput = z.object({ owner, quote: idOf<string>() });
const fundInput = z.object({ asset: z.string(), wanted: decimal, from: z.enum(['demo', 'fees']) });

const ACCOUNTS = { inventory: houseAddress('inventory'), fees: houseAddress('fees') };

/** The commands of instant exchange (conversion of one coin into another at a quote). */
export function convertCommands(ledger: Ledger) {
  const steps = new ExchangeSteps(ledger);
  return {
    ...smallBalanceCommands(ledger, steps),

    /**
     * Creates a quote whose rate is fixed until it expires. Refuses amounts outside the limits, amounts that the
     * owner's balance cannot pay, amounts that the inventory cannot pay, and a rate that rounds to zero. If the new
     * quote and the owner's open quotes that pay in the same coin together exceed the balance, those earlier quotes
     * end.
     */
    quote: sqlCommand({
      name: 'convert.quote',
      input: quoteInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: buyer, from, to, amount, origin, spread }) => {
        const terms =
          amount.of === 'from'
            ? termsForPayment(from, to, amount.value, spread)
            : termsForReceipt(from, to, amount.value, spread);
        if (terms === undefined) throw new Refused(refusal('closed', 'l.no_index'));
        const quote: Quote = {
          ...terms,
          id: step.newId(),
          owner: buyer,
          from: from.asset,
          to: to.asset,
          fromIndex: from.index,
          toIndex: to.index,
          madeAt: step.now,
          expiresAt: later(step.now, QUOTE_MS),
          acceptedAt: undefined,
          bundle: undefined,
        };
        const available = steps.available(buyer, from.asset);
        const problem = convertProblem(from, terms) ?? fundsProblem(quote, available);
        if (problem !== undefined) throw new Refused(problem);
        const quoteFilter = { owner: buyer, asset: from.asset, now: step.now };
        if (terms.fromAmount.plus(await quotedPayment(step.sql, quoteFilter)).isMore(available))
          await endQuotes(step.sql, quoteFilter);
        const held = ledger.balance(ACCOUNTS.inventory, to.asset);
        const bound = await quotedOutflow(step.sql, to.asset, step.now);
        const shortage = inventoryProblem(terms, { to: to.asset, held, bound });
        if (shortage !== undefined) throw new Refused(shortage);
        await insertQuotes(step.sql, [quote], origin);
        return quoteAnswer(quote);
      },
    }),

    /**
     * Executes the exchange at an open quote of the owner. Accepting a quote a second time returns the first
     * result. Refuses an unknown quote, one of another user, one that is part of a quote of small balances
     * and an expired one, and a payment that the owner's balance cannot make.
     */
    accept: sqlCommand({
      name: 'convert.accept',
      input: acceptInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: buyer, quote: id }) => {
        const quote = await findQuote(step.sql, { id });
        if (quote === undefined || quote.owner !== buyer || quote.bundle !== undefined)
          throw new Refused(refusal('generic', 'l.not_found'));
        if (quote.acceptedAt !== undefined) return exchangeAnswer(quote);
        const available = steps.available(buyer, quote.from);
        const problem = acceptProblem(quote, step.now) ?? fundsProblem(quote, available);
        if (problem !== undefined) throw new Refused(problem);
        steps.settle(step, quote);
        await markAccepted(step.sql, quote.id, step.now);
        return exchangeAnswer({ ...quote, acceptedAt: step.now });
      },
    }),

    /**
     * Raises the inventory's balance of a coin to `wanted`, from the collected fees (`from` is `fees`) or with play
     * money (`demo`), and returns the balance; changes nothing if the balance is not lower than `wanted`. Refuses,
     * instead of paying a part, if the collected fees are less than the missing amount.
     */
    fund: sqlCommand({
      name: 'convert.fund',
      input: fundInput,
      run: (step, { asset, wanted, from }) => {
        const missing = wanted.minus(ledger.balance(ACCOUNTS.inventory, asset));
        const source = from === 'demo' ? worldAddress(asset, 'demo') : ACCOUNTS.fees;
        if (from === 'fees' && missing.isMore(ledger.balance(source, asset))) {
          const limit = ledger.balance(source, asset).toString();
          const details = { limit, value: missing.toString(), unit: asset };
          throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', details));
        }
        if (missing.isPositive())
          ledger.post(step, 'inventory.funded', null, [
            { source, destination: ACCOUNTS.inventory, asset, amount: missing },
          ]);
        return Promise.resolve({ asset, held: ledger.balance(ACCOUNTS.inventory, asset).toString() });
      },
    }),
  };
}

export type ConvertCommands = ReturnType<typeof convertCommands>;

function termsAnswer({ from, to, rate, spread, fee, fromAmount, toAmount }: Quote) {
  return {
    spread: spread.toString(),
    from,
    to,
    rate: rate.toString(),
    inverseRate: Decimal.one.over(rate, 'down').toString(),
    fee: fee.toString(),
    feeCoin: to,
    fromAmount: fromAmount.toString(),
    toAmount: toAmount.toString(),
  };
}

/** Presents a quote in the format of the API. */
export function quoteAnswer(quote: Quote) {
  return { quoteId: quote.id, ...termsAnswer(quote), expireTime: quote.expiresAt };
}

/** Presents an exchange in the format of the API. */
export function exchangeAnswer(quote: Quote) {
  return { id: quote.id, ...termsAnswer(quote), time: quote.acceptedAt ?? quote.madeAt };
}

/**
 * Commands and state query of instant exchange for a replay of the journal, without the service. The state contains
 * only accepted quotes, because a job deletes expired ones.
 */
export function convertReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(convertCommands(ledger)),
    state: {
      exchanges: 'select q::text as row, q.id as turn from convert_quote q where accepted_at is not null',
    },
  };
}
