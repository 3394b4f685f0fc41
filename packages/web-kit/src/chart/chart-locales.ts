import { registerLocale } from 'klinecharts';

/** Words of the chart's library in the languages that it does not bring; without them it fails on such a page. */
export function registerChartLocales(): void {
  registerLocale('ko-KR', {
    ...{ time: '시간: ', open: '시가: ', high: '고가: ', low: '저가: ', close: '종가: ' },
    ...{ volume: '거래량: ', turnover: '거래대금: ', change: '등락률: ' },
    ...{ second: '초', minute: '분', hour: '시간', day: '일', week: '주', month: '개월', year: '년' },
  });
  registerLocale('ja-JP', {
    ...{ time: '時刻：', open: '始値：', high: '高値：', low: '安値：', close: '終値：' },
    ...{ volume: '出来高：', turnover: '売買代金：', change: '変動率：' },
    ...{ second: '秒', minute: '分', hour: '時間', day: '日', week: '週', month: 'か月', year: '年' },
  });
}
