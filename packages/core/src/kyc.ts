import { Decimal } from './decimal.ts';
import { refusal, type Refusal } from './refusal.ts';

/** Rules of identity verification that screens and server share. */

/**
 * Values of the field `kycStatus` in API responses: the state of a user's identity verification as a number.
 */
export const KYC_STATUS = { none: 0, reviewing: 1, verified: 2, rejected: 3 } as const;
export type KycStatus = (typeof KYC_STATUS)[keyof typeof KYC_STATUS];

export const KYC_FIELDS = [
  'name',
  'country',
  'idCard',
  'idCardPhotoPositive',
  'idCardPhotoReverseSide',
] as const;
export type KycField = (typeof KYC_FIELDS)[number];

/**
 * Reasons for which operators reject an identity verification, each with the fields that the user's new submission must
 * contain. The user sees the corresponding reasons of `kycOwnerReasons`.
 */
export const KYC_REASONS = {
  unreadable: ['idCardPhotoPositive', 'idCardPhotoReverseSide'],
  frontUnreadable: ['idCardPhotoPositive'],
  backUnreadable: ['idCardPhotoReverseSide'],
  sameSide: ['idCardPhotoReverseSide'],
  notADocument: ['idCardPhotoPositive', 'idCardPhotoReverseSide'],
  expired: ['idCardPhotoPositive', 'idCardPhotoReverseSide'],
  altered: ['idCardPhotoPositive', 'idCardPhotoReverseSide'],
  nameDiffers: ['name'],
  numberDiffers: ['idCard'],
  countryDiffers: ['country', 'idCard'],
  usedElsewhere: ['idCard', 'idCardPhotoPositive', 'idCardPhotoReverseSide'],
  underage: ['name', 'idCard', 'idCardPhotoPositive', 'idCardPhotoReverseSide'],
  sanctions: KYC_FIELDS,
  risk: KYC_FIELDS,
} as const satisfies Readonly<Record<string, readonly KycField[]>>;
export type KycReason = keyof typeof KYC_REASONS;

/**
 * Reasons that only operators see. For both of them the user sees `review`, which does not reveal which one applies.
 */
export const INTERNAL_KYC_REASONS = ['sanctions', 'risk'] as const satisfies readonly KycReason[];
type InternalKycReason = (typeof INTERNAL_KYC_REASONS)[number];

/** Reasons for a rejection that users can see. `review` replaces the internal reasons. */
export type KycOwnerReason = Exclude<KycReason, InternalKycReason> | 'review';
export const KYC_OWNER_REASONS: readonly KycOwnerReason[] = [
  ...(Object.keys(KYC_REASONS) as KycReason[]).filter((reason) => !isInternalKycReason(reason)),
  'review',
];

/**
 * Returns whether a reason is internal, i.e. must not be revealed to the user, because revealing a sanctions match
 * would be tipping off.
 */
export function isInternalKycReason(reason: KycReason): reason is InternalKycReason {
  return INTERNAL_KYC_REASONS.some((internal) => internal === reason);
}

/** Returns the reasons that the user sees: only `review` if any of the reasons is internal, otherwise all of them. */
export function kycOwnerReasons(reasons: readonly KycReason[]): readonly KycOwnerReason[] {
  const visible = reasons.flatMap((reason) => (isInternalKycReason(reason) ? [] : [reason]));
  return visible.length < reasons.length ? ['review'] : visible;
}

export const KYC_RULES = {
  submissionsPerDay: 5,
  waitAfterRejectionMs: 10 * 60_000,
  /**
   * Number of days after the decision on a submission until its photos are erased, except those that a newer
   * submission uses.
   */
  photosKeptDays: 180,
  nameMax: 80,
} as const;

/**
 * Maximum sum of a user's withdrawals in any 24 hours by verification level, in USDT. The limit for any 30 days is
 * fifteen times as much. Verified users have level 2, all others level 0. No user has level 1.
 */
const DAY_LIMITS: Readonly<Record<KycLevel, Decimal>> = {
  0: Decimal.zero,
  1: Decimal.parse('2000'),
  2: Decimal.parse('50000'),
};
const MONTH = Decimal.parse('15');
export type KycLevel = 0 | 1 | 2;

/**
 * Returns the limits of a user's withdrawals at a verification level in USDT: `day` for any 24 hours, `month` for any
 * 30 days.
 */
export function levelLimits(level: KycLevel): { readonly day: Decimal; readonly month: Decimal } {
  const day = DAY_LIMITS[level];
  return { day, month: day.times(MONTH, 'down') };
}

/**
 * Returns the fields that a user must submit again after a rejection for these reasons. Without a reason all fields are
 * required.
 */
export function requiredFields(reasons: readonly KycReason[]): readonly KycField[] {
  if (reasons.length === 0) return KYC_FIELDS;
  const required = new Set<KycField>(reasons.flatMap((reason): readonly KycField[] => KYC_REASONS[reason]));
  return KYC_FIELDS.filter((field) => required.has(field));
}

