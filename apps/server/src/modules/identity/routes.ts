import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import * as wire from '@exchange/wire/user.ts';
import { withConstantTime } from '../../platform/http/even-time.ts';
import {
  pageAnswer,
  route,
  submissionRoute,
  type Caller,
  type Route,
  type SignedInCaller,
} from '../../platform/http/route.ts';
import { bindAuthenticator, newKey, renewRecovery, unbindAuthenticator } from './authenticator.ts';
import { exchangeCode, sendActionCode, sendCode, sendOwnActionCode } from './code-requests.ts';
import { actionOf, actionWords, confirmedAction } from './action-routes.ts';
import { boundTo } from './confirmed-action.ts';
import { isForVisitors, type Purpose } from './domain/mailed-code.ts';
import { changeEmail, info, listSessions, listSignIns, setAntiPhishing, updateProfile } from './profile.ts';
import { parseEmail } from './email-field.ts';
import { freezeByLink, freezeOwn, type Restrict } from './freezing.ts';
import { ensureDemoTrader } from './system-users.ts';
import { resetPassword, updatePassword } from './passwords.ts';
import type { IdentityParts } from './parts.ts';
import {
  addPasskey,
  confirmOptions,
  creationOptions,
  presentPasskey,
  removePasskey,
  renamePasskey,
  signInOptions,
} from './passkeys.ts';
import {
  login,
  loginWithPasskey,
  logout,
  openSession,
  revokeOtherSessions,
  revokeSession,
} from './sign-in.ts';
import { register } from './sign-up.ts';
import { resetTradePassword, setTradePassword } from './trade-passwords.ts';

export type Mode = 'demo' | 'live';

/** The HTTP endpoints of accounts, logins and account security. */
export function identityRoutes(parts: IdentityParts, mode: Mode, restrict: Restrict): readonly Route[] {
  const routes = [
    ...visitorRoutes(parts),
    ...credentialRoutes(parts),
    ...protectionRoutes(parts, restrict),
    ...passkeyRoutes(parts),
    ...accountRoutes(parts),
  ];
  return mode === 'demo' ? [...routes, demoLoginRoute(parts)] : routes;
}

function visitorRoutes(parts: IdentityParts): readonly Route[] {
  const inConstantTime = <T>(work: () => Promise<T>) => withConstantTime(parts.visitorAnswersMs, work);
  return [
    route(wire.sendEmailCode, (fields, caller) =>
      inConstantTime(() => sendRequestedCode(parts, fields, caller)),
    ),
    route(wire.verifyEmail, (fields, caller) =>
      inConstantTime(() =>
        exchangeCode(parts, parseEmail(fields.email), purposeOf(fields.type), fields.code, caller),
      ),
    ),
    route(wire.register, (fields, caller) => inConstantTime(() => register(parts, fields, caller))),
    route(wire.login, async (fields, caller) => ({
      ...(await inConstantTime(() => login(parts, fields, caller))),
      code: 1 as const,
      msg: 'ok',
    })),
    route(wire.passkeyOptions, () => signInOptions(parts)),
    route(wire.passkeyLogin, (fields, caller) =>
      inConstantTime(() => loginWithPasskey(parts, fields, caller)),
    ),
    route(wire.sendForgetCode, (fields, caller) =>
      inConstantTime(() => sendCode(parts, parseEmail(fields.email), 'reset', caller, { work: fields })),
    ),
    route(wire.forgetPassword, (fields, caller) =>
      inConstantTime(() => resetPassword(parts, fields, caller)),
    ),
  ];
}

function credentialRoutes(parts: IdentityParts): readonly Route[] {
  return [
    route(wire.logout, (_, caller) => logout(parts, caller)),
    route(wire.updatePassword, async (fields, caller) =>
      updatePassword(parts, await requireAccount(parts, caller), fields, caller),
    ),
    route(wire.sendTradePasswordCode, async ({ act: path }, caller) => {
      const act = actionOf('tradePassword', path);
      return sendOwnActionCode(parts, caller, act, await actionWords(parts, caller.session.userId, act));
    }),
    route(wire.setTradePassword, async (fields, caller) =>
      setTradePassword(parts, await requireAccount(parts, caller), fields, caller),
    ),
    route(wire.resetTradePassword, async (fields, caller) =>
      resetTradePassword(parts, await requireAccount(parts, caller), fields, caller),
    ),
  ];
}

