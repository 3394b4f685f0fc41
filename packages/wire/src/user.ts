import { PASSKEY_NAME_LENGTH, SIGN_IN_METHODS } from '@exchange/core/passkeys.ts';
import * as z from 'zod/mini';
import { keepCompatibilityForms } from './spelling.ts';
import { flag, flagNumber, id, instantMs, text } from './codecs.ts';
import { ANYONE, endpoint, publicRead, sessionAlone, signedInRead, type Charge } from './endpoint.ts';
import {
  authenticatorCode,
  mailCodeField,
  mailedCode,
  passkeyText,
  sixDigits,
  tradePasswordField,
} from './step-up.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import { pageOf, pagingFields } from './paging.ts';

const signIn: Charge = { limit: 'signIn', weight: 1 };
const mail: Charge = { limit: 'mail', weight: 1 };
const change: Charge = { limit: 'transfer', weight: 1 };
/**
 * Rate-limit charge of endpoints that end sessions or freeze the account. Their rate limit is separate from
 * the others, so that other requests cannot use it up.
 */
const leaving: Charge = { limit: 'leaving', weight: 1 };

export { CODE_TYPES, type CodePurpose } from './step-up.ts';

const codeType = z.enum(['1', '2', '3', '4', '5', '6', '7'], 'l.field_choice');
const email = z
  .string('l.enter_email')
  .check(z.minLength(1, 'l.enter_email'), z.maxLength(254, 'l.email_invalid'));
const password = keepCompatibilityForms(
  z
    .string('l.field_required')
    .check(z.minLength(1, 'l.field_required'), z.maxLength(128, 'l.field_too_long')),
);
/**
 * Proof that the caller has received the email code: the code itself in `code`, or in `ticket` the ticket for which the
 * code was exchanged.
 */
const proof = { code: z.optional(mailedCode), ticket: z.optional(text(64)) };
/**
 * Proof of work, which the refusal `l.code_challenge` demands: `challenge` from the `data` of the refusal, and a text
 * `solution` for which the SHA-256 of `<challenge>.<solution>` begins with `difficulty` zero bits.
 */
const workFields = { challenge: z.optional(text(120)), solution: z.optional(text(32)) };
const wait = z.object({ wait: z.int() });
const signInMethod = z.enum(SIGN_IN_METHODS);
const nothing = z.object({});

export const sendEmailCode = endpoint({
  path: '/user/sendEmailCode',
  summary:
    'Mails a code for one purpose: six digits, or sixteen during a guessing attack. The answer is the same whether or not the address is known. Types 3 to 7 require a session and are bound to one call: `act` is its path below the base and `about` the bound fields, form-encoded; the mail names them and the code confirms nothing else. Without `act`, type 6 is for `/user/setTransactionPwd` and type 7 for `/user/updatePwd`. `wait` is in seconds. During an attack, callers without a session are refused with −9 and `l.code_challenge`, whose `data` contains a `challenge` and its `difficulty`: repeat the request within three minutes with `challenge` and a `solution`, a text for which the SHA-256 of `<challenge>.<solution>` starts with `difficulty` zero bits. A solution is valid once, for this address, type and network address.',
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
    'Opens an account with a code mailed for registration, and signs in. `agree` accepts the user agreement (`termsVersion`) and the privacy policy (`privacyVersion`) in the versions from `/index/getAgreement`; other versions are refused with the current one.',
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
    'Signs in with email address, mailed code and password. Users with an authenticator also need its code (`googleCode`); a request without it is refused with −5 once the other fields are correct. The answer of a passkey of the account to `/user/getPasskeyOptions` (`passkey`) replaces both codes.',
  access: ANYONE,
  charge: signIn,
  fields: {
    account: email,
    code: z.optional(mailedCode),
    password,
    deviceId: z.optional(text(64)),
    googleCode: z.optional(authenticatorCode),
    passkey: z.optional(passkeyText),
  },
  data: z.object({ userId: z.string(), token: z.string(), code: z.literal(1), msg: z.string() }),
});

/** Endpoint of demo mode that signs the caller in as the demo trader, without credentials. */
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

/**
 * Reasons for which an account's withdrawals are on hold. A hold lasts 24 hours; for `review` it lasts as long as an
 * operator has set, at most 720 hours.
 */
