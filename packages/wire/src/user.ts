import * as z from 'zod/mini';
import { asWritten } from './spelling.ts';
import { flag, flagNumber, id, instantMs, text } from './codecs.ts';
import { ANYONE, endpoint, sessionAlone, signedInRead, type Charge } from './endpoint.ts';
import { authenticatorCode, mailCodeField, mailedCode, sixDigits, tradePasswordField } from './step-up.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import { pageOf, pagingFields } from './paging.ts';

const signIn: Charge = { limit: 'signIn', weight: 1 };
const mail: Charge = { limit: 'mail', weight: 1 };
const change: Charge = { limit: 'transfer', weight: 1 };
/** Whoever leaves, or throws somebody out, is not held up by what was changed before. */
const leaving: Charge = { limit: 'leaving', weight: 1 };

export { CODE_TYPES, type CodePurpose } from './step-up.ts';

const codeType = z.enum(['1', '2', '3', '4', '5', '6', '7'], 'l.field_choice');
const email = z
  .string('l.enter_email')
  .check(z.minLength(1, 'l.enter_email'), z.maxLength(254, 'l.email_invalid'));
const password = asWritten(
  z
    .string('l.field_required')
    .check(z.minLength(1, 'l.field_required'), z.maxLength(128, 'l.field_too_long')),
);
/** Either the mailed code itself or the ticket it was exchanged for. */
const proof = { code: z.optional(mailedCode), ticket: z.optional(text(64)) };
/**
 * What a caller shows who was refused with `l.code_challenge`: the challenge from the refusal's `data`, and a text such
 * that the SHA-256 of `<challenge>.<solution>` begins with `difficulty` zero bits.
 */
const workFields = { challenge: z.optional(text(120)), solution: z.optional(text(32)) };
const wait = z.object({ wait: z.int() });
const nothing = z.object({});

export const sendEmailCode = endpoint({
  path: '/user/sendEmailCode',
  summary:
    'Mails a code for one purpose: six digits, sixteen while somebody guesses at them. The answer is the same whether or not the address is known. Types 3 to 7 are for the owner, signed in, and for one call: `act` is its path below the base and `about` its fields that the code is bound to, form-encoded; the mail names them and the code confirms nothing else. Without `act`, type 6 is for `/user/setTransactionPwd` and type 7 for `/user/updatePwd`. `wait` is in seconds. While many strangers ask for codes, those without a session are refused with −9 and `l.code_challenge`, whose `data` holds a `challenge` and its `difficulty`: send the same fields again within three minutes with `challenge` and a `solution`, a text such that the SHA-256 of `<challenge>.<solution>` begins with `difficulty` zero bits. A solution counts once, for this address, type and network address.',
  access: ANYONE,
  charge: mail,
  fields: {
    email,
    type: codeType,
    act: z.optional(text(64)),
    about: z.optional(text(1_000)),
    ...workFields,
  },
  data: wait,
});

export const verifyEmail = endpoint({
  path: '/user/emailVerification',
  summary: 'Exchanges a mailed code for a ticket that is valid for 10 minutes.',
  access: ANYONE,
  charge: signIn,
  fields: { email, code: mailedCode, type: codeType },
  data: z.object({ ticket: z.string() }),
});

export const register = endpoint({
  path: '/user/register',
  summary:
    'Opens an account with a code mailed for registration, and signs in. `agree` accepts the user agreement (`termsVersion`) and the privacy policy (`privacyVersion`) in the versions that `/index/getAgreement` gives; others are refused with the version in force.',
  access: ANYONE,
  charge: signIn,
  fields: {
    email,
    ...proof,
    password,
    confirmPassword: password,
    invitationCode: z.optional(text(20)),
    agree: z.optional(flag),
    termsVersion: z.optional(text(20)),
    privacyVersion: z.optional(text(20)),
    lang: z.optional(z.enum(LOCALES)),
    deviceId: z.optional(text(64)),
  },
  data: z.object({ userId: z.string(), token: z.string() }),
});

