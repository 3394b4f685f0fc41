import type { Locale } from '@exchange/core/locale.ts';
import type { Component, Stage } from './domain.ts';

/** The sentences of the status page in one language. */
export interface StatusWords {
  readonly language: string;
  readonly title: string;
  readonly allWell: string;
  readonly troubled: string;
  readonly updated: string;
  readonly home: string;
  readonly incidents: string;
  readonly noIncidents: string;
  readonly started: string;
  readonly ended: string;
  readonly halts: string;
  readonly cause: string;
  readonly newsBy: string;
  readonly noHalts: string;
  readonly haltedCoin: string;
  readonly pausedCoin: string;
  readonly cancelOnly: string;
  readonly closed: string;
  readonly latency: string;
  readonly latencyText: string;
  readonly noOrders: string;
  readonly orders: string;
  readonly duration: string;
  readonly upTo: string;
  readonly above: string;
  readonly median: string;
  readonly within95: string;
  readonly within99: string;
  readonly uptime: string;
  readonly uptimeText: string;
  readonly day: string;
  readonly share: string;
  readonly notCounted: string;
  readonly withdrawals: string;
  readonly withdrawalsText: string;
  readonly noWithdrawals: string;
  readonly network: string;
  readonly networks: string;
  readonly networkOpen: string;
  readonly networkPaused: string;
  /** Shown in place of a network's deposits or withdrawals that the exchange does not offer. */
  readonly networkNone: string;
  readonly networkDelayed: string;
  readonly deposits: string;
  readonly withdrawalsOf: string;
  readonly expected: string;
  readonly count: string;
  readonly seconds: string;
  readonly minutes: string;
  readonly hours: string;
  readonly components: Readonly<Record<Component, string>>;
  readonly stages: Readonly<Record<Stage, string>>;
}

const en: StatusWords = {
  language: 'English',
  title: 'Status',
  allWell: 'All systems are working',
  troubled: 'Some services are affected',
  updated: 'As of {{time}} UTC',
  home: 'To the exchange',
  incidents: 'Incidents',
  noIncidents: 'No incidents have been reported.',
  started: 'Started {{time}} UTC',
  ended: 'Ended {{time}} UTC',
  halts: 'Halted coins and pairs',
  cause: 'Reason: {{cause}}',
  newsBy: 'Next news by {{time}} UTC',
  noHalts: 'Every coin and every pair is traded normally.',
  haltedCoin: 'Halted: no trading, deposits or withdrawals',
  pausedCoin: 'Sending is paused while we check our holdings. Trading is not affected.',
  cancelOnly: 'Orders can be canceled only',
  closed: 'Trading is closed',
  latency: 'Time to acknowledge an order',
  latencyText:
    'From the arrival of an order or order list to its commit, for the last 24 hours. Algo orders are not counted.',
  noOrders: 'No orders in the last 24 hours.',
  orders: 'Orders',
  duration: 'Time',
  upTo: 'up to {{bound}} ms',
  above: 'more than {{bound}} ms',
  median: 'Half of them within {{bound}} ms',
  within95: '95% within {{bound}} ms',
  within99: '99% within {{bound}} ms',
  uptime: 'Uptime of the last 90 days',
  uptimeText: 'The share of the minutes of a day (UTC) in which the exchange was working.',
  day: 'Day',
  share: 'Uptime',
  notCounted: 'not counted yet',
  withdrawals: 'Duration of withdrawals',
  withdrawalsText: 'From the request to the last confirmation, over the last 30 days.',
  noWithdrawals: 'No withdrawals in the last 30 days.',
  network: 'Network',
  networks: 'Networks',
  networkOpen: 'Open',
  networkPaused: 'Paused',
  networkNone: 'Not available',
  networkDelayed: 'Delayed: the network is read or paid later than usual',
  deposits: 'Deposits',
  withdrawalsOf: 'Withdrawals',
  expected: 'Expected again {{time}} UTC',
  count: 'Withdrawals',
  seconds: '{{count}} s',
  minutes: '{{count}} min',
  hours: '{{count}} h',
  components: {
    trading: 'Trading',
    transfers: 'Deposits and withdrawals',
    api: 'API',
    site: 'Site and apps',
  },
  stages: {
    investigating: 'Investigating',
    identified: 'Cause found',
    watching: 'Fixed, being watched',
    resolved: 'Resolved',
  },
};

