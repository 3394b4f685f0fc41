import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/**
 * Codes, in lower case, of the coins whose icons are from the package `cryptocurrency-icons`. The icons of
 * other coins are in the folder `public/coins` of the app.
 */
const PICTURED = ['btc', 'eth', 'eos', 'ltc', 'xrp', 'ada', 'doge', 'usdt'];

/** Adds the coins' icons to the build at the paths that the API returns, such as `/coins/btc.svg`. */
export function coinPictures(): Plugin {
  const { resolve } = createRequire(import.meta.url);
  return {
    name: 'coin-pictures',
    apply: 'build',
    generateBundle() {
      for (const coin of PICTURED) {
        const source = readFileSync(resolve(`cryptocurrency-icons/svg/color/${coin}.svg`), 'utf8');
        this.emitFile({ type: 'asset', fileName: `coins/${coin}.svg`, source });
      }
    },
  };
}
