import { KYC_RULES, levelLimits } from '@exchange/core/kyc.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { getVerify } from '@exchange/wire/kyc.ts';
import { nextSubmission } from './domain.ts';
import type { Standing } from './service.ts';

export function presentStanding(standing: Standing, pretends: boolean): DataOf<typeof getVerify> {
  const { status, last, shown, fields, limits } = standing;
  const next = nextSubmission(last);
  const verified = levelLimits(2);
  return {
    ...{ status, name: shown?.name ?? '', idCard: shown?.idCard ?? '', country: last?.country ?? '' },
    ...{ reasons: [...(last?.reasons ?? [])], note: last?.note ?? '', fields: [...fields] },
    ...(last === undefined ? {} : { submitTime: last.submittedAt }),
    ...(last?.decidedAt === undefined ? {} : { decideTime: last.decidedAt }),
    ...(next === undefined ? {} : { nextTime: next }),
    level: limits.level,
    limits: { day: limits.day.toString(), month: limits.month.toString() },
    verifiedLimits: { day: verified.day.toString(), month: verified.month.toString() },
    ...{ photosKeptDays: KYC_RULES.photosKeptDays, pretended: pretends ? 1 : 0 },
  };
}
