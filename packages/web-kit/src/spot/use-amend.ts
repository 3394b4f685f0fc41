import type { Refusal } from '@exchange/core/refusal.ts';
import { useState } from 'react';
import { useKeyedSubmit, type Unanswered } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useAmendOrder, type Keyed } from './actions.ts';
import {
  amendPayloadOf,
  amendFormProblem,
  amendable,
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
import type { TicketMoment } from './ticket.ts';

/** The dialog that changes an order: what is typed, what it would do, why it would be refused, and the deed. */
export interface AmendControl {
  readonly form: AmendForm;
  /** Sets one of the fields that the order has. */
  readonly set: (field: AmendField | ExitField, text: string) => void;
  readonly fields: readonly AmendField[];
  /** Take-profit and stop-loss, of an order that may have them. */
  readonly exits: readonly ExitField[];
  /** What each of them would bring. */
  readonly exitResults: readonly string[];
  readonly isChanged: boolean;
  readonly summary: AmendSummary;
  readonly problem: Refusal | undefined;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  /** While no answer came to a change of this order: what the person may do about it. */
  readonly unanswered: Unanswered | undefined;
  /** Sends the change unless there is a problem, and says how it went. Gives whether the order was changed. */
  readonly submit: () => Promise<boolean>;
}

/** Sends a change of one order, once however often it is sent, and reports what came of it. */
export function useAmendSubmit(id: string) {
  const t = useWords('orders');
  const amend = useAmendOrder();
  return useKeyedSubmit({
    form: `spot amend ${id}`,
    title: t('amendTitle'),
    send: ({ payload, clientId }: Keyed<AmendPayload>) => amend.mutateAsync({ payload, clientId }),
    onAnswered: () => notify.success(t('amended')),
  });
}

/** The state of one amendment. `order` is the order as it is now: fills that arrive meanwhile count. */
export function useAmend(order: Order, moment: TicketMoment): AmendControl {
  const [form, setForm] = useState<AmendForm>(() => initialAmend(order));
  const [isTried, setTried] = useState(false);
  const problem = amendFormProblem(form, order, moment);
  const summary = summariseAmend(form, order, moment);
  const exits = amendableExits(order);
  const exitResults = useExitResults(
    exits.length === 0
      ? undefined
      : {
          takeProfit: form.takeProfitPrice,
          stopLoss: form.stopLossPrice,
          stopLossLimit: form.stopLossLimitPrice,
        },
    entryAfter(order, summary, moment.pair),
    moment.pair,
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
    fields: amendable(order),
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
