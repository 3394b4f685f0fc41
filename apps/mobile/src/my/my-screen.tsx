import { maskEmail } from '@exchange/core/mask.ts';
import { LOCALE_NAMES, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useAlerts } from '@exchange/web-kit/market/alerts.ts';
import { useUnreadCount } from '@exchange/web-kit/message/unread-count.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { isStartDone } from '@exchange/web-kit/start/start-done.ts';
import { useColourScheme } from '@exchange/web-kit/theme/theme.tsx';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Badge, Count } from '@exchange/web-kit/ui/parts.tsx';
import { useSignOut } from '@exchange/web-kit/user/sign-out.ts';
import { Avatar } from '@exchange/web-kit/user/profile.tsx';
import { useUserInfo } from '@exchange/web-kit/user/queries.ts';
import {
  Bell,
  BellRing,
  BookUser,
  ChartPie,
  Gift,
  Info,
  Languages,
  ListChecks,
  MessageSquareText,
  Palette,
  Pickaxe,
  PiggyBank,
  ReceiptText,
  Rocket,
  ShieldCheck,
  UserRoundCheck,
} from 'lucide-react';
import { useState } from 'react';
import { paths } from '@exchange/web-kit/paths.ts';
import { TabBar } from '../shell/screen.tsx';
import { SupportButton } from '../shell/support-button.tsx';
import { MenuButton, MenuLink } from './menu-row.tsx';
import css from './my.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const PreferencesSheet = lazyPart('preferences-sheet', () => import('../shell/preferences.tsx'), {
  whenMissing: 'dialog',
});
const IDENTITY_WORDS = ['identity0', 'identity1', 'identity2', 'identity3'] as const;
const THEME_WORDS = { system: 'themeSystem', dark: 'themeDark', light: 'themeLight' } as const;

/** Menu screen of the signed-in user: profile, security, preferences and records, with a logout button. */
export default function MyScreen() {
  const t = useWords('settings');
  const shell = useWords('shell');
  const messages = useWords('messages');
  const wallet = useWords('transfer');
  const locale = useLocale();
  const { choice } = useColourScheme();
  const info = useUserInfo().data;
  const identity = info?.kycStatus ?? 0;
  const [isOpen, setOpen] = useState(false);
  const userId = useSession(({ session }) => session?.userId ?? '');
  return (
    <>
      <TabBar title={shell('navMy')} end={<SupportButton />} />
      <main className={css.page}>
        <Profile />
        {isStartDone(userId) ? null : (
          <section className={css.group}>
            <MenuLink Icon={ListChecks} to={paths.start} label={shell('getStarted')} />
          </section>
        )}
        <section className={css.group}>
          <MenuLink Icon={ShieldCheck} to={paths.security} label={t('title')} />
          <MenuLink
            Icon={UserRoundCheck}
            to={paths.verify}
            label={t('identity')}
            end={t(IDENTITY_WORDS[identity] ?? 'identity0')}
          />
          <MenuLink Icon={BookUser} to={paths.address} label={wallet('addressTitle')} />
        </section>
        <Records />
        <section className={css.group}>
          <MenuButton
            Icon={Languages}
            label={t('language')}
            end={LOCALE_NAMES[locale]}
            onPress={() => setOpen(true)}
          />
          <MenuButton
            Icon={Palette}
            label={t('theme')}
            end={shell(THEME_WORDS[choice])}
            onPress={() => setOpen(true)}
          />
          <MenuLink Icon={MessageSquareText} to={paths.messageSettings} label={messages('settings')} />
          <MenuLink Icon={Info} to={paths.about} label={t('about')} />
        </section>
        <LogoutButton />
        <>{isOpen ? <PreferencesSheet isOpen onClose={() => setOpen(false)} /> : null}</>
      </main>
    </>
  );
}

/** Menu rows that link to the inbox, invitations, orders, the records of the products, and price alerts. */
function Records() {
  const shell = useWords('shell');
  const alerts = useWords('alerts');
  const finance = useWords('finance');
  const mining = useWords('mining');
  const fund = useWords('fund');
  const subscription = useWords('subscription');
  const invite = useWords('invite');
  const watching = useAlerts().data?.list.length ?? 0;
  const unread = useUnreadCount();
  return (
    <section className={css.group}>
      <MenuLink Icon={Bell} to={paths.messages} label={shell('messages')} end={<Count value={unread} />} />
      <MenuLink Icon={Gift} to={paths.invite} label={invite('title')} />
      <MenuLink Icon={ReceiptText} to={paths.records} label={shell('orders')} />
      <MenuLink Icon={PiggyBank} to={paths.financeRecord} label={finance('records')} />
      <MenuLink Icon={Pickaxe} to={paths.miningRecord} label={mining('records')} />
      <MenuLink Icon={ChartPie} to={paths.fundRecord} label={fund('records')} />
      <MenuLink Icon={Rocket} to={paths.subscribeRecord} label={subscription('records')} />
      <MenuLink
        Icon={BellRing}
        to={paths.alerts}
        label={alerts('title')}
        end={watching === 0 ? null : watching}
      />
    </section>
  );
}

function Profile() {
  const t = useWords('settings');
  const session = useSession((state) => state.session);
  const info = useUserInfo().data;
  const email = info?.email ?? session?.email ?? '';
  return (
    <section className={css.profile}>
      <Avatar info={{ icon: info?.icon ?? '', nickname: info?.nickname ?? '', email }} />
      <div>
        <h2 className={css.email}>{info?.nickname || maskEmail(email)}</h2>
        <p className={css.uid}>
          {t('uid')} {info?.uid ?? '–'}
        </p>
      </div>
      {info === undefined ? null : (
        <Badge tone={info.securityLevel === 'low' ? 'warning' : 'good'}>
          {t('securityLevelIs', { level: t(info.securityLevel) })}
        </Badge>
      )}
    </section>
  );
}

function LogoutButton() {
  const t = useWords('shell');
  const signOut = useSignOut(paths.login);
  return (
    <Button look="secondary" size="l" wide onClick={signOut}>
      {t('logout')}
    </Button>
  );
}
