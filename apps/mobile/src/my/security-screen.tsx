import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { useIsAtSubAccounts } from '@exchange/web-kit/user/sub-account-path.ts';
import { SecurityCentre } from '@exchange/web-kit/user/security-centre.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import { MenuLink } from './menu-row.tsx';
import css from './my.module.css';

const LINKS = {
  loginPassword: paths.modify,
  identity: paths.verify,
  whitelist: paths.address,
  login: paths.login,
};

const SubAccounts = lazyPart('sub-accounts', () => import('@exchange/web-kit/user/sub-accounts.tsx'));

/** The security screen; or, depending on the URL, the user's sub-accounts. */
export default function SecurityScreen() {
  const tSub = useWords('subaccount');
  return useIsAtSubAccounts() ? (
    <Screen title={tSub('title')} parent={paths.security}>
      <div className={css.centre}>
        <SubAccounts Frame={Sheet} />
      </div>
    </Screen>
  ) : (
    <Security />
  );
}

function Security() {
  const t = useWords('settings');
  return (
    <Screen title={t('title')} parent={paths.my}>
      <div data-in-order>
        <div className={css.centre}>
          <SecurityCentre Frame={Sheet} links={LINKS} />
        </div>
        <section className={css.group}>
          <MenuLink to={paths.devices} label={t('devices')} />
        </section>
      </div>
    </Screen>
  );
}
