import { serverNow } from '../clock.ts';
import { formatTime } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { holdSentence, useUserInfo, VERIFIED } from './queries.ts';

interface BarLinks {
  readonly verify: string;
  readonly tradePassword: string;
}

interface WithdrawalBar {
  readonly key: string;
  readonly text: string;
  readonly until?: number;
  readonly way?: { readonly to: string; readonly label: string };
}

/**
 * The reasons that prevent the signed-in user from withdrawing: missing steps, each with a link, and a hold with its
 * end. Empty while the user's data is loading.
 */
export function useWithdrawalObstacles({ verify, tradePassword }: BarLinks): readonly WithdrawalBar[] {
  const t = useWords('transfer');
  const settings = useWords('settings');
  const locale = useLocale();
  const info = useUserInfo().data;
  if (info === undefined) return [];
  const bars: WithdrawalBar[] = [];
  if (info.kycStatus !== VERIFIED)
    bars.push({
      key: 'identity',
      text: t('needsVerification'),
      way: { to: verify, label: t('toVerification') },
    });
  if (info.assetsPwd !== 1)
    bars.push({
      key: 'password',
      text: t('needsPassword'),
      way: { to: tradePassword, label: t('toPassword') },
    });
  if (info.holdUntil > serverNow())
    bars.push({
      key: 'hold',
      text: settings(holdSentence(info), { time: formatTime(info.holdUntil, locale) }),
      until: info.holdUntil,
    });
  return bars;
}
