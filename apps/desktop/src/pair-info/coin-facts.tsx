import { formatDecimal } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useCoinInfo, type CoinInfo } from '@exchange/web-kit/market/queries.ts';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import classes from './pair-info.module.css';

/** What a coin is, described neutrally, with the places where more is to be found. */
export function CoinFacts({ coin }: { readonly coin: string }) {
  const t = useWords('coin-info');
  const info = useCoinInfo(coin);
  return (
    <section className={classes.part}>
      <h3>{t('title', { coin })}</h3>
      <ListBody
        isLoading={info.isPending}
        error={info.error}
        onRetry={() => void info.refetch()}
        isEmpty={false}
        empty=""
      >
        {info.data !== undefined && <Facts info={info.data} />}
      </ListBody>
    </section>
  );
}

function Facts({ info }: { readonly info: CoinInfo }) {
  const t = useWords('coin-info');
  const locale = useLocale();
  return (
    <>
      <p>{info.description}</p>
      <dl className={classes.facts}>
        <Fact name={t('name')}>{info.name}</Fact>
        <Fact name={t('year')}>{info.year}</Fact>
        <Fact name={t('consensus')}>{info.consensus}</Fact>
        <Fact name={t('maxSupply')}>
          {info.maxSupply === ''
            ? t('maxSupplyNone')
            : `${formatDecimal(info.maxSupply, locale)} ${info.coin}`}
        </Fact>
        <Fact name={t('digits')}>{info.digits}</Fact>
        <Fact name={t('website')}>
          <Outside address={info.website} />
        </Fact>
        <Fact name={t('explorer')}>
          <Outside address={info.explorer} />
        </Fact>
      </dl>
      <p className={classes.small}>{t('disclaimer')}</p>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A link to another site, which learns nothing of where it was followed from. */
function Outside({ address }: { readonly address: string }) {
  const t = useWords('coin-info');
  return (
    <a href={address} target="_blank" rel="noreferrer" className={classes.outside} title={t('external')}>
      {new URL(address).hostname}
      <ExternalLink size={12} aria-hidden="true" />
      <span className="visually-hidden">{t('external')}</span>
    </a>
  );
}
