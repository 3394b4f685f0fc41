import type { Refusal } from '@exchange/core/refusal.ts';
import { useRef, useState } from 'react';
import { CallFailed, CallRefused } from '../api/call-error.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useAmendOrder, type Keyed } from './actions.ts';
import {
  amendPayloadOf,
  amendFormProblem,
  initialAmend,
  summariseAmend,
  type AmendForm,
  type AmendPayload,
  type AmendSummary,
} from './amend-form.ts';
import type { Order } from './shapes.ts';
import type { TicketMoment } from './ticket.ts';

/** The dialog that changes an order: what is typed, what it would do, why it would be refused, and the deed. */
export interface AmendControl {
  readonly form: AmendForm;
  readonly setPrice: (price: string) => void;
  readonly setAmount: (amount: string) => void;
  readonly summary: AmendSummary;
  readonly problem: Refusal | undefined;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  /** Sends the change unless there is a problem, and says how it went. Gives whether the order was changed. */
  readonly submit: () => Promise<boolean>;
}

/** The state of one amendment. `order` is the order as it is now: fills that arrive meanwhile count. */
export function useAmend(order: Order, moment: TicketMoment): AmendControl {
  const t = useWords('orders');
  const [form, setForm] = useState<AmendForm>(() => initialAmend(order));
  const [isTried, setTried] = useState(false);
  const amend = useAmendOrder();
  const unanswered = useRef<Keyed<AmendPayload> | undefined>(undefined);
  // A second press may come before the button could be drawn busy.
  const isUnderWay = useRef(false);
  const problem = amendFormProblem(form, order, moment);

  const change = (next: AmendForm): void => {
    // Another change is another deed, so it gets a key of its own.
    unanswered.current = undefined;
    setTried(false);
    setForm(next);
  };
  const submit = async (): Promise<boolean> => {
    setTried(true);
    if (problem !== undefined || isUnderWay.current) return false;
    isUnderWay.current = true;
    unanswered.current ??= { payload: amendPayloadOf(form, order), clientId: crypto.randomUUID() };
    try {
      await amend.mutateAsync(unanswered.current);
      unanswered.current = undefined;
      notify.success(t('amended'));
      return true;
    } catch (error) {
      // Reason: refused, or no answer came. Without an answer the key stays, so pressing again changes it once.
      if (error instanceof CallRefused) unanswered.current = undefined;
      else if (!(error instanceof CallFailed)) throw error;
      notify.failure(error);
      return false;
    } finally {
      isUnderWay.current = false;
    }
  };
  return {
    form,
    setPrice: (price) => change({ ...form, price }),
    setAmount: (amount) => change({ ...form, amount }),
    summary: summariseAmend(form, order, moment),
    problem,
    isTried,
    isBusy: amend.isPending,
    submit,
  };
}
