import type { Locale } from '@exchange/core/locale.ts';
import { addressesOf, ALL_SCREENS, type ScreenText } from '@exchange/wire/screens.ts';
import { SCREEN_WORDS } from '@exchange/wire/words/screens.ts';

const BRAND = 'Amethyst';
const TITLES: ReadonlyMap<string, ScreenText> = new Map(
  ALL_SCREENS.flatMap(([, screen]) => addressesOf(screen).map((path) => [path, screen.title] as const)),
);
const PATTERNS = ALL_SCREENS.flatMap(([, { pattern, title }]) =>
  pattern === undefined ? [] : [{ title, expression: new RegExp(`^${pattern.replace(/:\w+/, '[^/]+')}$`) }],
);

/** Title and description of a page, for its head and for previews of shared links. They are plain text, not escaped. */
export interface PageWords {
  readonly title: string;
  readonly description: string;
  /** The part of the query, with `?`, that the URL in previews contains; empty for none. */
  readonly query: string;
}

/**
 * Returns the title of the screen at a path of either site, ignoring `/pc` and trailing slashes: a key in
 * `words/screens.ts`, or the product's name in every language. Undefined if there is no screen.
 */
export function titleAt(pathname: string): ScreenText | undefined {
  const path = pathname.replace(/^\/pc(?=\/|$)/, '').replace(/\/+$/, '') || '/';
  return TITLES.get(path) ?? PATTERNS.find(({ expression }) => expression.test(path))?.title;
}

/**
 * Returns the title and description of a screen's page, or of an unknown page if `screen` is undefined. Texts
 * of the trading screen name the pair in its link (e.g. `BTC_USDT`) if the pair is listed.
 */
export function pageWords(
  screen: ScreenText | undefined,
  query: URLSearchParams,
  locale: Locale,
  listed: ReadonlySet<string>,
): PageWords {
  const words = SCREEN_WORDS[locale];
  const link = query.get('symbol')?.toUpperCase();
  if (screen === 'trade' && link !== undefined && listed.has(link)) {
    const withPair = (text: string) => text.replace('{{pair}}', link.replace('_', '/'));
    const title = `${withPair(words.pairTitle)} | ${BRAND}`;
    return { title, description: withPair(words.pairDescription), query: `?symbol=${link}` };
  }
  const title =
    screen === undefined
      ? words.notFound
      : typeof screen === 'string'
        ? words.titles[screen]
        : screen[locale];
  return { title: `${title} | ${BRAND}`, description: words.description, query: '' };
}

/**
 * Replaces the title and the description in the page's head, and adds Open Graph tags; without `url` there is
 * no tag `og:url`.
 */
export function withWords(html: string, words: PageWords, url: string | undefined, locale: Locale): string {
  const tags = [
    `<title>${escaped(words.title)}</title>`,
    `<meta name="description" content="${escaped(words.description)}" />`,
    property('type', 'website'),
    property('site_name', BRAND),
    property('locale', locale.replace('-', '_')),
    property('title', words.title),
    property('description', words.description),
    ...(url === undefined ? [] : [property('url', url)]),
  ];
  return html
    .replace(/[ \t]*<meta name="description"[^>]*>\n?/i, '')
    .replace(/<title>[^<]*<\/title>/i, () => tags.join('\n    '));
}

function property(name: string, content: string): string {
  return `<meta property="og:${name}" content="${escaped(content)}" />`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
