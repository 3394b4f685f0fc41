import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { useFaucet } from '@exchange/web-kit/account/use-faucet.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useFills } from '@exchange/web-kit/spot/queries.ts';
import { GuidedStart } from '@exchange/web-kit/start/guided-start.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import { FIRST_TRADE } from '@exchange/web-kit/market/trade-paths.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import classes from './setting.module.css';
import { SettingFrame } from './setting-frame.tsx';

/**
 * Screen with the first steps of a new user, such as a deposit. It opens after the registration; the account menu and
 * the home page link to it until the user has completed all steps.
 */
export default function StartScreen() {
  const t = useWords('start');
  const isDemo = useIsDemo();
  const faucet = useFaucet();
  const account = { overview: useOverview(), fills: useFills(), info: useUserInfo() };
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
          account={account}
          faucet={isDemo ? faucet : undefined}
          to={{
            deposit: paths.deposit,
            trade: FIRST_TRADE,
            security: paths.security,
            verify: paths.verify,
          }}
        />
      </section>
    </SettingFrame>
  );
}
