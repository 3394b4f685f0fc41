import { QUOTE_MS, termsForPayment } from '@exchange/core/convert.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { SMALL_PER_DAY, smallBalanceProblem } from '@exchange/core/small-balances.ts';
import { later, startOfDay } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { houseAddress, type Ledger } from '../ledger/index.ts';
import { acceptProblem, fundsProblem, inventoryOutflow, inventoryProblem, type Quote } from './domain.ts';
import type { ExchangeSteps } from './exchange-steps.ts';
import {
  bundleOf,
  bundlesSince,
  endQuotes,
  insertQuotes,
  markBundleAccepted,
  quotedOutflow,
} from './repository.ts';

const owner = idOf<UserId>();
const side = z.object({ asset: z.string(), digits: z.int(), index: decimal });
const quoteInput = z.object({
  owner,
  to: side,
  coins: z.array(z.object({ side, spread: decimal })),
});
const acceptInput = z.object({ owner, bundle: idOf<string>() });

const INVENTORY = houseAddress('inventory');

/** The commands that exchange several small balances into one coin together. */
export function smallBalanceCommands(ledger: Ledger, steps: ExchangeSteps) {
  return {
    /**
     * Creates one quote, with fixed rates, for the whole available balances of several coins. Refuses a balance that is
     * not small or would yield nothing, an inventory that is too small, and a quote on a UTC day on which the user has
     * already accepted `SMALL_PER_DAY` of them. Earlier open quotes that pay in these coins end.
     */
    quoteSmall: sqlCommand({
      name: 'convert.quoteSmall',
      input: quoteInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: seller, to, coins }) => {
        await refuseBeyondDay(step, seller);
        const bundle = step.newId();
        const quotes: Quote[] = [];
        for (const { side: from, spread } of coins) {
          const terms = termsForPayment(from, to, steps.available(seller, from.asset), spread);
          const problem = smallBalanceProblem(from, terms);
          if (problem !== undefined) throw new Refused(problem);
          await endQuotes(step.sql, { owner: seller, asset: from.asset, now: step.now });
          quotes.push({
            ...terms,
            id: step.newId(),
            owner: seller,
            from: from.asset,
            to: to.asset,
            fromIndex: from.index,
            toIndex: to.index,
            madeAt: step.now,
            expiresAt: later(step.now, QUOTE_MS),
            acceptedAt: undefined,
            bundle,
          });
        }
        const outflow = {
          toAmount: sum(quotes.map(inventoryOutflow)),
          fee: Decimal.zero,
        };
        const shortage = inventoryProblem(outflow, {
          to: to.asset,
          held: ledger.balance(INVENTORY, to.asset),
          bound: await quotedOutflow(step.sql, to.asset, step.now),
        });
        if (shortage !== undefined) throw new Refused(shortage);
        await insertQuotes(step.sql, quotes);
        return bundleAnswer(bundle, quotes);
      },
    }),

    /**
     * Executes all exchanges at an open quote of small balances, or none of them. Accepting the quote a second time
     * returns the first result. Refuses an unknown or expired quote, an available balance that is less than the quoted
     * amount, and more than `SMALL_PER_DAY` accepted quotes on a UTC day.
     */
    acceptSmall: sqlCommand({
      name: 'convert.acceptSmall',
      input: acceptInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: seller, bundle }) => {
        const quotes = await bundleOf(step.sql, seller, bundle);
        const [first] = quotes;
        if (first === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        if (first.acceptedAt !== undefined) return bundleAnswer(bundle, quotes);
        await refuseBeyondDay(step, seller);
        for (const quote of quotes) {
          const available = steps.available(seller, quote.from);
          const problem = acceptProblem(quote, step.now) ?? fundsProblem(quote, available);
          if (problem !== undefined) throw new Refused(problem);
          steps.settle(step, quote);
        }
        await markBundleAccepted(step.sql, bundle, step.now);
        return bundleAnswer(
          bundle,
          quotes.map((quote) => ({ ...quote, acceptedAt: step.now })),
        );
      },
    }),
  };
}

async function refuseBeyondDay(step: SqlStep, seller: UserId): Promise<void> {
  const accepted = await bundlesSince(step.sql, seller, startOfDay(step.now));
  if (accepted < SMALL_PER_DAY) return;
  const details = { limit: String(SMALL_PER_DAY), value: String(accepted + 1) };
  throw new Refused(refusal('aboveMaximum', 'l.small_day', details));
}

/**
 * Presents a quote of small balances in the format of the API; `time` is the time of the exchange, 0 before the
 * exchange.
 */
function bundleAnswer(bundle: string, quotes: readonly Quote[]) {
  const [first] = quotes;
  return {
    quoteId: bundle,
    to: first?.to ?? '',
    toAmount: sum(quotes.map(({ toAmount }) => toAmount)).toString(),
    fee: sum(quotes.map(({ fee }) => fee)).toString(),
    coins: quotes.map(({ from, fromAmount, toAmount, rate }) => ({
      currency: from,
      amount: fromAmount.toString(),
      toAmount: toAmount.toString(),
      rate: rate.toString(),
    })),
    expireTime: first?.expiresAt ?? 0,
    time: first?.acceptedAt ?? 0,
  };
}
