import { searchKey } from '../ui/typed-text.ts';
import { fillWords, type Locale } from '@exchange/core/locale.ts';

/** The articles of the help centre by category, in the order in which they are listed. */
export const HELP = {
  start: ['sign-up', 'mailed-codes', 'verification', 'verification-rejected'],
  security: ['authenticator', 'trade-password', 'security-holds', 'freeze', 'phishing'],
  funds: ['deposit', 'deposit-missing', 'withdraw', 'address-book', 'limits', 'convert'],
  trade: ['order-types', 'order-states', 'fees', 'index'],
  products: ['finance', 'mining', 'subscription', 'fund', 'liquidation', 'seconds', 'seconds-verify'],
  more: ['invite', 'fairness'],
} as const;

export type HelpCategory = keyof typeof HELP;
export type ArticleId = (typeof HELP)[HelpCategory][number];

export const ARTICLE_IDS: readonly ArticleId[] = Object.values(HELP).flat();

/** Paragraphs; one that begins with `- ` is an item of a list. */
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

/** Every article in a language. Rejects when the network is gone. */
export async function loadArticles(locale: Locale): Promise<Articles> {
  return (await LOADERS[locale]()).articles;
}

/** What the fees article says of the tiers; the figures are the exchange's, so that the text cannot differ from them. */
export type FeeFigures = Readonly<Record<'maker' | 'taker' | 'makerLeast' | 'takerLeast', string>>;

/** Articles with the figures of the exchange in their gaps. */
export function withFigures(articles: Articles, figures: FeeFigures, locale: Locale): Articles {
  const { title, body } = articles.fees;
  return Object.assign({}, articles, {
    fees: { title, body: body.map((text) => fillWords(text, figures, locale)) },
  });
}

/** The category that an article stands in. */
export function categoryOf(id: ArticleId): HelpCategory {
  const found = (Object.keys(HELP) as HelpCategory[]).find((category) =>
    (HELP[category] as readonly string[]).includes(id),
  );
  if (found === undefined) throw new Error(`no category has ${id}`);
  return found;
}

/**
 * The articles that have every word of a search in their title or text, those with all of them in the title first. Case
 * and width of letters do not matter.
 */
export function searchArticles(articles: Articles, search: string): readonly ArticleId[] {
  const words = searchKey(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string) => words.every((word) => searchKey(text).includes(word));
  const inTitle = ARTICLE_IDS.filter((id) => has(articles[id].title));
  const inText = ARTICLE_IDS.filter((id) => has([articles[id].title, ...articles[id].body].join(' ')));
  return [...inTitle, ...inText.filter((id) => !inTitle.includes(id))];
}
