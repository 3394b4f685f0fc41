import { Decimal } from '@exchange/core/decimal.ts';
import { instant } from '@exchange/core/time.ts';
import { useRef, useState } from 'react';
import { useBalance } from '../balance/balances.ts';
import type { StepUp } from '../form/step-up.ts';
import { useForm, type FormState } from '../form/use-form.ts';
import { useKeyedSubmit, type Unanswered } from '../form/use-keyed-submit.ts';
import { useNow } from '../format/remaining.tsx';
import { useEarn, useEarnWords } from './earn.ts';
import {
  INITIAL_PURCHASE,
  purchaseProblems,
  purchaseResult,
  shareOfAvailable,
  type PurchaseForm,
  type PurchaseContext,
  type PurchaseResult,
} from './purchase.ts';
import type { Bought, Product, PurchasePayload } from './shapes.ts';

/** State of a purchase on screen: the form, the result calculated from it, and the request. */
export interface PurchaseControl {
  readonly form: FormState<PurchaseForm>;
  readonly context: PurchaseContext;
  readonly result: PurchaseResult | undefined;
  /**
   * Sets the purchase amount to a percentage of the available balance, limited as in `shareOfAvailable`. Does
   * nothing until the balance has loaded.
   */
  readonly setShare: (percent: number) => void;
  /**
   * Submits the purchase. Resolves to true if the order was placed, and to false if nothing was sent because
   * another purchase of the product is running or unanswered; rejects when the server refused the purchase or
   * did not respond.
   */
  readonly submit: (proof: Partial<StepUp>) => Promise<boolean>;
  readonly unanswered: Unanswered | undefined;
  /** The placed order; undefined until the purchase has succeeded. */
  readonly bought: PlacedPurchase | undefined;
}

export interface PlacedPurchase extends Bought {
  readonly amount: string;
}

/**
 * Interval in milliseconds at which the form updates its time; ten seconds suffice, because the payment dates change
 * only at UTC midnight.
 */
const CLOCK_MS = 10_000;

/** State of the purchase of an earn product; `product` holds the product's newest data. */
export function usePurchase(product: Product): PurchaseControl {
  const earn = useEarn();
  const t = useEarnWords();
  const balance = useBalance(product.currency);
  const now = instant(Math.floor(useNow(CLOCK_MS)));
  const available = balance === undefined ? undefined : Decimal.parse(balance.availableCurrency);
  const moment: PurchaseContext = { product, available, now };
  const form = useForm(INITIAL_PURCHASE, (values) => purchaseProblems(values, moment));
  const [bought, setBought] = useState<PlacedPurchase>();
  const sentBody = useRef('');
  const submission = useKeyedSubmit({
    form: `${earn.part} buy ${product.id}`,
    title: `${t('buy')} ${product.name}`,
    send: async (attempt: Parameters<typeof earn.buy>[0]) => {
      sentBody.current = attempt.payload.amount as string;
      return earn.buy(attempt);
    },
    onAnswered: (answer) => setBought({ ...answer, amount: sentBody.current }),
  });

  const act = ({ assetsPwd }: Partial<StepUp>): Promise<boolean> => {
    const { id, agreementVersion, version } = product;
    const { amount } = form.values;
    const payload = (): PurchasePayload => ({
      id,
      amount,
      agree: '1',
      agreementVersion,
      version: String(version),
      ...(assetsPwd === undefined ? {} : { assetsPwd }),
    });
    return submission.act(JSON.stringify([id, amount, agreementVersion, version]), payload);
  };
  return {
    form,
    context: moment,
    result: purchaseResult(form.values, moment, earn.schedule),
    setShare: (percent) => form.set('amount', shareOfAvailable(percent, moment) ?? form.values.amount),
    submit: act,
    unanswered: submission.unanswered,
    bought,
  };
}
