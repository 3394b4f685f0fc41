import { searchKey } from '../ui/typed-text.ts';
import { fillWords, type Locale } from '@exchange/core/locale.ts';

/** Ids of the help articles by category, in display order. */
export const HELP = {
  start: ['sign-up', 'mailed-codes', 'verification', 'verification-rejected'],
  security: [
    'authenticator',
    'passkeys',
    'trade-password',
    'security-holds',
    'freeze',
    'phishing',
    'api-keys',
  ],
  funds: [
    'deposit',
    'deposit-missing',
    'withdraw',
    'address-book',
    'limits',
    'convert',
    'recurring',
    'small-balances',
    'tax-report',
  ],
  trade: ['order-types', 'order-states', 'fees', 'index'],
  products: ['finance', 'mining', 'subscription', 'fund', 'liquidation', 'seconds', 'seconds-verify'],
  more: ['price-alerts', 'push', 'invite', 'fairness'],
} as const;

export type HelpCategory = keyof typeof HELP;
export type ArticleId = (typeof HELP)[HelpCategory][number];

export const ARTICLE_IDS: readonly ArticleId[] = Object.values(HELP).flat();

/** A help article. `body` consists of paragraphs; a paragraph that begins with `- ` is a list item. */
export interface Article {
  readonly title: string;
  readonly body: readonly string[];
}
export type Articles = Readonly<Record<ArticleId, Article>>;

const LOADERS: Readonly<Record<Locale, () => Promise<{ readonly articles: Articles }>>> = {
  'en-US': () => import('./articles/en-US.ts'),
  'zh-CN': () => import('./articles/zh-CN.ts'),
  'ko-KR': () => import('./articles/ko-KR.ts'),
  'ja-JP': () => import('./articles/ja-JP.ts'),
};

/** Loads all help articles in a language. Rejects if the network fails. */
export async function loadArticles(locale: Locale): Promise<Articles> {
  return (await LOADERS[locale]()).articles;
}

/**
 * Values of the placeholders in the fees article: maker and taker rates of the first and of the best fee tier, as
 * formatted percentages. The server provides the rates, so the article states the rates that the exchange charges.
 */
export type FeeFigures = Readonly<Record<'maker' | 'taker' | 'makerLeast' | 'takerLeast', string>>;

/** Fills the placeholders of the fees article; the other articles contain no placeholders. */
export function fillFigures(articles: Articles, figures: FeeFigures, locale: Locale): Articles {
  const { title, body } = articles.fees;
  return Object.assign({}, articles, {
    fees: { title, body: body.map((text) => fillWords(text, figures, locale)) },
  });
}

export function categoryOf(id: ArticleId): HelpCategory {
  const category = (Object.keys(HELP) as HelpCategory[]).find((category) =>
    (HELP[category] as readonly string[]).includes(id),
  );
  if (category === undefined) throw new Error(`no category has ${id}`);
  return category;
}

/**
 * Returns the ids of the articles whose title or text contains every word of the search, also as a part of
 * another word; articles with every word in the title come first. Ignores case and the width of characters.
 * Empty for an empty search.
 */
export function searchArticles(articles: Articles, search: string): readonly ArticleId[] {
  const words = searchKey(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string) => words.every((word) => searchKey(text).includes(word));
  const inTitle = ARTICLE_IDS.filter((id) => has(articles[id].title));
  const inText = ARTICLE_IDS.filter((id) => has([articles[id].title, ...articles[id].body].join(' ')));
  return [...inTitle, ...inText.filter((id) => !inTitle.includes(id))];
}
