import { normaliseEmail } from '@exchange/core/email.ts';
import { codeProblem } from '../form/step-up.ts';
import { emailProblem, loginPasswordProblem, problemsOf, type Problems } from './form-checks.ts';

export interface LoginForm {
  readonly email: string;
  readonly code: string;
  readonly password: string;
}

export function initialLogin(email = ''): LoginForm {
  return { email, code: '', password: '' };
}

export function loginProblems(form: LoginForm): Problems<LoginForm> {
  return problemsOf<LoginForm>({
    email: emailProblem(form.email),
    code: codeProblem(form.code),
    password: loginPasswordProblem(form.password),
  });
}

export function loginPayload(form: LoginForm) {
  return { account: normaliseEmail(form.email) ?? '', code: form.code, password: form.password };
}
