import type { AssetCode } from './pair.ts';

/**
 * Names of coins, by which users find them: the English, Chinese, Japanese and Korean name in this order, then other
 * names in use. In every language a search matches all of them.
 */
export const COIN_NAMES: ReadonlyMap<AssetCode, readonly string[]> = new Map([
  ['USDT', ['Tether', '泰达币', 'テザー', '테더', '泰達幣']],
  ['BTC', ['Bitcoin', '比特币', 'ビットコイン', '비트코인', '比特幣']],
  ['ETH', ['Ethereum', '以太坊', 'イーサリアム', '이더리움', '以太币', '以太幣', 'Ether']],
  ['EOS', ['EOS', '柚子币', 'イオス', '이오스']],
  ['LTC', ['Litecoin', '莱特币', 'ライトコイン', '라이트코인', '萊特幣']],
  ['XRP', ['XRP', '瑞波币', 'リップル', '리플', 'Ripple', '瑞波幣', '엑스알피']],
  ['ADA', ['Cardano', '艾达币', 'カルダノ', '카르다노', '卡尔达诺', 'エイダ', '에이다']],
  ['DOGE', ['Dogecoin', '狗狗币', 'ドージコイン', '도지코인', '狗狗幣']],
  ['SHIB', ['Shiba Inu', '柴犬币', 'シバイヌ', '시바이누', '柴犬幣', '柴犬コイン']],
]);
