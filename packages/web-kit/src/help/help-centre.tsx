import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../api/query-client.ts';
import { formatPercent } from '../format/format.ts';
import { UNKNOWN } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useFeeTiers } from '../market/fee-tiers.ts';
import { TextField } from '../ui/text-field.tsx';
import {
  ARTICLE_IDS,
  categoryOf,
  HELP,
  loadArticles,
  searchArticles,
  withFigures,
  type ArticleId,
  type Articles,
  type FeeFigures,
  type HelpCategory,
} from './articles.ts';
import css from './help.module.css';

const CATEGORIES = Object.keys(HELP) as HelpCategory[];
const WORD = {
  start: 'start',
  security: 'security',
  funds: 'funds',
  trade: 'trade',
  products: 'products',
  more: 'categoryMore',
} as const satisfies Record<HelpCategory, string>;

/** The rates of the lowest and the highest tier as the exchange charges them. */
function useFeeFigures(): FeeFigures {
  const locale = useLocale();
  const tiers = useFeeTiers().data ?? [];
  const rate = (fraction: string | undefined) =>
    fraction === undefined ? UNKNOWN : formatPercent(fraction, locale);
  const [first, last] = [tiers[0], tiers.at(-1)];
  return {
    maker: rate(first?.maker),
    taker: rate(first?.taker),
    makerLeast: rate(last?.maker),
    takerLeast: rate(last?.taker),
  };
}

interface HelpCentreProps {
  /** Where all fees are listed. */
  readonly feesPath: string;
}

/** Articles by category, a search over all of them, and the one that the address names in `article`. */
export function HelpCentre({ feesPath }: HelpCentreProps) {
  const locale = useLocale();
  const [parameters] = useSearchParams();
  const articles = useRead({
    queryKey: ['help', locale],
    queryFn: () => loadArticles(locale),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const figures = useFeeFigures();
  const filled = articles.data === undefined ? undefined : withFigures(articles.data, figures, locale);
  const id = ARTICLE_IDS.find((one) => one === parameters.get('article'));
  return (
    <ListBody
      isLoading={articles.isPending}
      error={articles.error}
      onRetry={() => void articles.refetch()}
      skeletonRows={8}
    >
      {filled === undefined ? null : id === undefined ? (
        <Overview articles={filled} />
      ) : (
        <Reading key={id} articles={filled} id={id} feesPath={feesPath} />
      )}
    </ListBody>
  );
}

function Overview({ articles }: { readonly articles: Articles }) {
  const t = useWords('help');
  const [search, setSearch] = useState('');
  const found = searchArticles(articles, useDeferredValue(search));
  const isSearching = search.trim() !== '';
  return (
    <div className={css.centre}>
      <TextField
        className={css.search}
        label={t('searchLabel')}
        type="search"
        placeholder={t('search')}
        value={search}
        onChange={setSearch}
        autoComplete="off"
        maxLength={80}
      />
      <p className={css.count} role="status">
        {isSearching ? t(found.length === 0 ? 'none' : 'found', { count: found.length }) : ''}
      </p>
      {isSearching ? (
        <ul className={css.results}>
          {found.map((id) => (
            <li key={id}>
              <Link to={`?article=${id}`}>
                <b>{articles[id].title}</b>
                <span>{articles[id].body[0]?.replace(/^- /, '')}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <div className={css.categories}>
          {CATEGORIES.map((category) => (
            <section key={category}>
              <h2>{t(WORD[category])}</h2>
              <Titles articles={articles} ids={HELP[category]} />
            </section>
          ))}
        </div>
      )}
    </div>
  );
}

function Titles({ articles, ids }: { readonly articles: Articles; readonly ids: readonly ArticleId[] }) {
  return (
    <ul className={css.titles}>
      {ids.map((id) => (
        <li key={id}>
          <Link to={`?article=${id}`}>{articles[id].title}</Link>
        </li>
      ))}
    </ul>
  );
}

interface ReadingProps extends HelpCentreProps {
  readonly articles: Articles;
  readonly id: ArticleId;
}

function Reading({ articles, id, feesPath }: ReadingProps) {
  const t = useWords('help');
  const tFees = useWords('fees');
  const head = useRef<HTMLHeadingElement>(null);
  const others = (HELP[categoryOf(id)] as readonly ArticleId[]).filter((other) => other !== id);
  // Whoever reads by ear is told what has opened, and whoever reads by eye begins at its head.
  useEffect(() => head.current?.focus(), []);
  return (
    <div className={css.reading}>
      <article>
        <p className={css.trail}>
          <Link to="?">{t('allTopics')}</Link>
          <span aria-hidden="true"> / </span>
          {t(WORD[categoryOf(id)])}
        </p>
        <h2 ref={head} tabIndex={-1}>
          {articles[id].title}
        </h2>
        <Paragraphs body={articles[id].body} />
        {id === 'fees' ? (
          <p>
            <Link to={feesPath}>{tFees('article')}</Link>
          </p>
        ) : null}
      </article>
      <aside>
        <h3>{t('more')}</h3>
        <Titles articles={articles} ids={others} />
      </aside>
    </div>
  );
}

/** Paragraphs and lists: neighbouring items stand in one list. */
function Paragraphs({ body }: { readonly body: readonly string[] }) {
  const blocks: (string | string[])[] = [];
  for (const text of body) {
    const last = blocks.at(-1);
    if (!text.startsWith('- ')) blocks.push(text);
    else if (Array.isArray(last)) last.push(text.slice(2));
    else blocks.push([text.slice(2)]);
  }
  return blocks.map((block) =>
    Array.isArray(block) ? (
      <ul key={block[0]}>
        {block.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    ) : (
      <p key={block}>{block}</p>
    ),
  );
}
