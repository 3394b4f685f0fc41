import { normaliseEmail } from '@exchange/core/email.ts';
import { codeProblem } from '../form/step-up.ts';
import {
  agreeProblem,
  emailProblem,
  newPasswordProblem,
  problemsOf,
  repeatedProblem,
  type Problems,
} from './form-checks.ts';

export interface RegisterForm {
  readonly email: string;
  readonly code: string;
  readonly password: string;
  readonly confirmPassword: string;
  readonly invitationCode: string;
  readonly agree: boolean;
}

/** An empty form; an invitation link brings its code. Agreement is never pre-ticked. */
export function initialRegister(invitationCode = ''): RegisterForm {
  return { email: '', code: '', password: '', confirmPassword: '', invitationCode, agree: false };
}

export function registerProblems(form: RegisterForm): Problems<RegisterForm> {
  return problemsOf<RegisterForm>({
    email: emailProblem(form.email),
    code: codeProblem(form.code),
    password: newPasswordProblem(form.password, form.email),
    confirmPassword: repeatedProblem(form.password, form.confirmPassword, 'confirmPassword'),
    agree: agreeProblem(form.agree),
  });
}

export function registerPayload(form: RegisterForm) {
  return {
    email: normaliseEmail(form.email) ?? '',
    code: form.code,
    password: form.password,
    confirmPassword: form.confirmPassword,
    invitationCode: form.invitationCode.trim(),
    agree: form.agree ? ('1' as const) : ('0' as const),
  };
}