const LETTERS = /\p{L}/gu;
/**
 * Matches a name that begins with a letter and consists of letters, spaces, and the punctuation that occurs
 * in names in documents: `Ravi A/L Muthu`, `Lim @ Lin`, `Marie-Ange (née Roy)`, `阿布都·买买提`.
 */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M} .,'‘’`´/@()·‧・•‐–-]*$/u;

/**
 * Returns a name in the form in which it is stored and compared: Unicode NFKC with single spaces, and none at its ends.
 */
export function personName(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Zs}+/gu, ' ')
    .trim();
}

/**
 * Returns a refusal if the name is empty or too long, has fewer than two letters, does not begin with a letter, or
 * contains anything but letters of any script, spaces and the punctuation of names. Otherwise returns undefined.
 */
export function nameProblem(name: string): Refusal | undefined {
  const text = personName(name);
  const field = 'name';
  if (text === '') return refusal('invalidField', 'l.kyc_name_required', { field });
  if (text.length > KYC_RULES.nameMax)
    return refusal('invalidField', 'l.field_too_long', { field, limit: String(KYC_RULES.nameMax) });
  const letters = text.match(LETTERS)?.length ?? 0;
  if (letters < 2 || !NAME.test(text)) return refusal('invalidField', 'l.kyc_name_format', { field });
  return undefined;
}

/**
 * Returns a document number in the form in which it is stored: Unicode NFKC, without spaces, in capitals, and with
 * hyphens in place of other dashes.
 */
export function documentNumber(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\s/gu, '')
    .replaceAll(/[‐‑‒–—―−－]/gu, '-')
    .toUpperCase();
}

/**
 * Matches a document number in its stored form: 5 to 24 capital letters from A to Z, digits and hyphens, of
 * which at least five are letters or digits.
 */
const DOCUMENT = /^(?=(?:-*[A-Z0-9]){5})[A-Z0-9-]{5,24}$/;

/**
 * Returns a refusal if the number cannot be the number of a document of the country; otherwise undefined. For China the
 * check digit and the birthday in the number are verified.
 */
export function documentProblem(country: string, number: string): Refusal | undefined {
  const text = documentNumber(number);
  const field = 'idCard';
  if (text === '') return refusal('invalidField', 'l.kyc_number_required', { field });
  if (country !== 'CN')
    return DOCUMENT.test(text) ? undefined : refusal('invalidField', 'l.kyc_number_format', { field });
  if (!/^\d{17}[\dX]$/.test(text))
    return refusal('invalidField', 'l.kyc_number_cn_length', {
      field,
      limit: '18',
      value: String(text.length),
    });
  if (!isDate(text.slice(6, 14))) return refusal('invalidField', 'l.kyc_number_cn_date', { field });
  return checkDigit(text) === text.charAt(17)
    ? undefined
    : refusal('invalidField', 'l.kyc_number_cn_check', { field });
}

/**
 * Computes the check digit of a Chinese identity number by ISO 7064 MOD 11-2 (GB 11643): the weights of the digits
 * are 2^(17 − position) modulo 11, and the first digit has position 0.
 */
function checkDigit(number: string): string {
  let sum = 0;
  for (let index = 0; index < 17; index += 1) sum = (sum + digitsAt(number, index, 1)) * 2;
  return '0123456789X'.charAt((12 - (sum % 11)) % 11);
}

function isDate(digits: string): boolean {
  const [year, month, day] = [digitsAt(digits, 0, 4), digitsAt(digits, 4, 2), digitsAt(digits, 6, 2)];
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function digitsAt(text: string, from: number, count: number): number {
  let number = 0;
  for (let at = from; at < from + count; at += 1) number = number * 10 + text.charCodeAt(at) - 48;
  return number;
}

/** Country codes of ISO 3166-1 alpha-2 without twelve of remote territories, such as AQ, and with XK for Kosovo. */
export const COUNTRIES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA ' +
  'CD CF CG CH CI CK CL CM CN CO CR CU CV CW CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA ' +
  'GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE ' +
  'KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR ' +
  'MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO ' +
  'RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV ' +
  'TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ');

export function countryProblem(country: string): Refusal | undefined {
  return COUNTRIES.includes(country)
    ? undefined
    : refusal('invalidField', 'l.kyc_country_required', { field: 'country' });
}

/** Masks a name for display: returns its first letter and three asterisks. */
export function maskName(name: string): string {
  return `${/^./u.exec(name)?.[0] ?? ''}***`;
}

/** Masks a document number for display: returns its first two and last two characters, with asterisks between them. */
export function maskDocument(number: string): string {
  return `${number.slice(0, 2)}${'*'.repeat(Math.max(3, number.length - 4))}${number.slice(-2)}`;
}
