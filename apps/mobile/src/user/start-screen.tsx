import { Decimal } from '@exchange/core/decimal.ts';
import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { useFaucet } from '@exchange/web-kit/account/use-faucet.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
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
  const info = useUserInfo();
  const overview = useOverview();
  const fills = useFills();
  const progress = {
    isFunded: Decimal.parse(overview.data?.total ?? '0').isPositive(),
    hasTraded: fills.rows.length > 0,
    isProtected: info.data?.googleBind === 1,
    isVerified: info.data?.kycStatus === VERIFIED,
  };
  return (
    <Screen title={t('title')} parent={paths.my}>
      <ListBody
        isLoading={overview.isPending || fills.isLoading || info.isPending}
        error={overview.error ?? fills.error ?? info.error}
        onRetry={() => void Promise.all([overview.refetch(), fills.reload(), info.refetch()])}
        look="cards"
      >
        <GuidedStart
          progress={progress}
          faucet={isDemo ? faucet : undefined}
          to={{
            ...{ deposit: paths.deposit, trade: paths.trade },
            ...{ security: paths.security, verify: paths.verify },
          }}
        />
      </ListBody>
      <ButtonLink look="secondary" wide to={paths.home}>
        {t('skip')}
      </ButtonLink>
    </Screen>
  );
}