export const HOLD_REASONS = [
  'passwordChanged',
  'passwordReset',
  'tradePasswordChanged',
  'tradePasswordReset',
  'emailChanged',
  'authenticatorRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'review',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/**
 * Limits that the server applies to each account separately. They are the same for all accounts, except that
 * the demo trader may have another `feedConnections`. A request above a limit is refused, and the refusal
 * contains the limit; a sign-in above `sessions` is not refused. A limit per pair is the smallest of all
 * pairs; `/bibi/getBasic` contains the limits of each pair and those of a single order, and
 * `/withdraw/getConfig` the limits of withdrawal amounts.
 */
const accountLimits = z.object({
  /**
   * Number of requests that place, amend or cancel orders that the user may send per second on average; `ordersAtOnce`
   * is the number that the user may send at once after a pause.
   */
  ordersPerSecond: z.number(),
  ordersAtOnce: z.int(),
  /**
   * Number of requests per second on average that the rate limit `transfer` allows; most changes other than
   * those of orders count towards it.
   */
  changesPerSecond: z.number(),
  /**
   * Maximum number of the user's withdrawal requests within 24 hours; `withdrawalGapSeconds` is the minimum time
   * between two of them in seconds.
   */
  withdrawalsPerDay: z.int(),
  withdrawalGapSeconds: z.number(),
  /** Total weight of read requests that the user may send per minute on average. */
  readsPerMinute: z.number(),
  openOrdersPerPair: z.int(),
  stopOrdersPerPair: z.int(),
  favorites: z.int(),
  priceAlerts: z.int(),
  /**
   * Maximum number of sessions that the user can have at the same time. A sign-in above this number ends the user's
   * session that has not been used for the longest time.
   */
  sessions: z.int(),
  /** Maximum number of connections of the live feed that are signed in as this user. */
  feedConnections: z.int(),
});

export const userInfo = endpoint({
  path: '/user/info',
  summary:
    'The signed-in user, with the limits of the account (`limits`). `token` and `userId` are accepted and ignored.',
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
    /** Trade password of the demo trader, which all visitors of a demo share; absent for all other accounts. */
    demoTradePassword: z.optional(z.string()),
    idCard: z.string(),
    idCardPhotoPositive: z.string(),
    idCardPhotoReverseSide: z.string(),
    remark: z.string(),
    name: z.string(),
    nickname: z.string(),
    purchase: z.string(),
    googleBind: flagNumber,
    /** Number of passkeys of the account. */
    passkeys: z.int(),
    /**
     * Number of unused recovery codes of the authenticator app; 0 if the account has no authenticator app.
     */
    recoveryLeft: z.int(),
    /** Anti-phishing phrase, which the mails to the account's address contain; empty if the user has set none. */
    antiPhishing: z.string(),
    /** 1 if withdrawals are allowed only to addresses in the address book, otherwise 0. */
    whitelist: flagNumber,
    level: z.int(),
    security: z.int(),
    activity: z.enum(['low', 'medium', 'high']),
    securityLevel: z.enum(['low', 'medium', 'high']),
    /**
     * Time in milliseconds UTC until which withdrawals are on hold, 0 without a hold; `holdReason` is the
     * reason, empty without a hold.
     */
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
    'Mails a code for resetting the login password; the answer never reveals whether the address is known. `challenge` and `solution` are as in `/user/sendEmailCode`.',
  access: ANYONE,
  charge: mail,
  fields: { email, ...workFields },
  data: wait,
});

export const forgetPassword = endpoint({
  path: '/user/forgetPwd',
  summary:
    'Sets a new login password with a mailed code; ends all sessions and puts withdrawals on hold for 24 hours.',
  access: ANYONE,
  charge: signIn,
  fields: { email, ...proof, password, confirmPassword: password },
  data: nothing,
});

export const updatePassword = endpoint({
  path: '/user/updatePwd',
  summary: 'Changes the login password; other sessions end, and withdrawals are on hold for 24 hours.',
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
    'Sets the 6-digit trade password. Changing an existing one requires the old one (`oldAssetsPwd`) and puts withdrawals on hold for 24 hours.',
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
    'Replaces a forgotten or locked trade password, with the login password and a code mailed for the trade password; puts withdrawals on hold for 24 hours.',
  access: { who: 'user', mailCode: 'tradePassword', mailCodeBinds: [] },
  charge: change,
  fields: { ...mailCodeField, password, assetsPwd: sixDigits, confirmAssetsPwd: sixDigits },
  data: nothing,
});

export const getGoogleKey = endpoint({
  path: '/user/getGoogleKey',
  summary:
    'A new key for an authenticator app (RFC 6238), effective once `bindGoogle` has confirmed a code of it. Refused while an authenticator is bound.',
  access: sessionAlone('confirmedLater'),
  charge: change,
  fields: {},
  data: z.object({ key: z.string(), uri: z.string() }),
});

export const bindGoogle = endpoint({
  path: '/user/bindGoogle',
  summary:
    'Binds the authenticator with the key from `getGoogleKey`, with a code of it and a code mailed for `bind`. Returns ten recovery codes, each valid once; they are never shown again.',
  access: { who: 'user', mailCode: 'bind', mailCodeBinds: [] },
  charge: change,
  fields: mailCodeField,
  data: z.object({ recovery: z.array(z.string()) }),
});

export const unbindGoogle = endpoint({
  path: '/user/unbindGoogle',
  summary:
    'Removes the authenticator, with a code of it or a recovery code; puts withdrawals on hold for 24 hours.',
  access: { who: 'user', mailCode: 'bind', mailCodeBinds: [], takesRecoveryCode: true },
  charge: change,
  fields: mailCodeField,
  data: nothing,
});

export const renewRecovery = endpoint({
  path: '/user/renewRecovery',
  summary:
    'Replaces the recovery codes of the authenticator by ten new ones, shown once; requires a code of the authenticator and a code mailed for `bind`. The old codes become invalid.',
  access: { who: 'user', mailCode: 'bind', mailCodeBinds: [] },
  charge: change,
  fields: mailCodeField,
  data: z.object({ recovery: z.array(z.string()) }),
});

const passkeyName = z
  .string('l.field_required')
  .check(
    z.trim(),
    z.minLength(1, 'l.field_required'),
    z.maxLength(PASSKEY_NAME_LENGTH, 'l.field_too_long'),
    z.regex(/^[^\p{C}]*$/u, 'l.field_invalid'),
  );

const passkeyRow = z.object({
  id: z.string(),
  name: z.string(),
  /**
   * Where the passkey is stored. `synced`: in a password manager, which may copy it to several devices; `device`: only
   * on the phone or computer that created it; `key`: on a security key.
   */
  kind: z.enum(['synced', 'device', 'key']),
  createTime: instantMs,
  /** Time in milliseconds UTC of the passkey's last use; 0 if it has never been used. */
  lastTime: z.int(),
});

/**
 * A passkey in a Web Authentication request. Binary values are base64url texts without padding, as in the JSON types of
 * W3C Web Authentication, level 3.
 */
const passkeyDescriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});

