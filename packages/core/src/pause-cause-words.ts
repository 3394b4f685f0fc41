import type { Locale } from './locale.ts';
import type { PauseCause } from './trading-pause.ts';

/**
 * By language: the public reasons of trading pauses in words. A screen shows them between "Trading is
 * paused:" and a full stop. The reason `other` has no words, because it is not shown.
 */
export const PAUSE_CAUSE_WORDS: Readonly<
  Record<Locale, Readonly<Record<Exclude<PauseCause, 'other'>, string>>>
> = {
  'en-US': {
    maintenance: 'maintenance',
    technical: 'a technical issue',
    prices: 'index prices are not reliable',
    volatility: 'unusual price movements',
    network: 'an event on the coin’s network',
    listing: 'a change to the listing',
  },
  'zh-CN': {
    maintenance: '系统维护',
    technical: '技术故障',
    prices: '指数价格异常',
    volatility: '价格剧烈波动',
    network: '该币种网络出现异常',
    listing: '上架信息调整',
  },
  'ko-KR': {
    maintenance: '시스템 점검',
    technical: '기술적 문제',
    prices: '지수 가격 불안정',
    volatility: '비정상적인 가격 변동',
    network: '해당 코인 네트워크 이슈',
    listing: '상장 정보 변경',
  },
  'ja-JP': {
    maintenance: 'メンテナンス',
    technical: 'システム障害',
    prices: 'インデックス価格の異常',
    volatility: '価格の急変動',
    network: 'コインのネットワークの異常',
    listing: '取扱内容の変更',
  },
};
