import { useState } from 'react';
import { useBalance } from '../balance/balances.ts';
import { useForm, type FormState } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import {
  acceptQuote,
  amountProblem,
  requestQuote,
  estimateOf,
  useConvertInfo,
  useConvertRate,
  type QuoteRequest,
  type Exchange,
  type Quote,
} from './convert.ts';

/**
 * The current firm quote and a function that requests a new quote. If the server refuses the request, the reason is
 * shown at the form field that the refusal names; any other failure is shown in a notification. A failure also discards
 * the previous quote.
 */
function useQuote(form: Pick<FormState<object>, 'check' | 'refuse'>) {
  const [quote, setQuote] = useState<Quote>();
  const [isAsking, setAsking] = useState(false);
  const ask = async (request: QuoteRequest): Promise<void> => {
    if (isAsking || !form.check()) return;
    setAsking(true);
    try {
      setQuote(await requestQuote(request));
    } catch (error) {
      setQuote(undefined);
      if (!form.refuse(error)) notify.failure(error);
    } finally {
      setAsking(false);
    }
  };
  return { quote, isAsking, ask, drop: () => setQuote(undefined) };
}

/**
 * State of one conversion on screen: the request, the firm quote, and the result. `paidCoin` is the initially selected
 * coin to pay with.
 */
export function useConvert(paidCoin = 'USDT') {
  const info = useConvertInfo();
  const [request, setRequest] = useState<Omit<QuoteRequest, 'amount'>>({
    from: paidCoin,
    to: paidCoin === 'USDT' ? 'BTC' : 'USDT',
    side: 'from',
  });
  const [done, setDone] = useState<Exchange>();
  const { from, to, side } = request;
  const rate = useConvertRate(from, to);
  const available = useBalance(from)?.availableCurrency;
  const digitsOf = (coin: string) => info.data?.list.find(({ currency }) => currency === coin)?.digits ?? 8;
  const digits = { from: digitsOf(from), to: digitsOf(to) };

  const otherOf = (amount: string) =>
    estimateOf({ side, amount }, { rate: rate.data?.rate, feeRate: info.data?.feeRate, digits });
  const form = useForm({ fromAmount: '', toAmount: '' }, (values) => {
    const amount = values[`${side}Amount`];
    const paid = side === 'from' ? amount : otherOf(amount);
    const problem = amountProblem({ ...request, amount }, { digits: digits[side], paid, available });
    return problem === undefined ? {} : { [`${side}Amount`]: problem };
  });
  const amount = form.values[`${side}Amount`];
  const otherAmount = otherOf(amount) ?? '';
  const { quote, isAsking, ask, drop } = useQuote(form);
  const t = useWords('convert');
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: 'convert',
    title: `${t('title')} ${request.from} → ${request.to}`,
    send: acceptQuote,
    onAnswered: (exchange) => {
      setDone(exchange);
      drop();
    },
  });

  const restart = (nextRequest: Omit<QuoteRequest, 'amount'>) => {
    setRequest(nextRequest);
    drop();
  };
  const step = done !== undefined ? 'done' : quote !== undefined ? 'quoted' : 'asking';
  return {
    step,
    info,
    asked: request,
    rate,
    digits,
    available,
    quote,
    done,
    isAsking,
    isBusy,
    unanswered,
    amounts: side === 'from' ? { from: amount, to: otherAmount } : { from: otherAmount, to: amount },
    errorOf: (side: 'from' | 'to') => form.errorOf(`${side}Amount`),
    type: (side: 'from' | 'to', text: string) => {
      restart({ from, to, side });
      form.set(`${side}Amount`, text);
    },
    choose: (changedSide: 'from' | 'to', coin: string) => {
      const swaps = coin === (changedSide === 'from' ? to : from);
      const nextRequest =
        changedSide === 'from'
          ? { from: coin, to: swaps ? from : to }
          : { from: swaps ? to : from, to: coin };
      restart({ ...nextRequest, side });
    },
    swap: () => {
      restart({ from: to, to: from, side: 'from' });
      form.reset({ fromAmount: '', toAmount: '' });
    },
    ask: () => ask({ ...request, amount }),
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
