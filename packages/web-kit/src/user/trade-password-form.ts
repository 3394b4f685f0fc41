import { tradePasswordProblem } from '@exchange/core/password.ts';
import { codeProblem, tradePasswordTypedProblem } from '../form/step-up.ts';
import { problemsOf, repeatedProblem, type Problems } from './form-checks.ts';

export interface TradePasswordForm {
  /** Asked for only where one is set already. */
  readonly oldAssetsPwd: string;
  readonly assetsPwd: string;
  readonly confirmAssetsPwd: string;
  readonly code: string;
}

export const INITIAL_TRADE_PASSWORD: TradePasswordForm = {
  oldAssetsPwd: '',
  assetsPwd: '',
  confirmAssetsPwd: '',
  code: '',
};

export function tradePasswordProblems(
  form: TradePasswordForm,
  isChange: boolean,
): Problems<TradePasswordForm> {
  return problemsOf<TradePasswordForm>({
    oldAssetsPwd: isChange ? tradePasswordTypedProblem(form.oldAssetsPwd, 'oldAssetsPwd') : undefined,
    assetsPwd: tradePasswordProblem(form.assetsPwd),
    confirmAssetsPwd: repeatedProblem(form.assetsPwd, form.confirmAssetsPwd, 'confirmAssetsPwd'),
    code: codeProblem(form.code),
  });
}

export function tradePasswordPayload(form: TradePasswordForm, isChange: boolean) {
  return { ...form, oldAssetsPwd: isChange ? form.oldAssetsPwd : null };
}