const zh: StatusWords = {
  language: '中文',
  title: '系统状态',
  allWell: '所有系统运行正常',
  troubled: '部分服务受到影响',
  updated: '截至 {{time}}（UTC）',
  home: '返回交易所',
  incidents: '事件',
  noIncidents: '暂无事件报告。',
  started: '开始于 {{time}}（UTC）',
  ended: '结束于 {{time}}（UTC）',
  halts: '暂停的币种和交易对',
  cause: '原因：{{cause}}',
  newsBy: '最迟于 {{time}}（UTC）公布最新进展',
  noHalts: '所有币种和交易对均正常交易。',
  haltedCoin: '已暂停：无法交易、充币和提币',
  pausedCoin: '正在核对储备，暂停转出。交易不受影响。',
  cancelOnly: '仅可撤单',
  closed: '交易已关闭',
  latency: '委托确认耗时',
  latencyText: '最近 24 小时内委托和组合委托从到达至写入完成所用的时间，算法委托不计入。',
  noOrders: '最近 24 小时内没有委托。',
  orders: '委托数',
  duration: '耗时',
  upTo: '不超过 {{bound}} 毫秒',
  above: '超过 {{bound}} 毫秒',
  median: '半数在 {{bound}} 毫秒内',
  within95: '95% 在 {{bound}} 毫秒内',
  within99: '99% 在 {{bound}} 毫秒内',
  uptime: '最近 90 天的可用率',
  uptimeText: '每天（UTC）交易所正常运行的分钟数占比。',
  day: '日期',
  share: '可用率',
  notCounted: '尚未统计',
  withdrawals: '提币耗时',
  withdrawalsText: '最近 30 天内从申请到最后一次确认所用的时间。',
  noWithdrawals: '最近 30 天内没有提币。',
  network: '网络',
  networks: '网络',
  networkOpen: '正常',
  networkPaused: '已暂停',
  networkNone: '不支持',
  networkDelayed: '延迟：该网络的到账或出账慢于平时',
  deposits: '充币',
  withdrawalsOf: '提币',
  expected: '预计恢复 {{time}}（UTC）',
  count: '提币数',
  seconds: '{{count}} 秒',
  minutes: '{{count}} 分钟',
  hours: '{{count}} 小时',
  components: {
    trading: '交易',
    transfers: '充币和提币',
    api: 'API',
    site: '网站和应用',
  },
  stages: {
    investigating: '调查中',
    identified: '已找到原因',
    watching: '已修复，观察中',
    resolved: '已解决',
  },
};

const ko: StatusWords = {
  language: '한국어',
  title: '시스템 상태',
  allWell: '모든 시스템이 정상입니다',
  troubled: '일부 서비스에 영향이 있습니다',
  updated: '{{time}} UTC 기준',
  home: '거래소로 이동',
  incidents: '장애',
  noIncidents: '보고된 장애가 없습니다.',
  started: '시작 {{time}} UTC',
  ended: '종료 {{time}} UTC',
  halts: '중단된 코인과 페어',
  cause: '사유: {{cause}}',
  newsBy: '다음 안내 {{time}} UTC까지',
  noHalts: '모든 코인과 페어가 정상적으로 거래되고 있습니다.',
  haltedCoin: '중단됨: 거래, 입금, 출금 불가',
  pausedCoin: '보유량을 확인하는 동안 전송이 일시 중지되었습니다. 거래에는 영향이 없습니다.',
  cancelOnly: '주문 취소만 가능',
  closed: '거래 중단',
  latency: '주문 접수 확인 시간',
  latencyText:
    '최근 24시간의 주문과 주문 묶음에 대해 도착부터 저장 완료까지 걸린 시간입니다. 알고리즘 주문은 포함되지 않습니다.',
  noOrders: '최근 24시간 동안 주문이 없습니다.',
  orders: '주문 수',
  duration: '시간',
  upTo: '{{bound}}밀리초 이하',
  above: '{{bound}}밀리초 초과',
  median: '절반이 {{bound}}밀리초 이내',
  within95: '95%가 {{bound}}밀리초 이내',
  within99: '99%가 {{bound}}밀리초 이내',
  uptime: '최근 90일 가동률',
  uptimeText: '하루(UTC) 중 거래소가 정상 작동한 시간(분)의 비율입니다.',
  day: '날짜',
  share: '가동률',
  notCounted: '집계 전',
  withdrawals: '출금 소요 시간',
  withdrawalsText: '최근 30일 동안 신청부터 마지막 컨펌까지 걸린 시간입니다.',
  noWithdrawals: '최근 30일 동안 출금이 없습니다.',
  network: '네트워크',
  networks: '네트워크',
  networkOpen: '정상',
  networkPaused: '중단',
  networkNone: '미지원',
  networkDelayed: '지연: 이 네트워크의 입출금 처리가 평소보다 늦습니다',
  deposits: '입금',
  withdrawalsOf: '출금',
  expected: '재개 예정 {{time}} UTC',
  count: '출금 수',
  seconds: '{{count}}초',
  minutes: '{{count}}분',
  hours: '{{count}}시간',
  components: {
    trading: '거래',
    transfers: '입출금',
    api: 'API',
    site: '사이트와 앱',
  },
  stages: {
    investigating: '조사 중',
    identified: '원인 확인',
    watching: '복구 후 관찰 중',
    resolved: '해결됨',
  },
};

