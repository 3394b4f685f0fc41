import { useState } from 'react';
import { CallRefused } from '../api/client.ts';
import type { StepUpAnswer } from '../form/step-up.ts';
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
import {
  asksRecipient,
  maxAmountOf,
  NOTHING_TYPED,
  withdrawContext,
  withdrawProblems,
} from './withdraw-model.ts';

const CLOCK_MS = 10_000;
const FEE_CHANGED = 'l.withdraw_fee_changed';

/** State of the withdrawal form until the withdrawal is requested, and the request. */
export function useWithdraw({ coin, network }: Route, onSent: (row: WithdrawalRow) => void) {
  const t = useWords('transfer');
  const config = useWithdrawalConfig(coin, network);
  const book = (useAddresses().data?.list ?? []).filter(
    (row) => row.currency === coin && row.network === network,
  );
  const now = useNow(CLOCK_MS);
  const moment = withdrawContext(coin, network, { config: config.data, book, now });
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
  const destination = () => {
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
  /** Request fields of the recipient; empty if the value of the amount does not require a recipient. */
  const recipientFields = () => {
    if (moment === undefined || !asksRecipient(form.values, moment)) return {};
    const { recipientOwn, recipientName, recipientProvider } = form.values;
    const provider = recipientProvider.trim();
    return {
      ...(recipientOwn === '1' ? { recipientOwn: '1' as const } : { recipientName: recipientName.trim() }),
      ...(provider === '' ? {} : { recipientProvider: provider }),
    };
  };
  const requestFields = () => {
    const { remark } = form.values;
    return {
      ...destination(),
      ...(remark === '' ? {} : { remark }),
      ...recipientFields(),
    };
  };
  const [quote, setQuote] = useState<WithdrawalQuote>();
  /** Fetches the server's figures for the typed values, which the review shows; rejects with the server's refusal. */
  const fetchQuote = async (): Promise<void> => setQuote(await quoteWithdrawal(requestFields()));
  /**
   * Requests the withdrawal that the user has reviewed. Resolves to whether it was requested; rejects with a refusal or
   * network failure, so that the form shows it. If the server refuses because the fee has changed, the new figures are
   * fetched for the review.
   */
  const act = async (proof: StepUpAnswer): Promise<boolean> => {
    const { amount, address, memo } = form.values;
    const payload = (): WithdrawalPayload => ({
      ...requestFields(),
      ...(quote === undefined ? {} : { fee: quote.fee }),
      ...proof,
    });
    try {
      return await submission.act(JSON.stringify([coin, network, amount, address, memo]), payload);
    } catch (error) {
      if (error instanceof CallRefused && error.errKey === FEE_CHANGED)
        // If the new figures cannot be fetched, the review still shows the old ones, with the refusal that says that
        // the fee has changed.
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
    most: moment === undefined ? undefined : maxAmountOf(moment),
    sendCode: () => mailWithdrawalCode(destination()),
    /**
     * Returns the request fields to which the step-up confirmation of the withdrawal, such as an email code,
     * is bound: coin, network, amount, address and memo.
     */
    destination,
  };
}

export type WithdrawControl = ReturnType<typeof useWithdraw>;
