import { LOCALES, type Locale } from '../packages/core/src/locale.ts';
import { REFUSAL_KEYS } from '../packages/core/src/refusal.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { visitNodes, readWordTables, type Sentences } from './languages/tables.ts';
import { filesUnder } from './source/tree.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TABLES = readWordTables(root);
const TRANSLATED = LOCALES.filter((locale) => locale !== 'en-US');

/**
 * Words in Latin letters that are not errors in a Chinese, Korean or Japanese translation: names, codes, units, and
 * words of texts that users copy literally.
 */
const NAMES = new Set(
  (
    'Amethyst Authenticator Google Password BTC ETH USDT EOS XRP CSV JPEG PNG WebP MB QR UID UTC UTF IP APR App OCO OTO OTOCO TWAP MA EMA RSI MACD bp bps GTC ' +
    'GTT IOC FOK TP SL Cookie Memo Tag TxID multipart form data you example com SHA Scrypt Vaulta Ledger Ripple Cardano ' +
    'API PEM BEGIN PUBLIC KEY Ed HMAC Binance Ouroboros Shibarium English US MetaMask TRC Enter HEIC iPhone iPad PIN PDF ' +
    'Koinly CoinTracking CoinLedger bc ltc addr'
  ).split(' '),
);
/** By language: a pattern for characters of scripts that the language does not use. */
const OTHER_SCRIPTS: Readonly<Record<Locale, RegExp>> = {
  'en-US': /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  'zh-CN': /[\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  'ko-KR': /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  'ja-JP': /[\p{Script=Hangul}]/u,
};
/** Keys of texts whose translation contains figures in other units or in words. */
const OTHER_FIGURES = new Set([
  'BTC.description',
  'XRP.description',
  'ADA.description',
  'words.desktop-trade.change',
  'words.transfer.timesP90',
]);
const NAMES_OF_FUNDS = 'apps/server/src/modules/fund/demo.ts';
/**
 * Matches a Korean particle after a placeholder if the form of the particle depends on the last syllable of the value;
 * also matches notations that contain both forms.
 */
const UNFIT_PARTICLE =
  /\}\}[”’]? ?(?:은|는|을|를|과|와|로|으로)(?=[\s,.)]|$)|\}\}[”’]?(?:이|가)(?=\s)|\((?:은|는|이|가|을|를|으)\)/;
/**
 * Matches the informal polite ending of Korean sentences. Requests (`하세요`), questions and nouns with the same ending do
 * not match.
 */
const INFORMAL_ENDING = /(?<![세나가까필주수중개])요(?=[.!?…]|$)/;
/** Matches the end of a Japanese sentence in the plain form. */
const PLAIN_ENDING = /(?:である|だ|る|ない|(?<!まし|でし)た)。/;
/** By language: a pattern for words instead of which the glossary requires other words. */
const REPLACED: Readonly<Partial<Record<Locale, RegExp>>> = {
  'en-US':
    /cancell(?:ed|ing)|\b(?:colour|favourite|behaviour|licence|honour)|(?:organ|recogn|author|minim|maxim)is(?:e|ing)|insurance pool|partly filled|\bone click\b|sources? count|our repository|play money|\banew\b|\bno (?:limit|pause)$/i,
  'zh-CN':
    /涨跌幅最|参考价格|最小[充提]币额|账户流水|公开的价格记录|登录历史|一键|币币|充值|提现|盘口|委托簿|挂单簿|模拟资金|价格带|步长|保险池|投注|未完成委托|站内消息|跟踪委托|「|Maker|Taker/,
  'ko-KR':
    /오더북|스톱|신원 인증|모의 자금|알림함|간편 교환|가격 테이프|이익 ?실현|리워드|강제 청산|현물 계정|매[수도]호가|열린 포지션|거래 종료|약정|심도|거래 비밀번호|암호화폐|별칭|청약액|거래 번호|사용자(?! 지정)|익절\/손절/,
  'ja-JP':
    /オーダーブック|指数|現在価格|強制決済|価格テープ|約定一覧|否認|法的事項|リスク開示|友だち|(?<!お)心当たり|フォルダ(?!ー)|ブラウザ(?!ー)|取引パスワード|フィッシング防止|情報源|元帳|発動価格|最低入金|取引番号|ヘルプ・/,
};