/** A Web Authentication request to sign in with a passkey, in the format `PublicKeyCredentialRequestOptionsJSON`. */
const passkeyRequest = z.object({
  challenge: z.string(),
  /** Time in milliseconds after which the browser cancels the request. */
  timeout: z.int(),
  rpId: z.string(),
  allowCredentials: z.array(passkeyDescriptor),
  userVerification: z.literal('required'),
});

export const passkeys = endpoint({
  path: '/user/getPasskeys',
  summary: 'The passkeys of the account, newest first; at most ten.',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: {},
  data: z.object({ list: z.array(passkeyRow) }),
});

export const newPasskey = endpoint({
  path: '/user/newPasskey',
  summary:
    'Options for `navigator.credentials.create()`, valid for five minutes and for this session; `addPasskey` stores the result.',
  access: sessionAlone('confirmedLater'),
  charge: change,
  fields: {},
  data: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    /** The account for which the passkey is created; `id` is a random value, not the account's own ID. */
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    /** Time in milliseconds after which the browser cancels the request. */
    timeout: z.int(),
    excludeCredentials: z.array(passkeyDescriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  }),
});

export const addPasskey = endpoint({
  path: '/user/addPasskey',
  summary:
    'Adds a passkey with the result of `navigator.credentials.create()` (`credential`) and a code mailed for `bind`; other sessions end, and withdrawals are on hold for 24 hours. A repetition with the same `clientId` returns the same passkey.',
  access: { who: 'user', ownAccount: true, mailCode: 'bind', mailCodeBinds: ['name'] },
  charge: change,
  idempotent: true,
  fields: { credential: passkeyText, name: passkeyName, ...mailCodeField },
  data: passkeyRow,
});

export const renamePasskey = endpoint({
  path: '/user/renamePasskey',
  summary: 'Renames a passkey of the account.',
  access: sessionAlone('personalises'),
  charge: change,
  fields: { id, name: passkeyName },
  data: passkeyRow,
});

export const removePasskey = endpoint({
  path: '/user/removePasskey',
  summary:
    'Removes a passkey of the account; other sessions end, and withdrawals are on hold for 24 hours. The last passkey of an account without an authenticator is removed only with `isLast`, because a password and a mailed code protect the account alone afterwards. A repetition with the same `clientId` gets the same answer.',
  access: { who: 'user', ownAccount: true, mailCode: 'bind', mailCodeBinds: ['id', 'isLast'] },
  charge: change,
  idempotent: true,
  fields: { id, isLast: z.optional(flag), ...mailCodeField },
  data: nothing,
});

