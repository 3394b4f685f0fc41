import { refusal, type Refusal } from '@exchange/core/refusal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/** What a code proves the address for. `reset` is the forgotten password: it opens nothing else. */
export type Purpose =
  'register' | 'login' | 'bind' | 'withdraw' | 'address' | 'tradePassword' | 'password' | 'reset';

export const CODE_RULES = {
  digits: 6,
  validMs: 10 * MINUTE_MS,
  tries: 5,
  /** Seconds until the next one to the same address. */
  waitS: 60,
  perAddressHour: 5,
  perAddressDay: 10,
  perOriginHour: 20,
  everybodyHour: 1_000,
  ticketMs: 10 * MINUTE_MS,
} as const;

/** The codes asked for so far. */
export interface AskedCodes {
  /** When this address asked, newest first, within a day. */
  readonly byAddress: readonly Instant[];
  readonly byOriginLastHour: number;
  readonly byEverybodyLastHour: number;
}

/** Why no code is sent now, or undefined. The same for addresses we know and those we do not. */
export function codeProblem(asked: AskedCodes, now: Instant): Refusal | undefined {
  const [newest] = asked.byAddress;
  if (newest !== undefined && now - newest < CODE_RULES.waitS * SECOND_MS) {
    const seconds = Math.ceil((newest + CODE_RULES.waitS * SECOND_MS - now) / SECOND_MS);
    return refusal('rateLimited', 'l.code_wait', { seconds: String(seconds) });
  }
  const lastHour = asked.byAddress.filter((at) => now - at < HOUR_MS).length;
  const lastDay = asked.byAddress.filter((at) => now - at < DAY_MS).length;
  if (
    lastHour >= CODE_RULES.perAddressHour ||
    lastDay >= CODE_RULES.perAddressDay ||
    asked.byOriginLastHour >= CODE_RULES.perOriginHour ||
    asked.byEverybodyLastHour >= CODE_RULES.everybodyHour
  ) {
    return refusal('rateLimited', 'l.code_budget');
  }
  return undefined;
}