const placeholdersOf = (text: string) =>
  [...new Set([...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name!))].toSorted();
const withoutPlaceholders = (text: string) => text.replaceAll(/\{\{.*?\}\}/g, ' ');
const figuresOf = (text: string) =>
  [...withoutPlaceholders(text).matchAll(/\d+(?:[.,:]\d+)*/g)].map(([figure]) => figure);
const englishIn = (text: string) =>
  (withoutPlaceholders(text).match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !NAMES.has(word));

/** Returns every English text with its key, its translation into `locale`, and its place in the sources. */
function pairs(locale: Locale): { at: string; key: string; english: string; translation: string }[] {
  return TABLES.flatMap(({ place, languages }) =>
    [...(languages['en-US'] ?? [])].map(([key, english]) => ({
      at: `${locale} ${place} ${key}`,
      key,
      english,
      translation: languages[locale]?.get(key) ?? '',
    })),
  );
}

describe('sentences in several languages', () => {
  it('WEB-280 are found everywhere: apps, refusals, mails, messages, help, agreements, coins and the demo', () => {
    const places = TABLES.map(({ place }) => place);
    for (const part of ['i18n/words', 'help/articles', 'wire/src/words/refusals', 'identity/words/mails'])
      expect(places.some((place) => place.includes(part))).toBe(true);
    for (const part of ['message-words', 'agreements', 'coin-words', 'demo-entries', 'subscription/demo'])
      expect(places.some((place) => place.includes(part))).toBe(true);
    expect(pairs('ja-JP').length).toBeGreaterThan(2_500);
  });

  it('WEB-280 exist in all four languages with the same keys', () => {
    const differing = TABLES.flatMap(({ place, languages }) => {
      const keysOf = (sentences: Sentences | undefined) => [...(sentences?.keys() ?? ['nothing'])].toSorted();
      return LOCALES.filter(
        (locale) => String(keysOf(languages[locale])) !== String(keysOf(languages['en-US'])),
      ).map((locale) => `${locale} ${place}`);
    });
    expect(differing).toEqual([]);
    for (const locale of LOCALES)
      expect(pairs(locale).filter(({ translation }) => translation.trim() === '')).toEqual([]);
  });

  it.each(TRANSLATED)(
    'WEB-280 have the same placeholders and figures in %s, no English words and no other script',
    (locale) => {
      const wrong = pairs(locale).flatMap(({ at, key, english, translation }) => [
        ...(String(placeholdersOf(translation)) === String(placeholdersOf(english))
          ? []
          : [`${at}: placeholders`]),
        ...englishIn(translation).map((word) => `${at}: ${word}`),
        ...(OTHER_SCRIPTS[locale].test(translation) ? [`${at}: script`] : []),
        ...(OTHER_FIGURES.has(key) || at.includes(NAMES_OF_FUNDS)
          ? []
          : figuresOf(english)
              .filter((figure) => !figuresOf(translation).includes(figure))
              .map((figure) => `${at}: ${figure}`)),
      ]);
      expect(wrong).toEqual([]);
      expect(
        pairs('en-US').filter(
          ({ translation, at }) => OTHER_SCRIPTS['en-US'].test(translation) && !at.includes('i18n'),
        ),
      ).toEqual([]);
    },
  );

  it.each(LOCALES)('WEB-281 use the words of the glossary in %s', (locale) => {
    const replaced = pairs(locale).filter(({ translation }) => REPLACED[locale]?.test(translation));
    expect(replaced.map(({ at }) => at)).toEqual([]);
  });

  it('WEB-285 Chinese has spaces beside letters and figures, and full-width punctuation', () => {
    const han = '\\p{Script=Han}';
    const wrongSpacing = new RegExp(
      `${han}[A-Za-z0-9]|[A-Za-z0-9%]${han}|${han}[,;:!?()"']|[,;!?()"']${han}|${han} ${han}|[（），。：；“”] | [（），。：；“”]`,
      'u',
    );
    // Keys of chart intervals are excluded: `1分` is the short Chinese name of the one-minute chart.
    const wrong = pairs('zh-CN').filter(
      ({ key, translation }) =>
        wrongSpacing.test(translation.replaceAll(/\{\{.*?\}\}/g, '·')) &&
        !/^words\.(?:chart|fund\.timer)\.\d/.test(key),
    );
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });

  it('WEB-289 Korean sentences fit any value of their placeholders and use one style', () => {
    const wrong = pairs('ko-KR').filter(
      ({ translation }) => UNFIT_PARTICLE.test(translation) || INFORMAL_ENDING.test(translation),
    );
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });

  it('WEB-289 Japanese sentences use the polite form', () => {
    const plain = pairs('ja-JP').filter(({ translation }) => PLAIN_ENDING.test(translation));
    expect(plain.map(({ at }) => at)).toEqual([]);
  });

  it('WEB-034 every refusal, message and email with words is sent somewhere', () => {
    const code = filesUnder(root, ['apps', 'packages'])
      .filter(
        (path) =>
          /\.tsx?$/.test(path) &&
          !/\.test\.|\/testing\/|\/words\/(?!alert|income)|core\/src\/refusal|messages\/domain\.ts/.test(
            path,
          ),
      )
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('\n');
    const usedNames = new Set([...code.matchAll(/['"`]([\w.]+)['"`]|\b(\w+):/g)].map(([, a, b]) => a ?? b));
    const namesIn = (place: string, part: number) =>
      TABLES.filter((table) => table.place.includes(place)).flatMap(({ languages }) =>
        [...languages['en-US']!.keys()].map((key) => key.split('.')[part] ?? '0'),
      );
    const messages = namesIn('message-words', 0);
    const mails = namesIn('identity/words/mails', 1).filter((name) => !/^(?:\d|subject$|lines$)/.test(name));
    expect(messages).toContain('welcome');
    expect(mails).toContain('newDevice');
    expect([...REFUSAL_KEYS, ...messages, ...mails].filter((key) => !usedNames.has(key))).toEqual([]);
  });

  it('WEB-282 screens contain no literal sentences', () => {
    const screens = ['packages/web-kit/src', 'apps/desktop/src', 'apps/mobile/src'];
    const literals = filesUnder(root, screens)
      .filter((path) => path.endsWith('.tsx') && !/\.test\.|\/testing\/|web-kit\/src\/console\//.test(path))
      .flatMap((path) => {
        const words: string[] = [];
        const { program } = parseSync(path, readFileSync(join(root, path), 'utf8'));
        visitNodes(program, (node) => {
          const text = shownBy(node).replaceAll(/&\w+;/g, '');
          words.push(...englishIn(text).map((word) => `${path}: ${word}`));
        });
        return words;
      });
    expect(literals).toEqual([]);
  });
});

const SHOWN = /^(?:aria-label|aria-description|placeholder|title|alt|label|hint|description)$/;

/** Returns the text of a syntax node if a screen shows it or a screen reader reads it; otherwise an empty text. */
function shownBy(node: { readonly type: string; readonly [part: string]: unknown }): string {
  if (node.type === 'JSXText') return String(node['value']);
  if (node.type !== 'JSXAttribute') return '';
  const { name } = node['name'] as { readonly name: unknown };
  const value = node['value'] as { readonly type: string; readonly value: unknown } | null;
  return SHOWN.test(String(name)) && value?.type === 'Literal' ? String(value.value) : '';
}
