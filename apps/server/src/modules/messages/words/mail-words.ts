import type { Locale } from '@exchange/core/locale.ts';
import type { Message } from '../domain.ts';
import { messageWords } from './message-words.ts';

const CLOSING: Readonly<Record<Locale, string>> = {
  'en-US':
    'To choose which messages are also emailed, go to Messages, then Message settings.\n\nWe never ask for your password or a code by email, phone, or chat. This email contains no links.\n\nAmethyst',
  'zh-CN':
    '您可以在“消息”-“消息设置”中选择哪些消息同时发送邮件。\n\n我们绝不会通过邮件、电话或聊天索要您的密码或验证码。本邮件不含任何链接。\n\nAmethyst',
  'ko-KR':
    '어떤 메시지를 이메일로도 받을지는 ‘메시지 > 메시지 설정’에서 선택할 수 있습니다.\n\n당사는 이메일, 전화, 채팅으로 비밀번호나 인증 코드를 요구하지 않습니다. 이 이메일에는 링크가 없습니다.\n\nAmethyst',
  'ja-JP':
    'メールでも受け取るメッセージは、「メッセージ」の「メッセージ設定」で選べます。\n\n当社がメール・電話・チャットでパスワードや認証コードをお尋ねすることはありません。このメールにリンクは含まれません。\n\nAmethyst',
};

/** A message as an email in its reader's language. */
export function messageMail(
  locale: Locale,
  { kind, parameters }: Message,
): { subject: string; text: string } {
  const { title, content } = messageWords(locale, kind, parameters);
  return { subject: `Amethyst: ${title}`, text: `${content}\n\n${CLOSING[locale]}\n` };
}
