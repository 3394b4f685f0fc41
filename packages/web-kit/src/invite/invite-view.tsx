import { Share2 } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { saveFile } from '../save-file.ts';
import { CopyButton } from '../form/copy-button.tsx';
import { Button } from '../ui/button.tsx';
import { Select, Tabs } from '../ui/choice.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Badge } from '../ui/parts.tsx';
import css from './invite.module.css';
import { drawPoster } from './poster.ts';
import {
  saveShare,
  useInvitees,
  useInviteInfo,
  useRewards,
  type Invitee,
  type InviteInfo,
  type Reward,
} from './queries.ts';

const BRAND = 'Amethyst';

/** Page of the invitation programme: the user's code, link and poster, rewards, invited users, and the rules. */
export function InviteView({ look }: { readonly look: 'table' | 'cards' }) {
  const info = useInviteInfo();
  return (
    <ListBody
      isLoading={info.isPending}
      error={info.error}
      onRetry={() => void info.refetch()}
      skeletonRows={8}
    >
      {info.data === undefined ? null : (
        <div className={css.invite} data-look={look}>
          <Hero info={info.data} />
          <Figures info={info.data} />
          <Lists look={look} />
          <Rules info={info.data} />
        </div>
      )}
    </ListBody>
  );
}

function Hero({ info }: { readonly info: InviteInfo }) {
  const t = useWords('invite');
  const link = location.origin + info.link;
  return (
    <section className={css.hero}>
      <div className={css.ways}>
        <h2>{t('heroTitle', { rate: info.rate })}</h2>
        <p>{t('heroText', { days: info.days })}</p>
        <SharingOption label={t('code')} text={info.invitationCode} copy={t('copyCode')} />
        <SharingOption label={t('link')} text={link} copy={t('copyLink')} />
        {'share' in navigator ? (
          <Button
            look="secondary"
            icon={<Share2 size={16} aria-hidden="true" />}
            onClick={() => void shareSheet({ url: link, text: t('shareText', { brand: BRAND }) })}
          >
            {t('shareLink')}
          </Button>
        ) : null}
        <CommissionShare info={info} />
        {info.discount === 0 ? null : (
          <p className={css.note}>{t('ownDiscount', { points: info.discount })}</p>
        )}
      </div>
      <PosterPicture info={info} link={link} />
    </section>
  );
}

/** Opens the device's share sheet; nothing is reported if the user closes it without sharing. */
async function shareSheet(shared: ShareData): Promise<void> {
  try {
    await navigator.share(shared);
  } catch (error) {
    // The error says that the user has closed the share sheet, which is not reported. Any other failure is shown; the
    // user can still copy the link or use the poster.
    if (!(error instanceof DOMException && error.name === 'AbortError')) notify.failure(error);
  }
}

function SharingOption({
  label,
  text,
  copy,
}: {
  readonly label: string;
  readonly text: string;
  readonly copy: string;
}) {
  return (
    <div className={css.way}>
      <span>{label}</span>
      <code title={text}>{text}</code>
      <CopyButton text={text} label={copy} />
    </div>
  );
}

/** Input for the percentage points of the commission that the invited users receive; a selection is saved at once. */
function CommissionShare({ info: { share, rate } }: { readonly info: InviteInfo }) {
  const t = useWords('invite');
  const [isSaving, setSaving] = useState(false);
  const choose = async (points: string) => {
    setSaving(true);
    try {
      await saveShare(points);
      notify.success(t('shareSaved'));
    } catch (error) {
      // The server refused the new share of the commission, or the request failed: the failure is shown, and the
      // display keeps the previous share.
      notify.failure(error);
    } finally {
      setSaving(false);
    }
  };
  return (
    <div className={css.way} aria-busy={isSaving}>
      <span>{t('share')}</span>
      <b>{t('shareSplit', { own: rate - share, points: share })}</b>
      <Select
        label={t('share')}
        value={String(share)}
        onChange={(points) => void choose(points)}
        options={Array.from({ length: 11 }, (_, points) => ({
          value: String(points),
          label: t('shareOption', { points }),
        }))}
      />
    </div>
  );
}

function PosterPicture({ info, link }: { readonly info: InviteInfo; readonly link: string }) {
  const t = useWords('invite');
  const canvas = useRef<HTMLCanvasElement>(null);
  const { share, invitationCode: code } = info;
  const title = t('posterTitle');
  const text = share === 0 ? t('posterText') : t('posterDiscount', { points: share });
  const codeLabel = t('code');
  useEffect(() => {
    if (canvas.current !== null)
      drawPoster(canvas.current, { title, text, codeLabel, code, link, brand: BRAND });
  }, [title, text, codeLabel, code, link]);
  const save = () =>
    canvas.current?.toBlob((picture) => {
      if (picture !== null) saveFile(picture, `amethyst-${code}.png`);
    }, 'image/png');
  const sharePicture = () =>
    canvas.current?.toBlob((picture) => {
      if (picture === null) return;
      const files = [new File([picture], `amethyst-${code}.png`, { type: 'image/png' })];
      // A browser that cannot share files downloads the poster instead.
      if (navigator.canShare({ files })) void shareSheet({ files, text: t('shareText', { brand: BRAND }) });
      else saveFile(picture, `amethyst-${code}.png`);
    }, 'image/png');
  return (
    <div className={css.poster}>
      <canvas ref={canvas} role="img" aria-label={t('poster', { code })} />
      <Button look="secondary" onClick={save}>
        {t('savePoster')}
      </Button>
      {'canShare' in navigator ? (
        <Button look="secondary" icon={<Share2 size={16} aria-hidden="true" />} onClick={sharePicture}>
          {t('sharePoster')}
        </Button>
      ) : null}
    </div>
  );
}

