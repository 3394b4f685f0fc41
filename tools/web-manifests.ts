import type { Plugin } from 'vite';
import { LOCALES, type Locale } from '../packages/core/src/locale.ts';
import { SCREENS } from '../packages/wire/src/screens.ts';
import { SCREEN_WORDS } from '../packages/wire/src/words/screens.ts';

/** Keys in `SCREENS` of the screens that the menu of the installed app opens. */
const SHORTCUTS = ['trade', 'assets', 'deposit'] as const;
const PICTURE = { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' } as const;

/**
 * Returns the manifest of the installable site at the path `base`, which has a slash at both ends, in a
 * language. All languages of a site have the same `id`, so that they are one app.
 */
export function manifestOf(base: string, locale: Locale) {
  const { description, titles } = SCREEN_WORDS[locale];
  return {
    name: 'Amethyst',
    short_name: 'Amethyst',
    description,
    lang: locale,
    id: base,
    start_url: `${base}main`,
    scope: base,
    display: 'standalone',
    background_color: '#0b0b0e',
    theme_color: '#0b0b0e',
    orientation: 'any',
    categories: ['finance'],
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: PICTURE.src, sizes: PICTURE.sizes, type: PICTURE.type, purpose: 'any' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    shortcuts: SHORTCUTS.map((screen) => ({
      name: titles[screen],
      url: base.slice(0, -1) + SCREENS[screen].path,
      icons: [PICTURE],
    })),
  };
}

/**
 * Returns the name of the file with the manifest in a language: `manifest.webmanifest` for English, otherwise
 * with the language in it, such as `manifest.ja-JP.webmanifest`. A page changes the link in its head by the
 * same rule.
 */
export function manifestFile(locale: Locale): string {
  return locale === 'en-US' ? 'manifest.webmanifest' : `manifest.${locale}.webmanifest`;
}

/**
 * Returns a Vite plugin that writes the web app manifests, one per language, into the build of the site at
 * the path `base`, and links the English one in the head of its page.
 */
export function webManifests(base: string): Plugin {
  return {
    name: 'web-manifests',
    apply: 'build',
    generateBundle() {
      for (const locale of LOCALES)
        this.emitFile({
          type: 'asset',
          fileName: manifestFile(locale),
          source: JSON.stringify(manifestOf(base, locale), undefined, 2),
        });
    },
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: base + manifestFile('en-US') }, injectTo: 'head' },
    ],
  };
}
