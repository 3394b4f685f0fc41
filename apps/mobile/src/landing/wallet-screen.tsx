import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useLocation } from 'react-router';
import { ClaimButton } from '../assets/claim-button.tsx';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './landing.module.css';
import { Notice, Points, Steps } from './parts.tsx';

const SCREENS = {
  [paths.deposit]: { name: 'deposit', closed: 'notOpenText' },
  [paths.withdraw]: { name: 'withdraw', closed: 'notOpenText' },
  [paths.address]: { name: 'address', closed: 'addressNotOpen' },
} as const;

/** Deposits, withdrawals and addresses on an exchange that is not connected to any chain. */
export default function WalletScreen() {
  const t = useWords('wallet');
  const isDemo = useIsDemo();
  const { pathname } = useLocation();
  const { name, closed } = SCREENS[pathname as keyof typeof SCREENS] ?? SCREENS[paths.deposit];
  const canClaim = isDemo && name === 'deposit';
  return (
    <Screen title={t(`${name}Title`)} parent={paths.assets}>
      <p className={css.lead}>{t(`${name}Lead`)}</p>
      <Notice
        title={t('notOpen')}
        text={t(canClaim ? 'notOpenDemo' : closed)}
        action={
          canClaim ? (
            <ClaimButton />
          ) : (
            <ButtonLink to={paths.trade} size="s">
              {t('toTrade')}
            </ButtonLink>
          )
        }
      />
      <Steps
        heading={t('howItWorks')}
        steps={([1, 2, 3] as const).map((step) => ({
          title: t(`${name}Step${step}`),
          text: t(`${name}Step${step}Text`),
        }))}
      />
      <Points heading={t('keyTerms')} points={([1, 2] as const).map((term) => t(`${name}Term${term}`))} />
    </Screen>
  );
}
