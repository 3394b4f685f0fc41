import { Decimal } from '@exchange/core/decimal.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { CallFailed, CallRefused } from '@exchange/web-kit/api/call-error.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  alertPayload,
  alertProblems,
  initialAlert,
  withAlertPrice,
  type AlertForm,
  type AlertMoment,
} from '@exchange/web-kit/market/alert-form.ts';
import { useAddAlert, type AlertRequest } from '@exchange/web-kit/market/alerts.ts';
import { useLastPrice } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useRef, useState } from 'react';

export interface AlertControl {
  readonly form: AlertForm;
  readonly moment: AlertMoment;
  readonly set: (part: Partial<AlertForm>) => void;
  /** A typed price also says from which side it is waited for. */
  readonly setPrice: (price: string) => void;
  /** The problems to be shown, and the fields they are about: none before somebody has tried. */
  readonly shown: readonly Refusal[];
  readonly faulty: readonly string[];
  readonly isBusy: boolean;
  readonly submit: () => Promise<void>;
}

/** The form of a new alert. It starts at the last price, so that the first thing typed is a small change of it. */
export function useAlertForm(pair: MarketPair): AlertControl {
  const t = useWords('alerts');
  const last = useLastPrice(pair.symbol);
  const moment: AlertMoment = { pair, last: last === undefined ? undefined : Decimal.tryParse(last) };
  const [typed, setTyped] = useState<AlertForm>();
  const [start, setStart] = useState(last);
  if (start === undefined && last !== undefined) setStart(last);
  const form = typed ?? initialAlert(start ?? '', moment.last);
  const [isTried, setTried] = useState(false);
  const add = useAddAlert();
  const unanswered = useRef<AlertRequest | undefined>(undefined);
  const problems = alertProblems(form, moment);
  const found = Object.entries(problems);

  const change = (next: AlertForm) => {
    // Another alert gets another key.
    unanswered.current = undefined;
    setTried(false);
    setTyped(next);
  };
  const submit = async () => {
    setTried(true);
    if (found.length > 0) return;
    unanswered.current ??= { payload: alertPayload(form, moment), clientId: crypto.randomUUID() };
    try {
      await add.mutateAsync(unanswered.current);
      notify.success(t('saved'));
      change({ ...form, price: '' });
    } catch (error) {
      // Reason: refused, or no answer came. Without an answer the key stays, so pressing again sets it once.
      if (error instanceof CallRefused) unanswered.current = undefined;
      else if (!(error instanceof CallFailed)) throw error;
      notify.failure(error);
    }
  };
  return {
    form,
    moment,
    set: (part) => change({ ...form, ...part }),
    setPrice: (price) => change(withAlertPrice(form, price, moment.last)),
    shown: isTried ? found.map(([, problem]) => problem) : [],
    faulty: isTried ? found.map(([field]) => field) : [],
    isBusy: add.isPending,
    submit,
  };
}