function protectionRoutes(parts: IdentityParts, restrict: Restrict): readonly Route[] {
  return [
    route(wire.getGoogleKey, async (_, caller) => newKey(parts, await requireAccount(parts, caller))),
    route(wire.bindGoogle, async ({ googleCode }, caller) =>
      bindAuthenticator(parts, await requireAccount(parts, caller), googleCode, caller),
    ),
    route(wire.unbindGoogle, async (_, caller) =>
      unbindAuthenticator(parts, await requireAccount(parts, caller), caller),
    ),
    route(wire.renewRecovery, async (_, caller) =>
      renewRecovery(parts, await requireAccount(parts, caller), caller),
    ),
    route(wire.updateEmail, async (fields, caller) =>
      changeEmail(
        parts,
        await requireAccount(parts, caller),
        fields,
        { endpoint: wire.updateEmail, fields },
        caller,
      ),
    ),
    route(wire.setAntiPhishing, async (fields, caller) =>
      setAntiPhishing(parts, await requireAccount(parts, caller), fields.text, caller),
    ),
    route(wire.freezeAccount, async ({ reason }, caller) =>
      freezeOwn(parts, await requireAccount(parts, caller), reason, caller, restrict),
    ),
    route(wire.freezeByLink, ({ token }, caller) => freezeByLink(parts, token, caller, restrict)),
  ];
}

function passkeyRoutes(parts: IdentityParts): readonly Route[] {
  return [
    route(wire.passkeys, async (_, { session }) => ({
      list: (await parts.passkeys.ofUser(session.userId)).map(presentPasskey),
    })),
    route(wire.newPasskey, async (_, caller) =>
      creationOptions(parts, await requireAccount(parts, caller), caller),
    ),
    submissionRoute(wire.addPasskey, {
      operation: 'passkeys.add',
      serve: async (fields, caller) => addPasskey(parts, await requireAccount(parts, caller), fields, caller),
    }),
    route(wire.renamePasskey, async (fields, caller) =>
      renamePasskey(parts, await requireAccount(parts, caller), fields),
    ),
    submissionRoute(wire.removePasskey, {
      operation: 'passkeys.remove',
      serve: async ({ id, isLast = false }, caller) =>
        removePasskey(parts, await requireAccount(parts, caller), {
          id,
          isLast,
          caller,
          keptSession: caller.session,
        }),
    }),
    route(wire.confirmWithPasskey, ({ act: path, about }, caller) =>
      confirmOptions(parts, caller, boundTo(confirmedAction(path, about))),
    ),
  ];
}

function accountRoutes(parts: IdentityParts): readonly Route[] {
  return [
    route(wire.userInfo, async (fields, caller) => info(parts, await requireAccount(parts, caller), fields)),
    route(wire.updateProfile, async (fields, caller) =>
      updateProfile(parts, await requireAccount(parts, caller), fields),
    ),
    route(wire.sessions, async (_, caller) =>
      listSessions(parts, await requireAccount(parts, caller), caller),
    ),
    route(wire.revokeSession, async (fields, caller) =>
      revokeSession(parts, await requireAccount(parts, caller), fields.id, caller),
    ),
    route(wire.revokeOtherSessions, async (_, caller) =>
      revokeOtherSessions(parts, await requireAccount(parts, caller), caller),
    ),
    route(wire.loginRecords, async (fields, caller) =>
      pageAnswer(await listSignIns(parts, await requireAccount(parts, caller), fields, caller), fields),
    ),
  ];
}

function demoLoginRoute(parts: IdentityParts): Route {
  return route(wire.demoLogin, async ({ deviceId }, caller) => {
    const account = await ensureDemoTrader(parts);
    const token = await openSession(parts, account, caller, { deviceId });
    return { userId: account.id, token, email: account.email };
  });
}

const PURPOSES = new Map<string, Purpose>(
  Object.entries(wire.CODE_TYPES).map(([purpose, type]) => [type, purpose as wire.CodePurpose]),
);

function purposeOf(type: string): Purpose {
  const purpose = PURPOSES.get(type);
  if (purpose === undefined) throw new RangeError(`no code has the type ${type}`);
  return purpose;
}

/**
 * Mails a code. A code for registration, login or reset proves access to an email address; any other code confirms one
 * request of the signed-in user.
 */
async function sendRequestedCode(
  parts: IdentityParts,
  { email, type, act: path, about, challenge, solution }: FieldsOf<typeof wire.sendEmailCode>,
  caller: Caller,
): Promise<{ wait: number }> {
  const purpose = purposeOf(type);
  const address = parseEmail(email);
  if (isForVisitors(purpose) || caller.session === undefined)
    return sendCode(parts, address, purpose, caller, { work: { challenge, solution } });
  const act = actionOf(purpose, path, about);
  return sendActionCode(parts, address, act, caller, await actionWords(parts, caller.session.userId, act));
}

async function requireAccount(parts: IdentityParts, caller: SignedInCaller) {
  const account = await parts.accounts.byId(caller.session.userId);
  if (account === undefined) throw new Refused(refusal('sessionEnded', 'l.session_ended'));
  return account;
}
