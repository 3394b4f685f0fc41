import { convertProblem, QUOTE_MS, termsOfPaid, termsOfWanted } from '@exchange/core/convert.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { later } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { houseAddress, userAddress, worldAddress, type Ledger } from '../ledger/index.ts';
import { acceptProblem, fundsProblem, inventoryProblem, type Quote } from './domain.ts';
import { askedBy, boundBy, endQuotes, findQuote, insertQuote, markAccepted } from './repository.ts';

const owner = idOf<UserId>();
const side = z.object({ asset: z.string(), digits: z.int(), index: decimal });
const quoteInput = z.object({
  owner,
  from: side,
  to: side,
  /** What is paid, or what is wanted. */
  amount: z.object({ of: z.enum(['from', 'to']), value: decimal }),
  /** What the rate lies below the index; without it the usual spread, as in inputs from before there was another. */
  spread: z.optional(decimal),
  /** The house alone: its own name for an exchange of the demo. */
  origin: z.optional(z.string()),
});
const acceptInput = z.object({ owner, quote: idOf<string>() });
const fundInput = z.object({ asset: z.string(), wanted: decimal, from: z.enum(['demo', 'fees']) });

const HOUSE = { inventory: houseAddress('inventory'), fees: houseAddress('fees') };
const spotOf = (user: UserId) => userAddress(user, 'spot', 'available');

/** What instant exchange may do. */
export function convertCommands(ledger: Ledger) {
  return {
    /**
     * Binds the house to a quote until it expires; refuses what its asker cannot pay or its inventory cannot hand out.
     * Nobody binds it to more than they can pay: earlier quotes of theirs end where all together would take more.
     */
    quote: sqlCommand({
      name: 'convert.quote',
      input: quoteInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: asker, from, to, amount, origin, spread }) => {
        const terms =
          amount.of === 'from'
            ? termsOfPaid(from, to, amount.value, spread)
            : termsOfWanted(from, to, amount.value, spread);
        if (terms === undefined) throw new Refused(refusal('closed', 'l.no_index'));
        const quote: Quote = {
          ...terms,
          id: step.newId(),
          owner: asker,
          from: from.asset,
          to: to.asset,
          fromIndex: from.index,
          toIndex: to.index,
          madeAt: step.now,
          expiresAt: later(step.now, QUOTE_MS),
          acceptedAt: undefined,
        };
        const available = ledger.balance(spotOf(asker), from.asset);
        const unfit = convertProblem(from, terms) ?? fundsProblem(quote, available);
        if (unfit !== undefined) throw new Refused(unfit);
        const own = { owner: asker, asset: from.asset, now: step.now };
        if (terms.fromAmount.plus(await askedBy(step.sql, own)).isMore(available))
          await endQuotes(step.sql, own);
        const held = ledger.balance(HOUSE.inventory, to.asset);
        const bound = await boundBy(step.sql, to.asset, step.now);
        const short = inventoryProblem(terms, { to: to.asset, held, bound });
        if (short !== undefined) throw new Refused(short);
        await insertQuote(step.sql, quote, origin);
        return quoteAnswer(quote);
      },
    }),

    /** Exchanges at a quote of the owner's own, once; accepted before, it answers the same. */
    accept: sqlCommand({
      name: 'convert.accept',
      input: acceptInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: own, quote: id }) => {
        const quote = await findQuote(step.sql, { id });
        if (quote === undefined || quote.owner !== own) throw new Refused(refusal('generic', 'l.not_found'));
        if (quote.acceptedAt !== undefined) return exchangeAnswer(quote);
        const available = ledger.balance(spotOf(own), quote.from);
        const problem = acceptProblem(quote, step.now) ?? fundsProblem(quote, available);
        if (problem !== undefined) throw new Refused(problem);
        settle(ledger, step, quote);
        await markAccepted(step.sql, quote.id, step.now);
        return exchangeAnswer({ ...quote, acceptedAt: step.now });
      },
    }),

    /** Fills the inventory of a coin up to an amount. */
    fund: sqlCommand({
      name: 'convert.fund',
      input: fundInput,
      run: (step, { asset, wanted, from }) => {
        const missing = wanted.minus(ledger.balance(HOUSE.inventory, asset));
        const source = from === 'demo' ? worldAddress(asset, 'demo') : HOUSE.fees;
        if (from === 'fees' && missing.isMore(ledger.balance(source, asset))) {
          const limit = ledger.balance(source, asset).toString();
          const about = { limit, value: missing.toString(), unit: asset };
          throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', about));
        }
        if (missing.isPositive())
          ledger.post(step, 'inventory.funded', null, [
            { source, destination: HOUSE.inventory, asset, amount: missing },
          ]);
        return Promise.resolve({ asset, held: ledger.balance(HOUSE.inventory, asset).toString() });
      },
    }),
  };
}

export type ConvertCommands = ReturnType<typeof convertCommands>;

function settle(ledger: Ledger, step: SqlStep, quote: Quote): void {
  const { owner: of, from, to, fromAmount, toAmount, fee } = quote;
  const { inventory, fees } = HOUSE;
  const postings = [
    { source: spotOf(of), destination: inventory, asset: from, amount: fromAmount },
    { source: inventory, destination: spotOf(of), asset: to, amount: toAmount },
    { source: inventory, destination: fees, asset: to, amount: fee },
  ];
  ledger.post(
    step,
    'convert.exchanged',
    quote.id,
    postings.filter(({ amount }) => amount.isPositive()),
  );
}

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

/** A quote as it is answered. */
export function quoteAnswer(quote: Quote) {
  return { quoteId: quote.id, ...termsAnswer(quote), expireTime: quote.expiresAt };
}

/** An exchange as it is answered and listed. */
export function exchangeAnswer(quote: Quote) {
  return { id: quote.id, ...termsAnswer(quote), time: quote.acceptedAt ?? quote.madeAt };
}

/** Instant exchange without its service, for a replay. Quotes that nobody accepted are removed and not made again. */
export function convertReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(convertCommands(ledger)),
    state: {
      exchanges: 'select q::text as row, q.id as turn from convert_quote q where accepted_at is not null',
    },
  };
}
