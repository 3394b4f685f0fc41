import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useRead } from '../api/query-client.ts';
import { formatPercent } from '../format/format.ts';
import { UNKNOWN } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useFeeTiers } from '../market/fee-tiers.ts';
import { statusPagePath } from '../paths.ts';
import { TextField } from '../ui/text-field.tsx';
import {
  ARTICLE_IDS,
  categoryOf,
  HELP,
  loadArticles,
  searchArticles,
  fillFigures,
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

/**
 * The fee rates of the lowest and the highest fee tier, as the server currently charges them, as formatted percentages;
 * a placeholder text until the server has sent them.
 */
function useFeeFigures(): FeeFigures {
  const locale = useLocale();
  const tiers = useFeeTiers().data ?? [];
  const rate = (fraction: string | undefined) =>
    fraction === undefined ? UNKNOWN : formatPercent(fraction, locale);
  const [firstTier, lastTier] = [tiers[0], tiers.at(-1)];
  return {
    maker: rate(firstTier?.maker),
    taker: rate(firstTier?.taker),
    makerLeast: rate(lastTier?.maker),
    takerLeast: rate(lastTier?.taker),
  };
}

interface HelpCentreProps {
  /** Path of this site's fee schedule. */
  readonly feesPath: string;
}

/**
 * Help centre: the article that the URL parameter `article` names; without a valid parameter, an overview of all
 * articles with a search.
 */
export function HelpCentre({ feesPath }: HelpCentreProps) {
  const locale = useLocale();
  const [parameters] = useSearchParams();
  const articles = useRead({
    queryKey: ['help', locale],
    queryFn: () => loadArticles(locale),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const figures = useFeeFigures();
  const filled = articles.data === undefined ? undefined : fillFigures(articles.data, figures, locale);
  const id = ARTICLE_IDS.find((candidate) => candidate === parameters.get('article'));
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
        <ArticleView key={id} articles={filled} id={id} feesPath={feesPath} />
      )}
    </ListBody>
  );
}

function Overview({ articles }: { readonly articles: Articles }) {
  const t = useWords('help');
  const [search, setSearch] = useState('');
  const matchingIds = searchArticles(articles, useDeferredValue(search));
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
        {isSearching ? t(matchingIds.length === 0 ? 'none' : 'found', { count: matchingIds.length }) : ''}
      </p>
      {isSearching ? (
        <ul className={css.results}>
          {matchingIds.map((id) => (
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
      <a className={css.status} href={statusPagePath(useLocale())}>
        {t('status')}
      </a>
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

interface ArticleViewProps extends HelpCentreProps {
  readonly articles: Articles;
  readonly id: ArticleId;
}

function ArticleView({ articles, id, feesPath }: ArticleViewProps) {
  const t = useWords('help');
  const tFees = useWords('fees');
  const head = useRef<HTMLHeadingElement>(null);
  const otherIds = (HELP[categoryOf(id)] as readonly ArticleId[]).filter((otherId) => otherId !== id);
  // Moves the focus to the article's heading, so that screen readers announce the article and the page scrolls to its
  // start.
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
        <Titles articles={articles} ids={otherIds} />
      </aside>
    </div>
  );
}

/** Renders the paragraphs and lists of a help article; consecutive list items form a single list. */
function Paragraphs({ body }: { readonly body: readonly string[] }) {
  const blocks: (string | string[])[] = [];
  for (const text of body) {
    const lastBlock = blocks.at(-1);
    if (!text.startsWith('- ')) blocks.push(text);
    else if (Array.isArray(lastBlock)) lastBlock.push(text.slice(2));
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
