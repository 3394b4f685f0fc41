import { declareMessages } from '../../messages/index.ts';

/** The kinds of inbox messages to users about token sales, with their links, topics and texts. */
export const subscriptionMessages = declareMessages({
  subscriptionAllocated: {
    place: 'launchpad',
    topic: 'products',
    words: {
      'en-US': {
        title: 'You received {{amount}} {{unit}} on Launchpad',
        summary: 'You paid {{total}} {{coin}}; {{price}} {{coin}} was refunded.',
        content:
          'The tokens of this Launchpad sale have been allocated.\n\n' +
          'Committed: {{principal}} {{coin}}\nAllocated: {{amount}} {{unit}}\nPaid: {{total}} {{coin}}\nRefunded: {{price}} {{coin}}\nListing: {{start}}\n\n' +
          'In your records, you can check your allocation against the public files.',
      },
      'zh-CN': {
        title: '您获得 {{amount}} {{unit}}',
        summary: '花费 {{total}} {{coin}}，退还 {{price}} {{coin}}。',
        content:
          '本次申购已完成分配。\n\n' +
          '认购：{{principal}} {{coin}}\n获配：{{amount}} {{unit}}\n花费：{{total}} {{coin}}\n退还：{{price}} {{coin}}\n上市时间：{{start}}\n\n' +
          '您可在申购记录中对照公开文件核对获配结果。',
      },
      'ko-KR': {
        title: '{{amount}} {{unit}} 배정',
        summary: '비용 {{total}} {{coin}}, 환불 {{price}} {{coin}}.',
        content:
          '청약 배정이 완료되었습니다.\n\n' +
          '청약 금액: {{principal}} {{coin}}\n배정: {{amount}} {{unit}}\n비용: {{total}} {{coin}}\n환불: {{price}} {{coin}}\n상장: {{start}}\n\n' +
          '내 청약 내역에서 공개 파일과 배정을 대조할 수 있습니다.',
      },
      'ja-JP': {
        title: '{{amount}} {{unit}}が配分されました',
        summary: '支払額{{total}} {{coin}}、返金額{{price}} {{coin}}',
        content:
          '申込の配分が完了しました。\n\n' +
          '申込額：{{principal}} {{coin}}\n配分：{{amount}} {{unit}}\n支払額：{{total}} {{coin}}\n返金額：{{price}} {{coin}}\n上場日時：{{start}}\n\n' +
          '配分結果は、申込状況の画面で公開ファイルと照合できます。',
      },
    },
  },
  subscriptionRefunded: {
    place: 'launchpad',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Launchpad refund: {{principal}} {{coin}}',
        summary: 'You received no {{unit}}. The full amount is back in your spot account.',
        content:
          'You received no tokens in the sale of {{unit}}. Your commitment was refunded in full.\n\n' +
          'Refunded: {{principal}} {{coin}}\n\nIn your records, the public files show the result of the sale.',
      },
      'zh-CN': {
        title: '申购已退款：{{principal}} {{coin}}',
        summary: '您未获配 {{unit}}，资金已全额退回现货账户。',
        content:
          '您在 {{unit}} 申购中未获配代币，认购资金已全额退回。\n\n' +
          '退还：{{principal}} {{coin}}\n\n您可在申购记录的公开文件中查看本次申购结果。',
      },
      'ko-KR': {
        title: '청약 환불: {{principal}} {{coin}}',
        summary: '{{unit}} 배정이 없어 전액이 현물 계좌로 반환되었습니다.',
        content:
          '{{unit}} 청약에서 배정된 토큰이 없습니다. 청약 금액은 전액 환불되었습니다.\n\n' +
          '환불: {{principal}} {{coin}}\n\n내 청약 내역의 공개 파일에서 결과를 확인할 수 있습니다.',
      },
      'ja-JP': {
        title: '申込の返金：{{principal}} {{coin}}',
        summary: '{{unit}}の配分はありませんでした。全額を現物口座に返金しました。',
        content:
          '{{unit}}の申込では、トークンの配分がありませんでした。申込額は全額返金されました。\n\n' +
          '返金額：{{principal}} {{coin}}\n\n結果は、申込状況の画面にある公開ファイルで確認できます。',
      },
    },
  },
});