function Figures({ info: { count, validCount, income } }: { readonly info: InviteInfo }) {
  const t = useWords('invite');
  return (
    <dl className={css.figures}>
      <div>
        <dt>{t('invited')}</dt>
        <dd>{count}</dd>
      </div>
      <div>
        <dt>{t('verified')}</dt>
        <dd>{validCount}</dd>
      </div>
      <div>
        <dt>{t('income')}</dt>
        <dd>{income.length === 0 ? '0' : <Amounts amounts={income} />}</dd>
      </div>
    </dl>
  );
}

function Amounts({ amounts }: { readonly amounts: Invitee['income'] }) {
  return (
    <span className={css.amounts}>
      {amounts.map(({ currency, amount }) => (
        <Amount key={currency} value={amount} coin={currency} />
      ))}
    </span>
  );
}

function Lists({ look }: { readonly look: 'table' | 'cards' }) {
  const t = useWords('invite');
  const [tab, setTab] = useState<'people' | 'rewards'>('people');
  return (
    <section className={css.lists}>
      <Tabs<'people' | 'rewards'>
        label={t('records')}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'people', label: t('people') },
          { value: 'rewards', label: t('rewards') },
        ]}
      />
      {tab === 'people' ? <People look={look} /> : <Rewards look={look} />}
    </section>
  );
}

function People({ look }: { readonly look: 'table' | 'cards' }) {
  const t = useWords('invite');
  const people = useInvitees();
  const columns: Column<Invitee>[] = [
    { key: 'uid', title: t('uid'), cell: ({ uid }) => uid },
    {
      key: 'time',
      title: t('registered'),
      cell: ({ registerTime }) => <When at={registerTime} look="date" />,
    },
    { key: 'state', title: t('state'), cell: (invitee) => <State invitee={invitee} /> },
    { key: 'income', title: t('brought'), align: 'end', cell: ({ income }) => <Brought income={income} /> },
  ];
  return (
    <Rows list={people} empty={t('nobody')}>
      {look === 'table' ? (
        <DataTable
          caption={t('people')}
          columns={columns}
          rows={people.rows}
          rowKey={(invitee) => `${invitee.uid} ${invitee.registerTime}`}
        />
      ) : (
        <Cards
          rows={people.rows.map((invitee) => ({
            key: `${invitee.uid} ${invitee.registerTime}`,
            head: invitee.uid,
            end: <Brought income={invitee.income} />,
            foot: <When at={invitee.registerTime} look="date" />,
            mark: <State invitee={invitee} />,
          }))}
        />
      )}
    </Rows>
  );
}

function Brought({ income }: Pick<Invitee, 'income'>) {
  return income.length === 0 ? <>–</> : <Amounts amounts={income} />;
}

function State({ invitee: { verified, excluded } }: { readonly invitee: Invitee }) {
  const t = useWords('invite');
  if (excluded === 1) return <Badge tone="warning">{t('sameDevice')}</Badge>;
  return verified === 1 ? <Badge tone="good">{t('isVerified')}</Badge> : <Badge>{t('notVerified')}</Badge>;
}

function Rewards({ look }: { readonly look: 'table' | 'cards' }) {
  const t = useWords('invite');
  const rewards = useRewards();
  const columns: Column<Reward>[] = [
    { key: 'date', title: t('date'), cell: ({ date }) => <When at={date} look="date" /> },
    { key: 'uid', title: t('uid'), cell: ({ uid }) => uid },
    {
      key: 'fee',
      title: t('fee'),
      align: 'end',
      cell: ({ fee, currency }) => <Amount value={fee} coin={currency} />,
    },
    {
      key: 'reward',
      title: t('reward'),
      align: 'end',
      cell: ({ amount, currency }) => <Amount value={amount} coin={currency} />,
    },
  ];
  return (
    <Rows list={rewards} empty={t('noRewards')}>
      {look === 'table' ? (
        <DataTable caption={t('rewards')} columns={columns} rows={rewards.rows} rowKey={({ id }) => id} />
      ) : (
        <Cards
          rows={rewards.rows.map(({ id, uid, date, amount, currency }) => ({
            key: id,
            head: uid,
            end: <Amount value={amount} coin={currency} />,
            foot: <When at={date} look="date" />,
            mark: null,
          }))}
        />
      )}
    </Rows>
  );
}

interface RowsProps {
  readonly list: ReturnType<typeof useInvitees> | ReturnType<typeof useRewards>;
  readonly empty: string;
  readonly children: ReactNode;
}

function Rows({ list, empty, children }: RowsProps) {
  return (
    <ListBody
      isLoading={list.isLoading}
      error={list.error}
      onRetry={() => void list.reload()}
      isEmpty={list.rows.length === 0}
      empty={empty}
    >
      {children}
      <ListEnd list={list} />
    </ListBody>
  );
}

interface Card {
  readonly key: string;
  readonly head: ReactNode;
  readonly end: ReactNode;
  readonly foot: ReactNode;
  readonly mark: ReactNode;
}

function Cards({ rows }: { readonly rows: readonly Card[] }) {
  return (
    <ul className={css.cards}>
      {rows.map(({ key, head, end, foot, mark }) => (
        <li key={key}>
          <b>{head}</b>
          <span>{end}</span>
          <small>{foot}</small>
          <span>{mark}</span>
        </li>
      ))}
    </ul>
  );
}

function Rules({ info: { rate, days } }: { readonly info: InviteInfo }) {
  const t = useWords('invite');
  return (
    <section className={css.rules}>
      <h2>{t('rules')}</h2>
      <ol>
        <li>{t('rule1', { rate, days })}</li>
        <li>{t('rule2')}</li>
        <li>{t('rule3')}</li>
        <li>{t('rule4')}</li>
      </ol>
    </section>
  );
}
