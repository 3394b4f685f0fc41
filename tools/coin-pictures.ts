import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/** Coins whose pictures the icon package has; others lie in the app's own `public/coins`. */
const PICTURED = ['btc', 'eth', 'eos', 'ltc', 'xrp', 'ada', 'doge', 'usdt'];

/** Puts the coins' pictures where the calls say they are: `/coins/btc.svg`. */
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
