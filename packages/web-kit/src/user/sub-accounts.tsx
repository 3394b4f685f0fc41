import { Decimal } from '@exchange/core/decimal.ts';
import { Archive, ArrowLeft, ArrowLeftRight, Bot, Pencil, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useBalancesVisible } from '../balance/balances-visible.ts';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { lazyPart } from '../part/lazy-part.tsx';
import { paths } from '../paths.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Badge, Banner, EmptyState } from '../ui/parts.tsx';
import { useUserInfo, type UserInfo } from './queries.ts';
import type { PanelFrame } from './security-centre.tsx';
import { useSubAccounts, type SubAccount, type SubAccountList } from './sub-account-actions.ts';
import { ArchiveForm, NamingForm, TransferForm, TransferHistory } from './sub-account-forms.tsx';
import css from './sub-accounts.module.css';

const KeyPanel = lazyPart('panel', () => import('./security-panel.tsx'), { whenMissing: 'dialog' });
/** Maximum number of coins that the row of a sub-account shows; for further coins only their number is shown. */
const COINS_SHOWN = 3;

interface SubAccountsProps {
  readonly Frame: PanelFrame;
  /** True if the list itself shows a link back to the security screen. */
  readonly hasBack?: boolean;
}

/** Which dialog or sheet is open over the list of sub-accounts, and for which sub-account. */
type Opened =
  | { readonly is: 'create' | 'history' }
  | { readonly is: 'transfer'; readonly account: SubAccount | undefined }
  | { readonly is: 'rename' | 'archive' | 'keys'; readonly account: SubAccount };

/** List of the user's sub-accounts with their balances, and the actions on them. */
export default function SubAccounts({ Frame, hasBack = false }: SubAccountsProps) {
  const t = useWords('subaccount');
  const info = useUserInfo();
  const accounts = useSubAccounts();
  return (
    <div className={css.page}>
      {hasBack ? (
        <Link to={paths.security} className={css.back}>
          <ArrowLeft size={16} aria-hidden="true" /> {t('back')}
        </Link>
      ) : null}
      <p className={css.lead}>{t('lead')}</p>
      <ListBody
        look="cards"
        isLoading={accounts.isPending || info.isPending}
        error={accounts.error ?? info.error}
        onRetry={() => void Promise.all([accounts.refetch(), info.refetch()])}
      >
        {accounts.data === undefined || info.data === undefined ? null : (
          <Content data={accounts.data} info={info.data} Frame={Frame} />
        )}
      </ListBody>
    </div>
  );
}

interface ContentProps extends Pick<SubAccountsProps, 'Frame'> {
  readonly data: SubAccountList;
  readonly info: UserInfo;
}

function Content({ data, info, Frame }: ContentProps) {
  const t = useWords('subaccount');
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const usable = data.list.filter(({ archiveTime }) => archiveTime === 0);
  const archived = data.list.filter(({ archiveTime }) => archiveTime !== 0);
  const isShared = info.demoTradePassword !== undefined;
  const isFull = usable.length >= data.most;
  return (
    <>
      <Summary data={data} count={usable.length} canCreate={!isShared && !isFull} onOpen={setOpened} />
      {isShared ? <Banner tone="accent">{t('shared')}</Banner> : null}
      {isFull ? <Banner tone="warning">{t('full', { most: data.most })}</Banner> : null}
      {usable.length === 0 ? <EmptyState text={t('none')} /> : null}
      <ul className={css.list}>
        {usable.map((account) => (
          <AccountCard key={account.id} account={account} isShared={isShared} onOpen={setOpened} />
        ))}
      </ul>
      {archived.length === 0 ? null : (
        <details className={css.archived}>
          <summary>{t('archivedCount', { count: archived.length })}</summary>
          <ul>
            {archived.map(({ id, name, uid }) => (
              <li key={id}>
                <b>{name}</b> <span className={css.quiet}>{t('number', { uid })}</span>
                <Badge>{t('archived')}</Badge>
              </li>
            ))}
          </ul>
        </details>
      )}
      {opened === undefined ? null : (
        <Overlay
          opened={opened}
          accounts={usable}
          all={data.list}
          info={info}
          Frame={Frame}
          onClose={close}
        />
      )}
    </>
  );
}

interface SummaryProps {
  readonly data: SubAccountList;
  readonly count: number;
  readonly canCreate: boolean;
  readonly onOpen: (opened: Opened) => void;
}

function Summary({ data, count, canCreate, onOpen }: SummaryProps) {
  const t = useWords('subaccount');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  return (
    <section className={css.summary}>
      <div>
        <p className={css.quiet}>{t('total')} (USDT)</p>
        <p className={css.total}>
          <Amount value={data.total} kind="worth" hidden={!isVisible} />
        </p>
        <p className={css.quiet}>{t('count', { count, most: data.most })}</p>
      </div>
      <div className={css.ways}>
        <Button disabled={!canCreate} onClick={() => onOpen({ is: 'create' })}>
          <Plus size={16} aria-hidden="true" /> {t('create')}
        </Button>
        <Button
          look="secondary"
          disabled={count === 0}
          onClick={() => onOpen({ is: 'transfer', account: undefined })}
        >
          <ArrowLeftRight size={16} aria-hidden="true" /> {t('transfer')}
        </Button>
        <Button look="quiet" onClick={() => onOpen({ is: 'history' })}>
          {t('history')}
        </Button>
      </div>
    </section>
  );
}

