import type { Locale } from '@exchange/core/locale.ts';
import { mailSubject } from '../../../platform/mail/subject.ts';
import type { MessageWords } from '../domain.ts';

const CHOICE: Readonly<Record<Locale, string>> = {
  'en-US': 'To choose which messages are also emailed, go to Messages, then Message settings.',
  'zh-CN': '您可以在“消息”-“消息设置”中选择哪些消息同时发送邮件。',
  'ko-KR': '어떤 메시지를 이메일로도 받을지는 ‘메시지 > 메시지 설정’에서 선택할 수 있습니다.',
  'ja-JP': 'メールでも受け取るメッセージは、「メッセージ」の「メッセージ設定」で選べます。',
};
const CLOSING: Readonly<Record<Locale, string>> = {
  'en-US':
    'We never ask for your password or a code by email, phone, or chat. This email contains no links.\n\nAmethyst',
  'zh-CN': '我们绝不会通过邮件、电话或聊天索要您的密码或验证码。本邮件不含任何链接。\n\nAmethyst',
  'ko-KR':
    '당사는 이메일, 전화, 채팅으로 비밀번호나 인증 코드를 요구하지 않습니다. 이 이메일에는 링크가 없습니다.\n\nAmethyst',
  'ja-JP':
    '当社がメール・電話・チャットでパスワードや認証コードをお尋ねすることはありません。このメールにリンクは含まれません。\n\nAmethyst',
};

interface WrittenMail {
  readonly subject: string;
  readonly text: string;
}

/**
 * The mail of a message whose mails users can switch off. After the text of the message it names the settings page on
 * which they can.
 */
export function messageMail(locale: Locale, words: MessageWords): WrittenMail {
  return composeMail(locale, words, [CHOICE[locale]]);
}

/**
 * The mail of a message whose mails users cannot switch off; it contains the text of the message without a link to
 * settings.
 */
export function mandatoryMail(locale: Locale, words: MessageWords): WrittenMail {
  return composeMail(locale, words, []);
}

function composeMail(
  locale: Locale,
  { title, content }: MessageWords,
  extraLines: readonly string[],
): WrittenMail {
  const text = [content, ...extraLines, CLOSING[locale]].join('\n\n');
  return { subject: mailSubject(locale, title), text: `${text}\n` };
}
