import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { SCHEME_KEY, SURFACES } from '../packages/web-kit/src/theme/surfaces.ts';

/**
 * The kinds of loading placeholders, each with a regular expression for the paths of its screens. The first match is
 * used.
 */
export type ScreenPlaceholders = readonly (readonly [shape: string, path: string])[];

/**
 * Runs in the head of the page before the first paint. Sets the color scheme that is stored on the device, or the
 * system's if none is stored, and the color of the browser's toolbars. Also marks the document with the kind of screen
 * that the URL opens, so that style sheets can show a placeholder of that screen. The text of this function is written
 * to a built file, so the function must not refer to anything outside itself.
 */
export function firstPaint(
  page: Window,
  key: string,
  surfaces: Readonly<Record<'dark' | 'light', string>>,
  shapes: ScreenPlaceholders,
): void {
  const { document: doc, location: place } = page;
  let choice: string | null = null;
  try {
    choice = page.localStorage.getItem(key);
  } catch {
    // A page without access to the storage uses the color scheme of the system.
  }
  const system = page.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const scheme = choice === 'dark' || choice === 'light' ? choice : system;
  doc.documentElement.setAttribute('data-mantine-color-scheme', scheme);
  for (const meta of doc.querySelectorAll('meta[name="theme-color"]'))
    meta.setAttribute('content', surfaces[scheme]);
  const shape = shapes.find(([, path]) => new RegExp(path).test(place.pathname))?.[0];
  if (shape !== undefined) doc.documentElement.setAttribute('data-first-shape', shape);
}

/** Folder and beginning of the name of the built first-paint script. */
export const FIRST_PAINT_FILE = 'assets/first-paint-';

/**
 * Adds the first-paint script to the head of a site's page. In a build the script is a separate file, because the
 * content security policy forbids inline scripts. In development it is inline.
 */
export function firstPaintScript(base: string, shapes: ScreenPlaceholders): Plugin {
  const input = [SCHEME_KEY, SURFACES, shapes].map((value) => JSON.stringify(value)).join(', ');
  const source = `(${firstPaint.toString()})(window, ${input});\n`;
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const fileName = `${FIRST_PAINT_FILE}${hash}.js`;
  let isBuild = false;
  return {
    name: 'first-paint',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    // The script is inserted before the title, after the `theme-color` tags that it changes.
    transformIndexHtml: (html) => {
      const script = isBuild ? `<script src="${base}${fileName}"></script>` : `<script>${source}</script>`;
      return html.replace('<title>', `${script}\n    <title>`);
    },
  };
}