export const passkeyOptions = endpoint({
  path: '/user/getPasskeyOptions',
  summary:
    'Options for `navigator.credentials.get()` to sign in, valid for five minutes. They are the same for everybody: the device shows the passkeys that it has for this site.',
  access: ANYONE,
  charge: publicRead(1),
  fields: {},
  data: passkeyRequest,
});

export const passkeyLogin = endpoint({
  path: '/user/passkeyLogin',
  summary:
    'Signs in with a passkey alone: the answer of the device to `getPasskeyOptions`. A wrong answer is refused in the same way whether or not the passkey is known.',
  access: ANYONE,
  charge: signIn,
  fields: { passkey: passkeyText, deviceId: z.optional(text(64)) },
  data: z.object({ userId: z.string(), token: z.string(), email: z.string() }),
});

export const confirmWithPasskey = endpoint({
  path: '/user/confirmWithPasskey',
  summary:
    'Options for `navigator.credentials.get()` to confirm one call with a passkey instead of mailed and authenticator codes: `act` is its path below the base and `about` the bound fields, form-encoded, as in `/user/sendEmailCode`. The answer of the device goes into the field `passkey` of that call; it is valid once, for five minutes, in this session and for these values.',
  access: sessionAlone('confirmedLater'),
  charge: change,
  fields: { act: text(64), about: z.optional(text(1_000)) },
  data: passkeyRequest,
});

export const updateEmail = endpoint({
  path: '/user/updateEmail',
  summary:
    'Changes the email address of the account, with codes mailed for `bind` to the current address (`code`) and to the new one (`newCode`); other sessions end, and withdrawals are on hold for 24 hours.',
  access: { who: 'user', tradePassword: true, mailCode: 'bind', mailCodeBinds: ['email'] },
  charge: change,
  fields: { email, newCode: mailedCode, ...tradePasswordField, ...mailCodeField },
  data: nothing,
});

export const setAntiPhishing = endpoint({
  path: '/user/setAntiPhishing',
  summary: 'Sets the phrase of 4 to 20 characters that is included in every mail to the user.',
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
  summary:
    'Freezes the caller’s account: all sessions end, and nothing can be withdrawn until customer service unfreezes it.',
  access: sessionAlone('endsAccess'),
  charge: leaving,
  fields: { reason: z.optional(text(200)) },
  data: nothing,
});

export const freezeByLink = endpoint({
  path: '/user/freezeByLink',
  summary:
    'Freezes the account that a mail refers to, with the token from the link in the mail; valid for a week.',
  access: ANYONE,
  charge: signIn,
  fields: { token: text(160) },
  data: nothing,
});

export const updateProfile = endpoint({
  path: '/user/updateProfile',
  summary:
    'Sets the nickname (a letter, then 7 to 24 letters or digits), a remark (a blank one clears it), the picture (`icon`, the id of an uploaded file) and the language.',
  access: sessionAlone('personalises'),
  charge: change,
  fields: {
    nickname: z.optional(text(25)),
    remark: z.optional(keepCompatibilityForms(z.string().check(z.maxLength(100, 'l.field_too_long')))),
    icon: z.optional(id),
    lang: z.optional(z.enum(LOCALES)),
  },
  data: nothing,
});

export const sessions = endpoint({
  path: '/user/getSessions',
  summary: 'The user’s active sessions.',
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
        /**
         * How the user signed in to start the session: `passkey` with a passkey, with or without the password;
         * `password` in any other way, usually with password and email code.
         */
        method: signInMethod,
        current: flagNumber,
      }),
    ),
  }),
});

export const revokeSession = endpoint({
  path: '/user/revokeSession',
  summary: 'Ends one of the caller’s sessions.',
  access: sessionAlone('endsAccess'),
  charge: leaving,
  fields: { id },
  data: nothing,
});

export const revokeOtherSessions = endpoint({
  path: '/user/revokeOtherSessions',
  summary: 'Ends all sessions of the caller except the current one, and returns their number.',
  access: sessionAlone('endsAccess'),
  charge: leaving,
  fields: {},
  data: z.object({ count: z.int() }),
});

export const loginRecords = endpoint({
  path: '/user/getLoginRecord',
  summary: 'Sign-ins and failed attempts of the caller’s account, newest first.',
  access: sessionAlone('reads'),
  charge: signedInRead(),
  fields: pagingFields,
  data: pageOf(
    z.object({
      id: z.string(),
      kind: z.string(),
      /** How the user tried to sign in: with the password (`password`) or with a passkey (`passkey`). */
      method: signInMethod,
      device: z.string(),
      address: z.string(),
      createTime: instantMs,
    }),
  ),
});