const ja: StatusWords = {
  language: '日本語',
  title: '稼働状況',
  allWell: 'すべてのシステムは正常に稼働しています',
  troubled: '一部のサービスに影響が出ています',
  updated: '{{time}} UTC 時点',
  home: '取引所へ',
  incidents: '障害',
  noIncidents: '報告された障害はありません。',
  started: '開始 {{time}} UTC',
  ended: '終了 {{time}} UTC',
  halts: '停止中のコインとペア',
  cause: '理由：{{cause}}',
  newsBy: '次回のお知らせ {{time}} UTC まで',
  noHalts: 'すべてのコインとペアが通常どおり取引されています。',
  haltedCoin: '停止中：取引・入金・出金はできません',
  pausedCoin: '保有量の確認のため、送金を一時停止しています。取引には影響ありません。',
  cancelOnly: '注文の取消のみ可能',
  closed: '取引停止中',
  latency: '注文の受付にかかる時間',
  latencyText:
    '直近24時間の注文と注文リストについて、到着から記録の完了までの時間です。アルゴ注文は含みません。',
  noOrders: '直近24時間の注文はありません。',
  orders: '注文数',
  duration: '時間',
  upTo: '{{bound}}ミリ秒以下',
  above: '{{bound}}ミリ秒超',
  median: '半数が{{bound}}ミリ秒以内',
  within95: '95%が{{bound}}ミリ秒以内',
  within99: '99%が{{bound}}ミリ秒以内',
  uptime: '直近90日間の稼働率',
  uptimeText: '1日（UTC）のうち、取引所が稼働していた分数の割合です。',
  day: '日付',
  share: '稼働率',
  notCounted: '集計前',
  withdrawals: '出金にかかる時間',
  withdrawalsText: '直近30日間の、申請から最後の承認までの時間です。',
  noWithdrawals: '直近30日間の出金はありません。',
  network: 'ネットワーク',
  networks: 'ネットワーク',
  networkOpen: '稼働中',
  networkPaused: '停止中',
  networkNone: '非対応',
  networkDelayed: '遅延：このネットワークの入出金処理に通常より時間がかかっています',
  deposits: '入金',
  withdrawalsOf: '出金',
  expected: '再開予定 {{time}} UTC',
  count: '出金数',
  seconds: '{{count}}秒',
  minutes: '{{count}}分',
  hours: '{{count}}時間',
  components: {
    trading: '取引',
    transfers: '入金と出金',
    api: 'API',
    site: 'サイトとアプリ',
  },
  stages: {
    investigating: '調査中',
    identified: '原因を特定',
    watching: '復旧済み・経過観察中',
    resolved: '解決済み',
  },
};

export const STATUS_WORDS: Readonly<Record<Locale, StatusWords>> = {
  'en-US': en,
  'zh-CN': zh,
  'ko-KR': ko,
  'ja-JP': ja,
};