interface CardProps {
  readonly account: SubAccount;
  readonly isShared: boolean;
  readonly onOpen: (opened: Opened) => void;
}

function AccountCard({ account, isShared, onOpen }: CardProps) {
  const t = useWords('subaccount');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const { name, note, uid, total } = account;
  const spoken = (action: string) => `${action}: ${name}`;
  return (
    <li className={css.card}>
      <div className={css.head}>
        <div className={css.who}>
          <h2>{name}</h2>
          <p className={css.quiet}>
            {t('number', { uid })}
            {note === '' ? null : <span className={css.note}> · {note}</span>}
          </p>
        </div>
        <p className={css.worth}>
          <Amount value={total} kind="worth" coin="USDT" hidden={!isVisible} />
        </p>
      </div>
      <Coins account={account} />
      <div className={css.actions}>
        <Button
          look="secondary"
          size="s"
          aria-label={spoken(t('transfer'))}
          onClick={() => onOpen({ is: 'transfer', account })}
        >
          <ArrowLeftRight size={14} aria-hidden="true" /> {t('transfer')}
        </Button>
        {isShared ? null : (
          <>
            <Button
              look="secondary"
              size="s"
              aria-label={spoken(t('keys'))}
              onClick={() => onOpen({ is: 'keys', account })}
            >
              <Bot size={14} aria-hidden="true" /> {t('keys')}
            </Button>
            <IconButton label={spoken(t('rename'))} onClick={() => onOpen({ is: 'rename', account })}>
              <Pencil size={16} aria-hidden="true" />
            </IconButton>
            <IconButton label={spoken(t('archive'))} onClick={() => onOpen({ is: 'archive', account })}>
              <Archive size={16} aria-hidden="true" />
            </IconButton>
          </>
        )}
      </div>
    </li>
  );
}

/**
 * List of the coins of a sub-account with the highest values, at most `COINS_SHOWN`, each with its available
 * amount and the amount that open orders reserve; for a sub-account without coins, a text that says so.
 */
function Coins({ account: { balances } }: Pick<CardProps, 'account'>) {
  const t = useWords('subaccount');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  if (balances.length === 0) return <p className={css.quiet}>{t('empty')}</p>;
  const sorted = balances.toSorted((left, right) =>
    Decimal.parse(right.worth).compare(Decimal.parse(left.worth)),
  );
  const hiddenCount = sorted.length - COINS_SHOWN;
  return (
    <ul className={css.coins}>
      {sorted.slice(0, COINS_SHOWN).map(({ currency, available, frozen }) => (
        <li key={currency}>
          <Amount value={available} kind="sum" coin={currency} hidden={!isVisible} />
          {frozen === '0' || !isVisible ? null : (
            <span className={css.quiet}> · {t('inOrders', { amount: frozen })}</span>
          )}
        </li>
      ))}
      {hiddenCount <= 0 ? null : <li className={css.quiet}>{t('more', { count: hiddenCount })}</li>}
    </ul>
  );
}

interface OverlayProps extends Pick<SubAccountsProps, 'Frame'> {
  readonly opened: Opened;
  readonly accounts: readonly SubAccount[];
  /** All sub-accounts including archived ones, because the history of transfers shows their names too. */
  readonly all: readonly SubAccount[];
  readonly info: UserInfo;
  readonly onClose: () => void;
}

function Overlay({ opened, accounts, all, info, Frame, onClose }: OverlayProps) {
  const t = useWords('subaccount');
  const shell = useWords('shell');
  if (opened.is === 'keys')
    return (
      <KeyPanel
        deed="apiKeys"
        info={info}
        Frame={Frame}
        loginPath={paths.login}
        keyOwner={opened.account}
        onClose={onClose}
      />
    );
  const frame = (title: string, content: ReactNode) => (
    <Frame isOpen onClose={onClose} title={title} closeLabel={shell('close')}>
      {content}
    </Frame>
  );
  switch (opened.is) {
    case 'create':
      return frame(t('create'), <NamingForm account={undefined} onDone={onClose} />);
    case 'rename':
      return frame(t('rename'), <NamingForm account={opened.account} onDone={onClose} />);
    case 'archive':
      return frame(
        t('archiveTitle', { name: opened.account.name }),
        <ArchiveForm account={opened.account} onDone={onClose} />,
      );
    case 'transfer':
      return frame(
        t('transferTitle'),
        <TransferForm accounts={accounts} account={opened.account} onDone={onClose} />,
      );
    case 'history':
      break;
  }
  return frame(t('history'), <TransferHistory accounts={all} />);
}
