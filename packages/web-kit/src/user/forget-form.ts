import { normaliseEmail } from '@exchange/core/email.ts';
import { codeProblem } from '../form/step-up.ts';
import {
  emailProblem,
  newPasswordProblem,
  problemsOf,
  repeatedProblem,
  type Problems,
} from './form-checks.ts';

export interface ForgetForm {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
}

export function initialForget(email = ''): ForgetForm {
  return { email, code: '', password: '', confirmPassword: '' };
}

export function forgetProblems(form: ForgetForm): Problems<ForgetForm> {
  return problemsOf<ForgetForm>({
    email: emailProblem(form.email),
    code: codeProblem(form.code),
    password: newPasswordProblem(form.password, form.email),
    confirmPassword: repeatedProblem(form.password, form.confirmPassword, 'confirmPassword'),
  });
}

export function forgetPayload(form: ForgetForm) {
  return { ...form, email: normaliseEmail(form.email) ?? '' };
}
