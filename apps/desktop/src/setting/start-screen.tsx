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
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';

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
    <SettingFrame
      title={t('title')}
      end={
        <ButtonLink look="secondary" size="s" to={paths.home}>
          {t('skip')}
        </ButtonLink>
      }
    >
      <section className={classes.card}>
        <GuidedStart
          progress={progress}
          faucet={isDemo ? faucet : undefined}
          to={{
            ...{ deposit: paths.account.deposit, trade: paths.trade },
            ...{ security: paths.setting.security, verify: paths.setting.verify },
          }}
        />
      </section>
    </SettingFrame>
  );
}
