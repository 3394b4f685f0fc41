import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { codeProblem } from '../form/step-up.ts';
import {
  loginPasswordProblem,
  newPasswordProblem,
  problemsOf,
  repeatedProblem,
  type Problems,
} from './form-checks.ts';

export interface PasswordForm {
  readonly oldPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
  readonly code: string;
}

export const INITIAL_PASSWORD: PasswordForm = {
  oldPassword: '',
  newPassword: '',
  confirmPassword: '',
  code: '',
};

export function passwordProblems(form: PasswordForm, email = ''): Problems<PasswordForm> {
  return problemsOf<PasswordForm>({
    oldPassword: loginPasswordProblem(form.oldPassword, 'oldPassword'),
    newPassword: newPasswordProblem(form.newPassword, email) ?? sameProblem(form),
    confirmPassword: repeatedProblem(form.newPassword, form.confirmPassword, 'confirmPassword'),
    code: codeProblem(form.code),
  });
}

function sameProblem({ oldPassword, newPassword }: PasswordForm): Refusal | undefined {
  return oldPassword === newPassword
    ? refusal('invalidField', 'l.password_same', { field: 'newPassword' })
    : undefined;
}
