import { randomBytes } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import { CODE_TYPES, register, sendEmailCode } from '@exchange/wire/user.ts';
import { AGREEMENT_FIELDS } from './agreement-fields.ts';
import { anAddress, callOver, sendHttp } from './calling.ts';
import { withSolvedChallenge } from './proof-of-work.ts';

const PASSWORD = 'Jasmine4river';

/** A newly registered user with the token of their session. */
export interface Registered {
  readonly id: UserId;
  readonly email: string;
  readonly token: string;
}

/** Returns an email address that no other test uses. */
export function newTestEmail(): string {
  return `t${randomBytes(6).toString('hex')}@example.com`;
}

/**
 * Registers a user at a running demo server over HTTP, with the code from the demo's mail page. Each user has a random
 * network address, so that users do not share rate limits. Throws if the registration is refused.
 */
export async function registerAt(url: string, email = newTestEmail()): Promise<Registered> {
  const address = anAddress();
  await withSolvedChallenge((work) =>
    callOver(url, sendEmailCode, { email, type: CODE_TYPES.register, ...work }, { address }),
  );
  const mail = await sendHttp(`${url}/dev/mail.json?to=${email}`, { method: 'GET', headers: {} });
  const { list } = JSON.parse(mail.text) as { list: readonly { code?: string }[] };
  const proof = { code: list[0]?.code ?? '', password: PASSWORD, confirmPassword: PASSWORD };
  const { data, code, text } = await callOver(
    url,
    register,
    { email, ...proof, ...AGREEMENT_FIELDS },
    {
      address,
    },
  );
  if (code !== 1) throw new Error(`${email} could not register: ${text}`);
  return { id: data.userId as UserId, email, token: data.token };
}
