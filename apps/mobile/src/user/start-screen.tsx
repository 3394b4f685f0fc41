import { Decimal } from '@exchange/core/decimal.ts';
import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { useFaucet } from '@exchange/web-kit/account/use-faucet.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useFills } from '@exchange/web-kit/spot/queries.ts';
import { GuidedStart } from '@exchange/web-kit/start/guided-start.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';

const VERIFIED = 2;

/** What somebody new does first; one lands here after signing up. */
export default function StartScreen() {
  const t = useWords('start');
  const isDemo = useIsDemo();
  const faucet = useFaucet();
  const info = useUserInfo().data;
  const total = useOverview().data?.total;
  const progress = {
    isFunded: total !== undefined && Decimal.parse(total).isPositive(),
    hasTraded: useFills().rows.length > 0,
    isProtected: info?.googleBind === 1,
    isVerified: info?.kycStatus === VERIFIED,
  };
  return (
    <Screen title={t('title')} parent={paths.my}>
      <GuidedStart
        progress={progress}
        faucet={isDemo ? faucet : undefined}
        to={{
          ...{ deposit: paths.deposit, trade: paths.trade },
          ...{ security: paths.security, verify: paths.verify },
        }}
      />
      <ButtonLink look="secondary" wide to={paths.home}>
        {t('skip')}
      </ButtonLink>
    </Screen>
  );
}
