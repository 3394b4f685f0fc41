import { Decimal } from '@exchange/core/decimal.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { Unanswered } from '@exchange/web-kit/form/use-keyed-submit.ts';
import {
  alertProblems,
  initialAlert,
  withAlertPrice,
  type AlertForm,
  type AlertMoment,
} from '@exchange/web-kit/market/alert-form.ts';
import { useLastPrice } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSetAlert } from '@exchange/web-kit/market/alerts.ts';
import { useState } from 'react';

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
  readonly unanswered: Unanswered | undefined;
  readonly submit: () => Promise<void>;
}

/** The form of a new alert. It starts at the last price, so that the first thing typed is a small change of it. */
export function useAlertForm(pair: MarketPair): AlertControl {
  const last = useLastPrice(pair.symbol);
  const moment: AlertMoment = { pair, last: last === undefined ? undefined : Decimal.tryParse(last) };
  const [typed, setTyped] = useState<AlertForm>();
  const [start, setStart] = useState(last);
  if (start === undefined && last !== undefined) setStart(last);
  const form = typed ?? initialAlert(start ?? '', moment.last);
  const [isTried, setTried] = useState(false);
  const problems = alertProblems(form, moment);
  const found = Object.entries(problems);

  const change = (next: AlertForm) => {
    setTried(false);
    setTyped(next);
  };
  const { save, isSaving, unanswered } = useSetAlert(pair, {
    onSet: (set) => {
      // What was typed while the answer was waited for stays.
      if (JSON.stringify(set) === JSON.stringify(form)) change({ ...form, price: '' });
    },
  });
  const submit = async () => {
    setTried(true);
    if (found.length > 0) return;
    await save(form);
  };
  return {
    form,
    moment,
    set: (part) => change({ ...form, ...part }),
    setPrice: (price) => change(withAlertPrice(form, price, moment.last)),
    shown: isTried ? found.map(([, problem]) => problem) : [],
    faulty: isTried ? found.map(([field]) => field) : [],
    isBusy: isSaving,
    unanswered,
    submit,
  };
}
