import { useRef } from 'react';
import type { StepUp } from '../form/step-up.ts';
import { useForm } from '../form/use-form.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useNow } from '../format/remaining.tsx';
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
  const config = useWithdrawalConfig(coin, network);
  const book = (useAddresses().data?.list ?? []).filter(
    (one) => one.currency === coin && one.network === network,
  );
  const now = useNow(CLOCK_MS);
  const moment = momentOf(coin, network, { config: config.data, book, now });
  const form = useForm(NOTHING_TYPED, (fields) => withdrawProblems(fields, moment));
  const refusedWith = useRef<readonly Error[]>([]);
  const { submit, unanswered } = useKeyedSubmit({
    form: `transfer withdraw ${coin} ${network}`,
    send: withdraw,
    onAnswered: onSent,
    refuse: (error) => {
      refusedWith.current = [error as Error];
      return true;
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
  /** Gives whether it was done; a refusal is thrown, so that it is told where it belongs. */
  const act = async (proof: Partial<StepUp>): Promise<boolean> => {
    refusedWith.current = [];
    const { amount, address, memo, remark } = form.values;
    const payload = (): WithdrawalPayload => ({
      ...place(),
      ...(remark === '' ? {} : { remark }),
      ...proof,
    });
    const isDone = await submit(JSON.stringify([coin, network, amount, address, memo]), payload);
    const [refused] = refusedWith.current;
    if (refused !== undefined) throw refused;
    return isDone;
  };
  return {
    ...{ config, moment, book, form, act, unanswered },
    most: moment === undefined ? undefined : mostOf(moment),
    sendCode: () => mailWithdrawalCode(place()),
  };
}

export type WithdrawControl = ReturnType<typeof useWithdraw>;
