import { tradePasswordProblem } from '@exchange/core/password.ts';
import { codeProblem, tradePasswordTypedProblem } from '../form/step-up.ts';
import { loginPasswordProblem, problemsOf, repeatedProblem, type Problems } from './form-checks.ts';

/** A first one; another one in place of one that is known; one in place of one that is forgotten or locked. */
export type TradePasswordDeed = 'set' | 'change' | 'reset';

export interface TradePasswordForm {
  /** Asked for only where one is changed. */
  readonly oldAssetsPwd: string;
  /** The login password, asked for only where one is reset. */
  readonly password: string;
  readonly assetsPwd: string;
  readonly confirmAssetsPwd: string;
  readonly code: string;
}

export const INITIAL_TRADE_PASSWORD: TradePasswordForm = {
  oldAssetsPwd: '',
  password: '',
  assetsPwd: '',
  confirmAssetsPwd: '',
  code: '',
};

export function tradePasswordProblems(
  form: TradePasswordForm,
  deed: TradePasswordDeed,
): Problems<TradePasswordForm> {
  return problemsOf<TradePasswordForm>({
    oldAssetsPwd:
      deed === 'change' ? tradePasswordTypedProblem(form.oldAssetsPwd, 'oldAssetsPwd') : undefined,
    password: deed === 'reset' ? loginPasswordProblem(form.password) : undefined,
    assetsPwd: tradePasswordProblem(form.assetsPwd),
    confirmAssetsPwd: repeatedProblem(form.assetsPwd, form.confirmAssetsPwd, 'confirmAssetsPwd'),
    code: codeProblem(form.code),
  });
}

/** The fields of the call that sets a first one or changes one. */
export function setTradePasswordFields(form: TradePasswordForm, deed: TradePasswordDeed) {
  const { oldAssetsPwd, assetsPwd, confirmAssetsPwd, code } = form;
  return { assetsPwd, confirmAssetsPwd, code, oldAssetsPwd: deed === 'change' ? oldAssetsPwd : null };
}

/** The fields of the call that resets one. */
export function resetTradePasswordFields({ password, assetsPwd, confirmAssetsPwd, code }: TradePasswordForm) {
  return { password, assetsPwd, confirmAssetsPwd, code };
}