export const login = endpoint({
  path: '/user/login',
  summary:
    'Signs in with address, mailed code and password; with an authenticator bound, its code (`googleCode`) as well, asked for with −5 once the others are right.',
  access: ANYONE,
  charge: signIn,
  fields: {
    account: email,
    code: mailedCode,
    password,
    deviceId: z.optional(text(64)),
    googleCode: z.optional(authenticatorCode),
  },
  data: z.object({ userId: z.string(), token: z.string(), code: z.literal(1), msg: z.string() }),
});

/** Demo mode's one click: signs in as the funded demo trader. */
export const demoLogin = endpoint({
  path: '/user/demoLogin',
  summary: 'Demo mode only: signs in as the funded, verified demo trader.',
  access: { who: 'anyone', demoOnly: true },
  charge: signIn,
  fields: { deviceId: z.optional(text(64)) },
  data: z.object({ userId: z.string(), token: z.string(), email: z.string() }),
});

export const logout = endpoint({
  path: '/user/logout',
  summary: 'Ends this session.',
  access: sessionAlone('endsAccess'),
  charge: leaving,
  fields: {},
  data: nothing,
});

/** What holds withdrawals for a day. */
export const HOLD_REASONS = [
  'passwordChanged',
  'passwordReset',
  'tradePasswordChanged',
  'tradePasswordReset',
  'emailChanged',
  'authenticatorRemoved',
  'review',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/**
 * What an account may do at most; a call beyond a limit is refused with it. A pair's own numbers, where they
 * are higher, and the limits of single orders are in `/bibi/getBasic`; amounts of withdrawals in `/withdraw/getConfig`.
 */
const accountLimits = z.object({
  /** Placed, changed or cancelled, in the long run, and at once after a pause. */
  ordersPerSecond: z.number(),
  ordersAtOnce: z.int(),
  /** Calls that change something other than orders. */
  changesPerSecond: z.number(),
  /** Withdrawals that may be asked for within 24 hours, and the seconds from one to the next. */
  withdrawalsPerDay: z.int(),
  withdrawalGapSeconds: z.number(),
  /** By weight: most reads weigh 1. */
  readsPerMinute: z.number(),
  openOrdersPerPair: z.int(),
  stopOrdersPerPair: z.int(),
  favorites: z.int(),
  priceAlerts: z.int(),
  /** One sign-in more ends the session that was not used for longest. */
  sessions: z.int(),
  /** Signed-in connections of the live feed. */
  feedConnections: z.int(),
});

export const userInfo = endpoint({
  path: '/user/info',
  summary:
    'The signed-in user, and what the account may do at most (`limits`). `token` and `userId` are accepted and never select whose data is returned.',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: { token: z.optional(text(200)), userId: z.optional(text(64)) },
  data: z.object({
    uid: z.string(),
    userId: z.string(),
    email: z.string(),
    icon: z.string(),
    auth: z.int(),
    kycStatus: z.int(),
    invitationCode: z.string(),
    assetsPwd: flagNumber,
    /** The trade password that all visitors of a demo share; on the demo trader's account only. */
    demoTradePassword: z.optional(z.string()),
    idCard: z.string(),
    idCardPhotoPositive: z.string(),
    idCardPhotoReverseSide: z.string(),
    remark: z.string(),
    name: z.string(),
    nickname: z.string(),
    purchase: z.string(),
    googleBind: flagNumber,
    /** Recovery codes of the authenticator that are not used yet. */
    recoveryLeft: z.int(),
    /** Words that stand in every mail to the user. */
    antiPhishing: z.string(),
    /** Whether withdrawals go to the address book only. */
    whitelist: flagNumber,
    level: z.int(),
    security: z.int(),
    activity: z.enum(['low', 'medium', 'high']),
    securityLevel: z.enum(['low', 'medium', 'high']),
    /** Withdrawals are held until then, and why; 0 and nothing where they are not. */
    holdUntil: instantMs,
    holdReason: z.enum(['', ...HOLD_REASONS]),
    createTime: instantMs,
    lang: z.string(),
    limits: accountLimits,
  }),
});

export const sendForgetCode = endpoint({
  path: '/user/sendEmailCodeForget',
  summary:
    'Mails a code for resetting the login password; the answer never tells whether the address is known. `challenge` and `solution` are as in `/user/sendEmailCode`.',
  access: ANYONE,
  charge: mail,
  fields: { email, ...workFields },
  data: wait,
});

export const forgetPassword = endpoint({
  path: '/user/forgetPwd',
  summary:
    'Sets a new login password with a mailed code; ends every session and holds withdrawals for 24 hours.',
  access: ANYONE,
  charge: signIn,
  fields: { email, ...proof, password, confirmPassword: password },
  data: nothing,
});

export const updatePassword = endpoint({
  path: '/user/updatePwd',
  summary: 'Changes the login password; other sessions end, withdrawals are held for 24 hours.',
  access: { who: 'user', mailCode: 'password', mailCodeBinds: [] },
  charge: change,
  fields: { oldPassword: password, newPassword: password, confirmPassword: password, ...mailCodeField },
  data: nothing,
});

export const sendTradePasswordCode = endpoint({
  path: '/user/sendUpdateAssetEmail',
  summary:
    "Mails a code for setting the trade password to the user's own address; with `act` of `/user/resetTransactionPwd`, for resetting it.",
  access: sessionAlone('mailsCode'),
  charge: mail,
  fields: {
    act: z.optional(z.enum(['/user/setTransactionPwd', '/user/resetTransactionPwd'], 'l.field_choice')),
  },
  data: wait,
});

export const setTradePassword = endpoint({
  path: '/user/setTransactionPwd',
  summary:
    'Sets the 6-digit trade password; one that is set is changed with the old one (`oldAssetsPwd`), which holds withdrawals for 24 hours.',
  access: { who: 'user', mailCode: 'tradePassword', mailCodeBinds: [] },
  charge: change,
  fields: {
    ...mailCodeField,
    assetsPwd: sixDigits,
    confirmAssetsPwd: sixDigits,
    oldAssetsPwd: z.optional(sixDigits),
  },
  data: nothing,
});

export const resetTradePassword = endpoint({
  path: '/user/resetTransactionPwd',
  summary:
    'Replaces a trade password that is forgotten or locked, with the login password and a code mailed for the trade password; holds withdrawals for 24 hours.',
  access: { who: 'user', mailCode: 'tradePassword', mailCodeBinds: [] },
  charge: change,
  fields: { ...mailCodeField, password, assetsPwd: sixDigits, confirmAssetsPwd: sixDigits },
  data: nothing,
});

export const getGoogleKey = endpoint({
  path: '/user/getGoogleKey',
  summary:
    'A new key for an authenticator app (RFC 6238), in force once `bindGoogle` has shown a code of it. Refused while one is bound.',
  access: sessionAlone('confirmedLater'),
  charge: change,
  fields: {},
  data: z.object({ key: z.string(), uri: z.string() }),
});

export const bindGoogle = endpoint({
  path: '/user/bindGoogle',
  summary:
    'Binds the authenticator whose key was given, with a code of it and a code mailed for `bind`. Gives ten recovery codes, each good once; they are never shown again.',
  access: { who: 'user', mailCode: 'bind', mailCodeBinds: [] },
  charge: change,
  fields: mailCodeField,
  data: z.object({ recovery: z.array(z.string()) }),
});

export const unbindGoogle = endpoint({
  path: '/user/unbindGoogle',
  summary: 'Removes the authenticator, with a code of it or a recovery code; holds withdrawals for 24 hours.',
  access: { who: 'user', mailCode: 'bind', mailCodeBinds: [], takesRecoveryCode: true },
  charge: change,
  fields: mailCodeField,
  data: nothing,
});

export const renewRecovery = endpoint({
  path: '/user/renewRecovery',
  summary:
    'Ten new recovery codes of the authenticator, shown once, with a code of it and one mailed for `bind`; the old ones are worth nothing from then on.',
  access: { who: 'user', mailCode: 'bind', mailCodeBinds: [] },
  charge: change,
  fields: mailCodeField,
  data: z.object({ recovery: z.array(z.string()) }),
});

export const updateEmail = endpoint({
  path: '/user/updateEmail',
  summary:
    'Moves the account to another address, with codes mailed for `bind` to the present one (`code`) and to the new one (`newCode`); other sessions end, withdrawals are held for 24 hours.',
  access: { who: 'user', tradePassword: true, mailCode: 'bind', mailCodeBinds: ['email'] },
  charge: change,
  fields: { email, newCode: mailedCode, ...tradePasswordField, ...mailCodeField },
  data: nothing,
});

export const setAntiPhishing = endpoint({
  path: '/user/setAntiPhishing',
  summary: 'Sets the words, 4 to 20 characters, that stand in every mail to the user.',
  access: { who: 'user', mailCode: 'bind', mailCodeBinds: ['text'] },
  charge: change,
  fields: {
    text: z
      .string('l.field_required')
      .check(
        z.trim(),
        z.regex(/^[^\p{C}]*$/u, 'l.field_invalid'),
        z.minLength(4, 'l.phrase_length'),
        z.maxLength(20, 'l.phrase_length'),
      ),
    ...mailCodeField,
  },
  data: nothing,
});

export const freezeAccount = endpoint({
  path: '/user/freeze',
  summary: 'Freezes the own account: every session ends and nothing leaves it until support opens it again.',
  access: sessionAlone('endsAccess'),
  charge: leaving,
  fields: { reason: z.optional(text(200)) },
  data: nothing,
});

export const freezeByLink = endpoint({
  path: '/user/freezeByLink',
  summary: 'Freezes the account that a mail was about, with the token of its link, good for a week.',
  access: ANYONE,
  charge: signIn,
  fields: { token: text(160) },
  data: nothing,
});

export const updateProfile = endpoint({
  path: '/user/updateProfile',
  summary:
    'Sets the nickname (a letter, then 7 to 24 letters or digits), a remark (a blank one clears it), the picture (`icon`, the id of an uploaded file), the language, and whether fills of resting orders are told in the inbox.',
  access: sessionAlone('personalises'),
  charge: change,
  fields: {
    nickname: z.optional(text(25)),
    remark: z.optional(asWritten(z.string().check(z.maxLength(100, 'l.field_too_long')))),
    icon: z.optional(id),
    lang: z.optional(z.enum(LOCALES)),
  },
  data: nothing,
});

export const sessions = endpoint({
  path: '/user/getSessions',
  summary: 'Where the user is signed in.',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: {},
  data: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        device: z.string(),
        address: z.string(),
        createTime: instantMs,
        lastTime: instantMs,
        current: flagNumber,
      }),
    ),
  }),
});

export const revokeSession = endpoint({
  path: '/user/revokeSession',
  summary: 'Ends one of the own sessions.',
  access: sessionAlone('endsAccess'),
  charge: leaving,
  fields: { id },
  data: nothing,
});

export const revokeOtherSessions = endpoint({
  path: '/user/revokeOtherSessions',
  summary: 'Ends every own session but the one that asks, and says how many ended.',
  access: sessionAlone('endsAccess'),
  charge: leaving,
  fields: {},
  data: z.object({ count: z.int() }),
});

export const loginRecords = endpoint({
  path: '/user/getLoginRecord',
  summary: 'Sign-ins and failed tries on the own account, newest first.',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: pagingFields,
  data: pageOf(
    z.object({
      id: z.string(),
      kind: z.string(),
      device: z.string(),
      address: z.string(),
      createTime: instantMs,
    }),
  ),
});
