import { useState } from 'react';
import { CallRefused } from '../api/client.ts';
import type { StepUp } from '../form/step-up.ts';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useNow } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import type { Route } from './parts.tsx';
import {
  mailWithdrawalCode,
  quoteWithdrawal,
  useAddresses,
  useWithdrawalConfig,
  withdraw,
  type WithdrawalPayload,
  type WithdrawalQuote,
  type WithdrawalRow,
} from './queries.ts';
import { momentOf, mostOf, NOTHING_TYPED, withdrawProblems } from './withdraw-model.ts';

const CLOCK_MS = 10_000;
const FEE_CHANGED = 'l.withdraw_fee_changed';

/** A withdrawal on screen before it is asked for, and the way to ask for it. */
export function useWithdraw({ coin, network }: Route, onSent: (row: WithdrawalRow) => void) {
  const t = useWords('transfer');
  const config = useWithdrawalConfig(coin, network);
  const book = (useAddresses().data?.list ?? []).filter(
    (one) => one.currency === coin && one.network === network,
  );
  const now = useNow(CLOCK_MS);
  const moment = momentOf(coin, network, { config: config.data, book, now });
  const form = useForm(NOTHING_TYPED, (fields) => withdrawProblems(fields, moment), {
    name: `withdrawal ${coin} ${network}`,
    fields: ['address', 'memo', 'amount', 'remark'],
  });
  const submission = useKeyedSubmit({
    form: `transfer withdraw ${coin} ${network}`,
    title: `${t('withdrawTitle')} ${coin}`,
    send: withdraw,
    onAnswered: (row) => {
      form.removeDraft();
      onSent(row);
    },
  });
  const place = () => {
    const { amount, address, memo, withoutMemo } = form.values;
    const isWithout = memo === '' && withoutMemo === '1';
    return {
      currency: coin,
      network,
      amount,
      address,
      ...(memo === '' ? {} : { memo }),
      ...(isWithout ? { withoutMemo: '1' as const } : {}),
    };
  };
  const wanted = () => {
    const { remark } = form.values;
    return remark === '' ? place() : { ...place(), remark };
  };
  const [quote, setQuote] = useState<WithdrawalQuote>();
  /** Fetches the figures of what is typed, for the review; throws the server's refusal. */
  const fetchQuote = async (): Promise<void> => setQuote(await quoteWithdrawal(wanted()));
  /**
   * Sends what the review shows. Returns whether it was done; throws a refusal, so that it is shown where it belongs.
   * Where the fee has changed, the review then shows the new figures.
   */
  const act = async (proof: Partial<StepUp>): Promise<boolean> => {
    const { amount, address, memo } = form.values;
    const payload = (): WithdrawalPayload => ({
      ...wanted(),
      ...(quote === undefined ? {} : { fee: quote.fee }),
      ...proof,
    });
    try {
      return await submission.act(JSON.stringify([coin, network, amount, address, memo]), payload);
    } catch (error) {
      if (error instanceof CallRefused && error.errKey === FEE_CHANGED)
        // Reason: without new figures the old ones stay, with the sentence that they are not in force.
        await fetchQuote().catch(() => undefined);
      throw error;
    }
  };
  return {
    config,
    moment,
    book,
    form,
    act,
    quote,
    fetchQuote,
    unanswered: submission.unanswered,
    most: moment === undefined ? undefined : mostOf(moment),
    sendCode: () => mailWithdrawalCode(place()),
  };
}

export type WithdrawControl = ReturnType<typeof useWithdraw>;
