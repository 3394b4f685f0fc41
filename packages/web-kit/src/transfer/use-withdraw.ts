import type { StepUp } from '../form/step-up.ts';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useNow } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import type { Route } from './parts.tsx';
import {
  mailWithdrawalCode,
  useAddresses,
  useWithdrawalConfig,
  withdraw,
  type WithdrawalPayload,
  type WithdrawalRow,
} from './queries.ts';
import { momentOf, mostOf, NOTHING_TYPED, withdrawProblems } from './withdraw-model.ts';

const CLOCK_MS = 10_000;

/** A withdrawal on screen before it is asked for, and the way to ask for it. */
export function useWithdraw({ coin, network }: Route, onSent: (row: WithdrawalRow) => void) {
  const t = useWords('transfer');
  const config = useWithdrawalConfig(coin, network);
  const book = (useAddresses().data?.list ?? []).filter(
    (one) => one.currency === coin && one.network === network,
  );
  const now = useNow(CLOCK_MS);
  const moment = momentOf(coin, network, { config: config.data, book, now });
  const form = useForm(NOTHING_TYPED, (fields) => withdrawProblems(fields, moment));
  const submission = useKeyedSubmit({
    form: `transfer withdraw ${coin} ${network}`,
    title: `${t('withdrawTitle')} ${coin}`,
    send: withdraw,
    onAnswered: onSent,
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
  /** Returns whether it was done; throws a refusal, so that it is shown where it belongs. */
  const act = (proof: Partial<StepUp>): Promise<boolean> => {
    const { amount, address, memo, remark } = form.values;
    const payload = (): WithdrawalPayload => ({
      ...place(),
      ...(remark === '' ? {} : { remark }),
      ...proof,
    });
    return submission.act(JSON.stringify([coin, network, amount, address, memo]), payload);
  };
  return {
    config,
    moment,
    book,
    form,
    act,
    unanswered: submission.unanswered,
    most: moment === undefined ? undefined : mostOf(moment),
    sendCode: () => mailWithdrawalCode(place()),
  };
}

export type WithdrawControl = ReturnType<typeof useWithdraw>;
