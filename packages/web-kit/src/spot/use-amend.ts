import type { Refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { useKeyedSubmit, type Unanswered } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useAmendOrder, type KeyedRequest } from './actions.ts';
import {
  amendPayloadOf,
  amendFormProblem,
  amendableFields,
  initialAmend,
  isAmended,
  summariseAmend,
  type AmendField,
  type AmendForm,
  type AmendPayload,
  type AmendSummary,
} from './amend-form.ts';
import { amendableExits, entryAfter, type ExitField } from './amend-exits.ts';
import { useExitResults } from './exit-words.ts';
import type { Order } from './shapes.ts';
import type { TicketMarket } from './ticket.ts';

/**
 * State of the dialog that amends an order: typed values, effects of the amendment, the reason why it would be refused,
 * and the request.
 */
export interface AmendControl {
  readonly form: AmendForm;
  readonly set: (field: AmendField | ExitField, text: string) => void;
  readonly fields: readonly AmendField[];
  /** Names of the take-profit and stop-loss prices of the order that can be amended; empty if none can be. */
  readonly exits: readonly ExitField[];
  /** Estimated results of take-profit and stop-loss as lines of text. */
  readonly exitResults: readonly string[];
  readonly isChanged: boolean;
  readonly summary: AmendSummary;
  readonly problem: Refusal | undefined;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  /** Defined if an amendment of this order failed without a response. */
  readonly unanswered: Unanswered | undefined;
  /**
   * Sends the amendment unless `problem` is defined, and shows the outcome. Resolves to whether the order was amended.
   */
  readonly submit: () => Promise<boolean>;
}

/**
 * Sends amendments of one order idempotently and shows success or refusal in a notification; `unanswered` is
 * defined after a missing response.
 */
export function useAmendSubmit(id: string) {
  const t = useWords('orders');
  const amend = useAmendOrder();
  return useKeyedSubmit({
    form: `spot amend ${id}`,
    title: t('amendTitle'),
    send: ({ payload, clientId }: KeyedRequest<AmendPayload>) => amend.mutateAsync({ payload, clientId }),
    onAnswered: () => notify.success(t('amended')),
  });
}

/**
 * State of the amendment of an order. `order` must be the current order, so that fills during the editing are included.
 */
export function useAmend(order: Order, market: TicketMarket): AmendControl {
  const [form, setForm] = useState<AmendForm>(() => initialAmend(order));
  const [isTried, setTried] = useState(false);
  const problem = amendFormProblem(form, order, market);
  const summary = summariseAmend(form, order, market);
  const exits = amendableExits(order);
  const exitResults = useExitResults(
    exits.length === 0
      ? undefined
      : {
          takeProfit: form.takeProfitPrice,
          stopLoss: form.stopLossPrice,
          stopLossLimit: form.stopLossLimitPrice,
        },
    entryAfter(order, summary, market.pair),
    market.pair,
  );
  const { submit, isBusy, unanswered } = useAmendSubmit(order.id);

  const change = (field: AmendField | ExitField, text: string): void => {
    setTried(false);
    setForm({ ...form, [field]: text });
  };
  const send = async (): Promise<boolean> => {
    setTried(true);
    if (problem !== undefined) return false;
    return submit(JSON.stringify(form), () => amendPayloadOf(form, order));
  };
  return {
    form,
    set: change,
    fields: amendableFields(order),
    exits,
    exitResults,
    isChanged: isAmended(form, order),
    summary,
    problem,
    isTried,
    isBusy,
    unanswered,
    submit: send,
  };
}
