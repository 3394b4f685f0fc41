import { tradePasswordProblem } from '@exchange/core/password.ts';
import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { codeProblem, problemsOf, repeatedProblem, type Problems } from './form-checks.ts';

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
    oldAssetsPwd: isChange ? oldProblem(form.oldAssetsPwd) : undefined,
    assetsPwd: tradePasswordProblem(form.assetsPwd),
    confirmAssetsPwd: repeatedProblem(form.assetsPwd, form.confirmAssetsPwd, 'confirmAssetsPwd'),
    code: codeProblem(form.code),
  });
}

export function tradePasswordPayload(form: TradePasswordForm, isChange: boolean) {
  return { ...form, oldAssetsPwd: isChange ? form.oldAssetsPwd : null };
}

function oldProblem(digits: string): Refusal | undefined {
  return /^\d{6}$/.test(digits)
    ? undefined
    : refusal('tradePassword', 'l.trade_password_format', { field: 'oldAssetsPwd' });
}
