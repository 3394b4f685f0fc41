import { useState } from 'react';
import { useBalance } from '../balance/balances.ts';
import { useForm, type FormState } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import {
  accept,
  amountProblem,
  askQuote,
  estimateOf,
  useConvertInfo,
  useConvertRate,
  type ConvertAsked,
  type Exchange,
  type Quote,
} from './convert.ts';

/** A firm quote on screen, and the way to ask for one; a refusal is shown at its field or as a notice. */
function useQuote(form: Pick<FormState<object>, 'check' | 'refuse'>) {
  const [quote, setQuote] = useState<Quote>();
  const [isAsking, setAsking] = useState(false);
  const ask = async (asked: ConvertAsked): Promise<void> => {
    if (isAsking || !form.check()) return;
    setAsking(true);
    try {
      setQuote(await askQuote(asked));
    } catch (error) {
      // Reason: refused, or not come through.
      setQuote(undefined);
      if (!form.refuse(error)) notify.failure(error);
    } finally {
      setAsking(false);
    }
  };
  return { quote, isAsking, ask, drop: () => setQuote(undefined) };
}

/** The state of one conversion on screen: what is asked, the quote that binds, and what came of it. `first` is paid. */
export function useConvert(first = 'USDT') {
  const info = useConvertInfo();
  const [asked, setAsked] = useState<Omit<ConvertAsked, 'amount'>>({
    from: first,
    to: first === 'USDT' ? 'BTC' : 'USDT',
    side: 'from',
  });
  const [done, setDone] = useState<Exchange>();
  const { from, to, side } = asked;
  const rate = useConvertRate(from, to);
  const available = useBalance(from)?.availableCurrency;
  const digitsOf = (coin: string) => info.data?.list.find(({ currency }) => currency === coin)?.digits ?? 8;
  const digits = { from: digitsOf(from), to: digitsOf(to) };

  const otherOf = (amount: string) =>
    estimateOf({ side, amount }, { rate: rate.data?.rate, feeRate: info.data?.feeRate, digits });
  const form = useForm({ fromAmount: '', toAmount: '' }, (values) => {
    const amount = values[`${side}Amount`];
    const paid = side === 'from' ? amount : otherOf(amount);
    const problem = amountProblem({ ...asked, amount }, { digits: digits[side], paid, available });
    return problem === undefined ? {} : { [`${side}Amount`]: problem };
  });
  const amount = form.values[`${side}Amount`];
  const other = otherOf(amount) ?? '';
  const { quote, isAsking, ask, drop } = useQuote(form);
  const t = useWords('convert');
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: 'convert',
    title: `${t('title')} ${asked.from} → ${asked.to}`,
    send: accept,
    onAnswered: (exchange) => {
      setDone(exchange);
      drop();
    },
  });

  const restart = (next: Omit<ConvertAsked, 'amount'>) => {
    setAsked(next);
    drop();
  };
  const step = done !== undefined ? 'done' : quote !== undefined ? 'quoted' : 'asking';
  return {
    step,
    info,
    asked,
    rate,
    digits,
    available,
    quote,
    done,
    isAsking,
    isBusy,
    unanswered,
    amounts: side === 'from' ? { from: amount, to: other } : { from: other, to: amount },
    errorOf: (of: 'from' | 'to') => form.errorOf(`${of}Amount`),
    type: (of: 'from' | 'to', text: string) => {
      restart({ from, to, side: of });
      form.set(`${of}Amount`, text);
    },
    choose: (of: 'from' | 'to', coin: string) => {
      const swaps = coin === (of === 'from' ? to : from);
      const next =
        of === 'from' ? { from: coin, to: swaps ? from : to } : { from: swaps ? to : from, to: coin };
      restart({ ...next, side });
    },
    swap: () => {
      restart({ from: to, to: from, side: 'from' });
      form.reset({ fromAmount: '', toAmount: '' });
    },
    ask: () => ask({ ...asked, amount }),
    back: drop,
    confirm: async () => {
      if (quote !== undefined) await submit(quote.quoteId, () => ({ quoteId: quote.quoteId }));
    },
    again: () => {
      setDone(undefined);
      form.reset({ fromAmount: '', toAmount: '' });
    },
  };
}

export type ConvertControl = ReturnType<typeof useConvert>;
