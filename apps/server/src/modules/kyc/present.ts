import { KYC_RULES, kycOwnerReasons, levelLimits, type KycReason } from '@exchange/core/kyc.ts';
import { fillWords, type Locale } from '@exchange/core/locale.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { getVerify } from '@exchange/wire/kyc.ts';
import { KYC_REASON_WORDS } from '@exchange/wire/words/kyc.ts';
import { nextSubmission } from './domain.ts';
import type { VerificationState } from './service.ts';

export function presentVerification(
  standing: VerificationState,
  pretends: boolean,
): DataOf<typeof getVerify> {
  const { status, lastSubmission, masked, fields, limits } = standing;
  const nextAt = nextSubmission(lastSubmission);
  const verified = levelLimits(2);
  return {
    status,
    name: masked?.name ?? '',
    idCard: masked?.idCard ?? '',
    country: lastSubmission?.country ?? '',
    reasons: [...kycOwnerReasons(lastSubmission?.reasons ?? [])],
    note: lastSubmission?.note ?? '',
    fields: [...fields],
    ...(lastSubmission === undefined ? {} : { submitTime: lastSubmission.submittedAt }),
    ...(lastSubmission?.decidedAt === undefined ? {} : { decideTime: lastSubmission.decidedAt }),
    ...(nextAt === undefined ? {} : { nextTime: nextAt }),
    level: limits.level,
    limits: { day: limits.day.toString(), month: limits.month.toString() },
    verifiedLimits: { day: verified.day.toString(), month: verified.month.toString() },
    photosKeptDays: KYC_RULES.photosKeptDays,
    pretended: pretends ? 1 : 0,
  };
}

const CLOSING: Readonly<Record<Locale, string>> = {
  'en-US':
    'We never ask for documents by email or chat: upload them nowhere but on the Amethyst site. This email contains no links.\n\nAmethyst',
  'zh-CN': '我们绝不会通过邮件或聊天索要证件，请仅在 Amethyst 网站上传。本邮件不含任何链接。\n\nAmethyst',
  'ko-KR':
    '당사는 이메일이나 채팅으로 서류를 요구하지 않습니다. Amethyst 사이트에서만 업로드하세요. 이 이메일에는 링크가 없습니다.\n\nAmethyst',
  'ja-JP':
    '当社がメールやチャットで書類の提出をお願いすることはありません。Amethystのサイト以外ではアップロードしないでください。このメールにリンクは含まれません。\n\nAmethyst',
};
const NOTE: Readonly<Record<Locale, string>> = {
  'en-US': 'Note: {{note}}',
  'zh-CN': '备注：{{note}}',
  'ko-KR': '심사 담당자 메모: {{note}}',
  'ja-JP': '審査担当者からのコメント：{{note}}',
};

/**
 * Text of the mail about a decision: the text of the inbox message and, for a rejection, the reasons that the owner may
 * see and the reviewer's note.
 */
export function decisionText(
  locale: Locale,
  content: string,
  { reasons, note }: { readonly reasons: readonly KycReason[]; readonly note: string },
): string {
  const lines = [
    content,
    ...(reasons.length === 0
      ? []
      : [
          kycOwnerReasons(reasons)
            .map((reason) => `· ${KYC_REASON_WORDS[locale][reason]}`)
            .join('\n'),
        ]),
    ...(note === '' ? [] : [fillWords(NOTE[locale], { note }, locale)]),
    CLOSING[locale],
  ];
  return `${lines.join('\n\n')}\n`;
}
